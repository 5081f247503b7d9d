import express, { type IRouter, type Request, type Response } from 'express';
import type { Actor } from '../storage/audit.ts';
import type { Action, Actions } from './actions.ts';
import { isReason } from './audited.ts';
import { actionForm, notAllowedPage } from './page/action-page.ts';
import { html } from './page/html.ts';
import { sendPage } from './page/layout.ts';

const actionPaths = ['/release', '/release-all', '/pause', '/resume'] as const;
const formSizeMax = '4kb';
const userTextMax = 64;
const notDone = ['Not done', 'Nothing was done.'] as const;

/**
 * Each action has a page that asks for the reason. Sending the page's form does the action; the form holds a key that no
 * other site knows. @param actions undefined if none is allowed.
 */
export function addActionRoutes(app: IRouter, actions: Actions | undefined): void {
  if (actions === undefined) {
    app.all([...actionPaths], (_req, res) => {
      sendPage(res, 'Not allowed', notAllowedPage(), 405);
    });
    return;
  }
  const readForm = express.urlencoded({ extended: false, limit: formSizeMax });
  for (const path of actionPaths) {
    app.get(path, (req, res) => {
      const action = actionOf(path, new URLSearchParams(req.url.split('?')[1]));
      if (action === undefined) refuse(res, 400, 'This names nothing to act on.');
      else showForm(req, res, action, actions);
    });
    app.post(path, readForm, async (req, res) => {
      const form = new URLSearchParams(Object.entries((req.body ?? {}) as Record<string, string>));
      const action = actionOf(path, form);
      const reason = form.get('reason') ?? '';
      if (!actions.isFormKey(form.get('key') ?? '', userOf(res))) refuse(res, 403, 'This form was not made here.');
      else if (action === undefined) refuse(res, 400, 'This names nothing to act on.');
      else if (!isReason(reason)) refuse(res, 400, 'It needs a reason of 1 to 200 characters, for the audit.');
      else await act(res, actions.do(action, actorOf(req, res), reason.trim()));
    });
  }
}

function showForm(req: Request, res: Response, action: Action, actions: Actions): void {
  const { claimedActor, address } = actorOf(req, res);
  const who = `${claimedActor ?? 'somebody without a name'} from ${address ?? 'elsewhere'}`;
  sendPage(res, 'Confirm', actionForm(action, who, actions.formKey(userOf(res))));
}

async function act(res: Response, doing: Promise<string>): Promise<void> {
  try {
    sendPage(res, 'Done', html`<p class="note">${await doing} <a href="/">Back to the service</a></p>`);
  } catch {
    const why = `MongoDB or Redis does not answer, or the audit cannot be written to; without an event there, nothing was done.
      It may be repeated: what is done already stays as it is.`;
    refuse(res, 503, why, ['Not known', 'It is not known whether this was done in full.']);
  }
}

function actionOf(path: (typeof actionPaths)[number], given: URLSearchParams): Action | undefined {
  if (path === '/release-all') return { kind: 'release-all', fault: given.get('fault') ?? undefined };
  if (path === '/release') {
    const id = given.get('id');
    return id === null ? undefined : { kind: 'release', id };
  }
  const partition = given.get('partition') ?? '';
  if (!/^\d{1,4}$/.test(partition)) return undefined;
  return { kind: path === '/pause' ? 'pause' : 'resume', partition: Number(partition) };
}

function userOf(res: Response): string {
  const user: unknown = res.locals['user'];
  return typeof user === 'string' ? user : '';
}

/** Nobody checks the user named beside the token. */
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
