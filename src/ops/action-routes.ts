import { createHmac, timingSafeEqual } from 'node:crypto';
import express, { type IRouter, type Request, type Response } from 'express';
import type { Actor } from '../storage/audit.ts';
import { auditedBy } from '../storage/audited.ts';
import type { Collections } from '../storage/collections.ts';
import { findStuck, releaseOne } from './actions.ts';
import { isReason, reasonLengthMax } from './audited.ts';
import { html, type Html } from './page/html.ts';
import { sendPage } from './page/layout.ts';
import { queryOf } from './page/serving.ts';

const path = '/release';
const formSizeMax = '4kb';
const userTextMax = 64;
const notDone = ['Not done', 'Nothing was done.'] as const;

/**
 * `/release?id=` asks for the reason why an order that is set aside can be posted now. Sending its form releases the order, with
 * an event in the audit; if the event cannot be written, nothing is done. The form holds a key that no other site knows.
 * @param token the operations token; undefined if nothing may be done here. Form keys are derived from it, so every web process
 * accepts those of the others.
 */
export function addReleaseRoutes(
  app: IRouter,
  { auditEvents, backlog, stuckOrders }: Pick<Collections, 'auditEvents' | 'backlog' | 'stuckOrders'>,
  token: string | undefined,
): void {
  if (token === undefined) {
    app.all(path, (_req, res) => {
      sendPage(res, 'Not allowed', notAllowedPage(), 405);
    });
    return;
  }
  app.get(path, (req, res) => {
    const id = queryOf(req).get('id');
    if (id === null) refuse(res, 400, 'This names no order.');
    else sendPage(res, 'Confirm', releaseForm(id, formKey(token, res), actorOf(req, res)));
  });
  app.post(path, express.urlencoded({ extended: false, limit: formSizeMax }), async (req, res) => {
    const given = new URLSearchParams(Object.entries((req.body ?? {}) as Record<string, string>));
    const [id, reason] = [given.get('id'), given.get('reason') ?? ''];
    if (!isFormKey(given.get('key') ?? '', token, res)) refuse(res, 403, 'This form was not made here.');
    else if (id === null) refuse(res, 400, 'This names no order.');
    else if (!isReason(reason)) refuse(res, 400, 'It needs a reason of 1 to 200 characters, for the audit.');
    else {
      const audited = auditedBy(auditEvents, actorOf(req, res));
      const releasing = findStuck(backlog, id).then(
        async (stuck) => stuck !== undefined && (await releaseOne(stuckOrders, audited, stuck, reason.trim())),
      );
      await answerOutcome(res, releasing);
    }
  });
}

/** Asks for the reason, and says what the audit will record. */
function releaseForm(id: string, key: string, who: Actor): Html {
  return html`<section>
    <h2>Release order ${id}?</h2>
    <p>A worker posts it within seconds. Where the cause is still there, it is set aside again.</p>
    <form class="action" action="${path}" method="post">
      <input type="hidden" name="id" value="${id}" /><input type="hidden" name="key" value="${key}" />
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

async function answerOutcome(res: Response, releasing: Promise<boolean>): Promise<void> {
  try {
    const outcome = (await releasing)
      ? 'The order is released: a worker takes it up within seconds.'
      : 'This order is not set aside.';
    sendPage(res, 'Done', html`<p class="note">${outcome} <a href="/">Back to the service</a></p>`);
  } catch {
    const why = `MongoDB does not answer, or the audit cannot be written to; without an event there, nothing was done.
      It may be repeated: what is done already stays as it is.`;
    refuse(res, 503, why, ['Not known', 'It is not known whether this was done.']);
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
    <b>Nothing was done.</b> Orders are not released here: that needs OPS_DASHBOARD_ACTIONS=true and an OPS_TOKEN. The
    command line can do the same: <code>admin transfer retry</code>.
  </p>`;
}
