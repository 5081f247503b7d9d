import { reasonLengthMax } from '../../storage/audit.ts';
import type { Action } from '../actions.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';

interface Asked {
  readonly question: string;
  readonly follows: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Asks for the reason, and says what stands in the audit. @param who as it does there. */
export function actionForm(action: Action, who: string, formKey: string): Html {
  const { question, follows, fields } = askedOf(action);
  const hidden = Object.entries({ ...fields, key: formKey }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<section>
    <h2>${question}</h2>
    <p>${follows}</p>
    <form class="action" action="/${action.kind}" method="post">
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

function askedOf(action: Action): Asked {
  switch (action.kind) {
    case 'release':
      return {
        question: `Release order ${action.transferId}?`,
        follows: 'A worker posts it within seconds. Where the cause is still there, it is set aside again.',
        fields: { id: action.transferId },
      };
    case 'release-all':
      return {
        question:
          action.fault === undefined
            ? 'Release all orders that are set aside?'
            : 'Release all orders set aside for this?',
        follows: `${action.fault === undefined ? '' : `“${action.fault}”. `}Workers post them within seconds. Where the cause is still there, they are set aside again.`,
        fields: action.fault === undefined ? {} : { fault: action.fault },
      };
    case 'pause':
      return {
        question: `Pause partition ${action.partition}?`,
        follows: 'Its orders are accepted and wait, until it is resumed. What is begun is ended.',
        fields: { partition: String(action.partition) },
      };
    case 'resume':
      return {
        question: `Resume partition ${action.partition}?`,
        follows: 'What waited is posted, oldest first.',
        fields: { partition: String(action.partition) },
      };
  }
}

export function notAllowedPage(): Html {
  return html`<p class="alarm">
    <b>Nothing was done.</b> Actions are not allowed here: they need OPS_DASHBOARD_ACTIONS=true and an OPS_TOKEN. The
    command line has the same: <code>admin transfer retry</code>, <code>admin partitions pause</code> and
    <code>resume</code>.
  </p>`;
}
