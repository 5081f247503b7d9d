import { createHmac, timingSafeEqual } from 'node:crypto';
import express, { type IRouter, type Request, type Response } from 'express';
import type { Clock } from '../clock.ts';
import type { Actor } from '../storage/audit.ts';
import type { Collections } from '../storage/collections.ts';
import { findStuck, pausePartition, pauseWorker, releaseAll, releaseOne, type PauseVerb } from './actions.ts';
import { auditedBy, type Audited } from '../storage/audited.ts';
import { isReason, reasonLengthMax } from './audited.ts';
import { html, type Html } from './page/html.ts';
import { sendPage } from './page/layout.ts';
import { queryOf } from './page/serving.ts';

/** What the operator is asked to confirm, and what is done then. */
interface Action {
  readonly question: string;
  readonly follows: string;
  /** @returns the outcome, as a sentence. @throws if MongoDB or Redis is away. */
  readonly make: (audited: Audited, reason: string) => Promise<string>;
}

/** Undefined if what a link or a form gives names nothing to act on. */
type ActionOf = (given: URLSearchParams) => Action | undefined;

type ActedOn = Pick<Collections, 'backlog' | 'auditEvents' | 'partitioning' | 'stuckOrders' | 'workers'>;

/** The most orders that one request releases, because a request has to end. The next one releases more. */
const releasedMax = 1_000;
/** What names the thing to act on, in links and in forms. */
const namingFields = ['id', 'fault', 'partition', 'worker'];
const formSizeMax = '4kb';
const userTextMax = 64;
const notDone = ['Not done', 'Nothing was done.'] as const;

/**
 * Each action has a page that asks for the reason. Sending the page's form does the action, with an event in the audit; if
 * the event cannot be written, nothing is done. The form holds a key that no other site knows.
 * @param token the operations token; undefined if no action is allowed. Form keys are derived from it, so every web process
 * accepts those of the others.
 */
export function addActionRoutes(app: IRouter, collections: ActedOn, token: string | undefined, clock: Clock): void {
  const readForm = express.urlencoded({ extended: false, limit: formSizeMax });
  for (const [path, actionOf] of Object.entries(actionsOn(collections, clock))) {
    if (token === undefined) {
      app.all(path, (_req, res) => {
        sendPage(res, 'Not allowed', notAllowedPage(), 405);
      });
      continue;
    }
    app.get(path, (req, res) => {
      const given = queryOf(req);
      const action = actionOf(given);
      if (action === undefined) refuse(res, 400, 'This names nothing to act on.');
      else sendPage(res, 'Confirm', actionForm(action, path, hiddenFields(given, token, res), actorOf(req, res)));
    });
    app.post(path, readForm, async (req, res) => {
      const given = new URLSearchParams(Object.entries((req.body ?? {}) as Record<string, string>));
      const action = actionOf(given);
      const reason = given.get('reason') ?? '';
      if (!isFormKey(given.get('key') ?? '', token, res)) refuse(res, 403, 'This form was not made here.');
      else if (action === undefined) refuse(res, 400, 'This names nothing to act on.');
      else if (!isReason(reason)) refuse(res, 400, 'It needs a reason of 1 to 200 characters, for the audit.');
      else await act(res, action.make(auditedBy(collections.auditEvents, actorOf(req, res)), reason.trim()));
    });
  }
}

/** Every action, by the path of its page. */
function actionsOn(
  { backlog, partitioning, stuckOrders, workers }: ActedOn,
  clock: Clock,
): Readonly<Record<string, ActionOf>> {
  const pausing =
    (verb: PauseVerb, follows: string): ActionOf =>
    (given) => {
      const worker = given.get('worker');
      if (worker !== null) return pausingWorker(workers, verb, worker);
      const text = given.get('partition') ?? '';
      if (!/^\d{1,4}$/.test(text)) return undefined;
      const partition = Number(text);
      return {
        question: `${verb === 'pause' ? 'Pause' : 'Resume'} partition ${partition}?`,
        follows,
        async make(audited, reason) {
          const isThere = await pausePartition(partitioning, audited, { verb, partition, reason });
          if (!isThere) return 'There is no such partition.';
          return `Partition ${partition} is ${verb === 'pause' ? 'paused' : 'resumed'}: workers follow within two seconds.`;
        },
      };
    };
  return {
    '/release'(given) {
      const id = given.get('id');
      if (id === null) return undefined;
      return {
        question: `Release order ${id}?`,
        follows: 'A worker posts it within seconds. Where the cause is still there, it is set aside again.',
        async make(audited, reason) {
          const stuck = await findStuck(backlog, id);
          if (stuck === undefined || !(await releaseOne(stuckOrders, audited, stuck, reason)))
            return 'This order is not set aside.';
          return 'The order is released: a worker takes it up within seconds.';
        },
      };
    },
    '/release-all'(given) {
      const fault = given.get('fault') ?? undefined;
      const again = 'Workers post them within seconds. Where the cause is still there, they are set aside again.';
      return {
        question: `Release all orders ${fault === undefined ? 'that are set aside' : 'set aside for this'}?`,
        follows: fault === undefined ? again : `“${fault}”. ${again}`,
        async make(audited, reason) {
          const released = await releaseAll(stuckOrders, audited, { reason, fault, countMax: releasedMax }, clock);
          const more = released === releasedMax ? ' There may be more: do it again.' : '';
          return `${released} orders are released: workers take them up within seconds.${more}`;
        },
      };
    },
    '/pause': pausing('pause', 'Its orders are accepted and wait, until it is resumed. What is begun is ended.'),
    '/resume': pausing('resume', 'What waited is posted, oldest first.'),
  };
}

