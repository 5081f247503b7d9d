import express, { type IRouter, type Request, type Response } from 'express';
import type { Actor } from '../storage/audit.ts';
import { auditedBy } from '../storage/audited.ts';
import type { Collections } from '../storage/collections.ts';
import { findStuck, releaseOne } from './actions.ts';
import { isReason } from './audited.ts';
import { html } from './page/html.ts';
import { sendPage } from './page/layout.ts';

const formSizeMax = '4kb';
const userTextMax = 64;

/**
 * `POST /release` releases an order that is set aside, for the reason that the form on its page was given, with an event in
 * the audit; if the event cannot be written, nothing is done. Forms of other sites are refused by `access.ts`.
 * @param isAllowed whether anything may be done here.
 */
export function addReleaseRoute(
  app: IRouter,
  { auditEvents, backlog, stuckOrders }: Pick<Collections, 'auditEvents' | 'backlog' | 'stuckOrders'>,
  isAllowed: boolean,
): void {
  app.post('/release', express.urlencoded({ extended: false, limit: formSizeMax }), async (req, res) => {
    const given = new URLSearchParams(Object.entries((req.body ?? {}) as Record<string, string>));
    const [id, reason] = [given.get('id') ?? '', given.get('reason') ?? ''];
    if (!isAllowed)
      refuse(
        res,
        405,
        `Nothing was done. Orders are not released here: that needs OPS_DASHBOARD_ACTIONS=true and an OPS_TOKEN. The command
          line can do the same: admin transfer retry.`,
      );
    else if (!isReason(reason))
      refuse(res, 400, 'Nothing was done. It needs a reason of 1 to 200 characters, for the audit.');
    else {
      try {
        const stuck = await findStuck(backlog, id);
        const audited = auditedBy(auditEvents, actorOf(req, res));
        const isReleased = stuck !== undefined && (await releaseOne(stuckOrders, audited, stuck, reason.trim()));
        if (isReleased) res.redirect(303, `/order?id=${encodeURIComponent(id)}`);
        else refuse(res, 404, 'Nothing was done. This order is not set aside.');
      } catch {
        refuse(
          res,
          503,
          `It is not known whether this was done. MongoDB does not answer, or the audit cannot be written to; without an event
            there, nothing was done. It may be repeated: what is done already stays as it is.`,
        );
      }
    }
  });
}

function refuse(res: Response, status: number, why: string): void {
  sendPage(res, 'Not done', html`<p class="alarm">${why}</p>`, status);
}

/** The user is as `access.ts` found it beside the token; nobody checks it. */
function actorOf({ socket }: Request, res: Response): Actor {
  const user: unknown = res.locals['user'];
  const claimedActor = typeof user === 'string' && user !== '' ? user.slice(0, userTextMax) : null;
  return { actor: null, claimedActor, address: socket.remoteAddress ?? null };
}
