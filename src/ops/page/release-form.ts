import express, { type IRouter, type Request, type Response } from 'express';
import type { Actor } from '../../storage/audit.ts';
import { auditedBy } from '../../storage/audited.ts';
import type { Collections } from '../../storage/collections.ts';
import { isReason, reasonLengthMax, releaseOne } from '../release.ts';
import { html, type Html } from './html.ts';
import { sendPage } from './layout.ts';

const formSizeMax = '4kb';
const userTextMax = 64;

const notAllowed =
  'Nothing was done. Orders are not released here: that needs OPS_DASHBOARD_ACTIONS=true and an OPS_TOKEN. The command line can do the same: admin transfer retry.';
const noReason = `Nothing was done. It needs a reason of 1 to ${reasonLengthMax} characters, for the audit.`;
const notSetAside = 'Nothing was done. This order is not set aside.';
const notKnown =
  'It is not known whether this was done. MongoDB does not answer, or the audit cannot be written to; without an event there, nothing was done. It may be repeated: what is done already stays as it is.';

/** On the page of an order that is set aside. */
export function releaseForm(id: string): Html {
  return html`<form class="action" action="/release" method="post">
    <input type="hidden" name="id" value="${id}" />
    <label>
      Why it can be posted now, for the audit
      <input name="reason" required maxlength="${reasonLengthMax}" autocomplete="off" />
    </label>
    <button>Release</button>
  </form>`;
}

/**
 * `POST /release` releases an order that is set aside, for the reason that the form was given, with an event in the audit; if
 * the event cannot be written, nothing is done. Forms of other sites are refused by `access.ts`.
 * @param isAllowed whether anything may be done here.
 */
export function addReleaseRoute(
  app: IRouter,
  collections: Pick<Collections, 'auditEvents' | 'backlog' | 'stuckOrders'>,
  isAllowed: boolean,
): void {
  app.post('/release', express.urlencoded({ extended: false, limit: formSizeMax }), async (req, res) => {
    const form = new URLSearchParams(Object.entries((req.body ?? {}) as Record<string, string>));
    const [id, reason] = [form.get('id') ?? '', form.get('reason') ?? ''];
    const refuse = (status: number, why: string): void => {
      sendPage(res, 'Not done', html`<p class="alarm">${why}</p>`, status);
    };
    if (!isAllowed) refuse(405, notAllowed);
    else if (!isReason(reason)) refuse(400, noReason);
    else {
      try {
        const audited = auditedBy(collections.auditEvents, actorOf(req, res));
        if (await releaseOne(collections, audited, id, reason.trim()))
          res.redirect(303, `/search?id=${encodeURIComponent(id)}`);
        else refuse(404, notSetAside);
      } catch {
        refuse(503, notKnown);
      }
    }
  });
}

/** The user is as `access.ts` found it beside the token; nobody checks it. */
function actorOf({ socket }: Request, res: Response): Actor {
  const user: unknown = res.locals['user'];
  const claimedActor = typeof user === 'string' && user !== '' ? user.slice(0, userTextMax) : null;
  return { actor: null, claimedActor, address: socket.remoteAddress ?? null };
}