function pausingWorker(workers: ActedOn['workers'], verb: PauseVerb, worker: string): Action {
  return {
    question: `${verb === 'pause' ? 'Pause' : 'Resume'} worker ${worker}?`,
    follows:
      verb === 'pause'
        ? `It ends what it has begun, and the other workers take its partitions; without others, orders wait. It still sends
          webhooks, sweeps, and starts what is due. It is resumed here, or by a restart.`
        : 'It takes its share of the partitions again.',
    async make(audited, reason) {
      const noSuch = `There is no such worker${verb === 'pause' ? ', or it is of an earlier release, which cannot be paused' : ''}.`;
      if (!(await pauseWorker(workers, audited, { verb, worker, reason }))) return noSuch;
      return `The worker is ${verb === 'pause' ? 'paused' : 'resumed'}: partitions change their owners within seconds.`;
    },
  };
}

/** Asks for the reason, and says what the audit will record. */
function actionForm({ question, follows }: Action, path: string, hidden: Html[], who: Actor): Html {
  return html`<section>
    <h2>${question}</h2>
    <p>${follows}</p>
    <form class="action" action="${path}" method="post">
      ${hidden}
      <label>
        Why, for the audit
        <input name="reason" required maxlength="${reasonLengthMax}" autocomplete="off" />
      </label>
      <button>Confirm</button> <a href="/">Leave it</a>
    </form>
    <p class="nothing">
      In the audit this stands as done by ${who.claimedActor ?? 'somebody without a name'} from
      ${who.address ?? 'elsewhere'}.
    </p>
  </section>`;
}

function hiddenFields(given: URLSearchParams, token: string, res: Response): Html[] {
  const named = [...given].filter(([name]) => namingFields.includes(name));
  return [...named, ['key', formKey(token, res)] as const].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
}

/** What a form must hold, so that no page of another site can have made it. It does not reveal the token. */
function formKey(token: string, res: Response): string {
  return createHmac('sha256', token)
    .update(`form ${userOf(res)}`)
    .digest('base64url');
}

function isFormKey(text: string, token: string, res: Response): boolean {
  const [given, right] = [Buffer.from(text), Buffer.from(formKey(token, res))];
  return given.length === right.length && timingSafeEqual(given, right);
}

async function act(res: Response, making: Promise<string>): Promise<void> {
  try {
    sendPage(res, 'Done', html`<p class="note">${await making} <a href="/">Back to the service</a></p>`);
  } catch {
    const why = `MongoDB or Redis does not answer, or the audit cannot be written to; without an event there, nothing was done.
      It may be repeated: what is done already stays as it is.`;
    refuse(res, 503, why, ['Not known', 'It is not known whether this was done in full.']);
  }
}

/** As `access.ts` found it beside the token; nobody checks it. */
function userOf(res: Response): string {
  const user: unknown = res.locals['user'];
  return typeof user === 'string' ? user : '';
}

function actorOf({ socket }: Request, res: Response): Actor {
  return {
    actor: null,
    claimedActor: userOf(res).slice(0, userTextMax) || null,
    address: socket.remoteAddress ?? null,
  };
}

function refuse(
  res: Response,
  status: number,
  why: string,
  said: readonly [title: string, outcome: string] = notDone,
): void {
  const [title, outcome] = said;
  sendPage(res, title, html`<p class="alarm"><b>${outcome}</b> ${why}</p>`, status);
}

function notAllowedPage(): Html {
  return html`<p class="alarm">
    <b>Nothing was done.</b> Actions are not allowed here: they need OPS_DASHBOARD_ACTIONS=true and an OPS_TOKEN. The
    command line can do the same, except for workers: <code>admin transfer retry</code>,
    <code>admin partitions pause</code> and <code>resume</code>.
  </p>`;
}
