import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import type { Actor, AuditedChange, AuditEvents } from '../storage/audit.ts';

/**
 * The paths of the changes that Bull Board can make. Any other change is refused, because the audit could not name it. That
 * includes job schedulers and child jobs, which this service does not have, and pauses: a partition's pause is in MongoDB, and only
 * `partitions pause` and the operations page change it.
 */
const actionPaths: readonly { readonly noun: string; readonly path: RegExp }[] = [
  {
    noun: 'queue',
    path: /^\/api\/queues\/(?<queue>[^/]+)\/(?<verb>add|promote|empty|obliterate|concurrency|rate-limit)$/,
  },
  { noun: 'queue', path: /^\/api\/queues\/(?<queue>[^/]+)\/(?<verb>retry|clean)\/(?<state>[^/]+)$/ },
  {
    noun: 'job',
    path: /^\/api\/queues\/(?<queue>[^/]+)\/(?<job>[^/]+)\/(?<verb>retry|clean|promote|update-data|delay|priority)$/,
  },
];

const pathLengthMax = 300;
/** The most that is recorded of a request's body, such as the new data of a job. */
const bodyTextMax = 1_000;
const userTextMax = 64;

/**
 * Guards the queue dashboard. Requests that only read pass. One that changes something is recorded in the audit first, and
 * its outcome afterwards; if it cannot be recorded, it is not done.
 * @param areActionsAllowed if false, every request that would change something is answered 405.
 */
export function guardActions(auditEvents: AuditEvents, areActionsAllowed: boolean): Router {
  const refuse = (res: Response, status: number, why: string): void => {
    res.status(status).type('text/plain').send(`${why}\n`);
  };
  const record: RequestHandler = async (req, res, next) => {
    const change = changeOf(req);
    if (change === undefined) {
      refuse(res, 405, 'This is not among the actions that are recorded, so it is not done.');
      return;
    }
    const id = await auditEvents.begin(actorOf(req, res.locals['user']), change).catch(() => undefined);
    if (id === undefined) {
      refuse(res, 503, 'The audit cannot be written to, so nothing was done.');
      return;
    }
    // If the answer is lost, or Redis failed, the outcome is not known here, and the event stays STARTED.
    res.once('finish', () => {
      if (res.statusCode >= 500) return;
      void auditEvents.end(id, res.statusCode < 400 ? 'DONE' : 'FAILED').catch(() => undefined);
    });
    next();
  };
  const refuseBody: ErrorRequestHandler = (error, _req, res, next) => {
    if (res.headersSent) next(error);
    else refuse(res, 400, 'The body cannot be read as JSON.');
  };
  const refuseAll: RequestHandler = (_req, res) => {
    refuse(res, 405, 'Actions are not allowed here; the setting is OPS_DASHBOARD_ACTIONS.');
  };
  const guards = areActionsAllowed ? [express.json(), refuseBody, record] : [refuseAll];
  const changing = express.Router().use(...guards);
  return express.Router().use((req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') next();
    else changing(req, res, next);
  });
}

function changeOf({ path, body }: Request): AuditedChange | undefined {
  if (path.length > pathLengthMax) return undefined;
  for (const { noun, path: form } of actionPaths) {
    const { verb, ...named } = form.exec(path)?.groups ?? {};
    if (verb === undefined) continue;
    const text = body === undefined ? undefined : JSON.stringify(body).slice(0, bodyTextMax);
    const subject = { ...decoded(named), ...(text === undefined || text === '{}' ? {} : { body: text }) };
    return { action: `${noun} ${verb}`, workspaceId: null, subject };
  }
  return undefined;
}

/** Names as people know them, because a browser sends the braces of a queue's name as escapes. */
function decoded(named: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(named).map(([name, text]) => [name, decode(text)]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param user as `access.ts` found it beside the token. */
export function actorOf({ socket }: Request, user: unknown): Actor {
  const claimedActor = typeof user === 'string' && user !== '' ? user.slice(0, userTextMax) : null;
  return { actor: null, claimedActor, address: socket.remoteAddress ?? null };
}
