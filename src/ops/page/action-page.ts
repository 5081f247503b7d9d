import { reasonLengthMax } from '../audited.ts';
import type { Action } from '../actions.ts';
import { html, type Html } from './html.ts';

/** Asks for the reason, and says what the audit will record. @param who the actor as the audit will name it. */
export function actionForm(action: Action, who: string, formKey: string): Html {
  const { kind, ...named } = action;
  const [question, follows] = askedOf(action);
  const hidden = Object.entries({ ...named, key: formKey }).flatMap(([name, value]) =>
    value === undefined ? [] : html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<section>
    <h2>${question}</h2>
    <p>${follows}</p>
    <form class="action" action="/${kind}" method="post">
      ${hidden}
      <label>
        Why, for the audit
        <input name="reason" required maxlength="${reasonLengthMax}" autocomplete="off" />
      </label>
      <button>Confirm</button> <a href="/">Leave it</a>
    </form>
    <p class="nothing">In the audit this stands as done by ${who}.</p>
  </section>`;
}

function askedOf(action: Action): [question: string, follows: string] {
  switch (action.kind) {
    case 'release':
      return [
        `Release order ${action.id}?`,
        'A worker posts it within seconds. Where the cause is still there, it is set aside again.',
      ];
    case 'release-all': {
      const [question, cause] =
        action.fault === undefined
          ? ['Release all orders that are set aside?', '']
          : ['Release all orders set aside for this?', `“${action.fault}”. `];
      return [
        question,
        `${cause}Workers post them within seconds. Where the cause is still there, they are set aside again.`,
      ];
    }
    case 'pause':
      return [
        `Pause partition ${action.partition}?`,
        'Its orders are accepted and wait, until it is resumed. What is begun is ended.',
      ];
    case 'resume':
      return [`Resume partition ${action.partition}?`, 'What waited is posted, oldest first.'];
  }
}

export function notAllowedPage(): Html {
  return html`<p class="alarm">
    <b>Nothing was done.</b> Actions are not allowed here: they need OPS_DASHBOARD_ACTIONS=true and an OPS_TOKEN. The
    command line has the same: <code>admin transfer retry</code>, <code>admin partitions pause</code> and
    <code>resume</code>.
  </p>`;
}
