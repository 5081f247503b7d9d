import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import { clientAddress, type Network } from '../address.ts';
import type { Clock } from '../clock.ts';
import type { AuthenticationAttempt } from '../auth/pipeline.ts';
import type { Principal } from '../auth/principals.ts';
import { catalogue, ServiceError, simulatedCode } from '../errors.ts';
import type { Logger } from '../log.ts';
import { isTransientFault } from '../storage/shared/transaction.ts';
import { inSpan } from '../tracing.ts';
import { inAnswerTime, type AnswerTime } from './answer-time.ts';
import { checkMediaType, readBody, refuseIdempotencyKey } from './body.ts';
import { createBodyTurns, type BodyTurn } from './body-turns.ts';
import { docsPages } from './docs/pages.ts';
import { errorEnvelope, failureHeaders, sendEnvelope, successCode, successEnvelope } from './envelope.ts';
import { createFailureLog } from './failure-log.ts';
import type { createFailureCount } from './failures.ts';
import { forwardedFor, headerToParse, hostFault, signingHeader } from './headers.ts';
import { parseJsonObject } from './json.ts';
import { readQuery } from './query.ts';
import { bodyOf, smallBodyBytesMax } from './received-body.ts';
import { createRetryAfter } from './retry-after.ts';
import { createRouteTable, rawPath, type ApiRequest, type Route, type RouteMatch } from './route.ts';
import type { ChangeOnce } from './single-use.ts';

/** What a request meets on its way to its route's handler, and around it. */
interface RequestChecks {
  /** Takes the request through the steps of the pipeline. */
  readonly authenticate: (attempt: AuthenticationAttempt) => Promise<Principal>;
  /** Counts a request that has passed as so many. */
  readonly chargeRate: (attempt: AuthenticationAttempt, count: number) => Promise<void>;
  readonly trustedProxies: readonly Network[];
  readonly countFailure: ReturnType<typeof createFailureCount>;
  readonly changeOnce: ChangeOnce;
}

interface AppOptions {
  /** Dates the answers. */
  readonly clock: Clock;
  readonly log: Logger;
  /** True once the process drains: answers then ask the client to close its connection. */
  readonly isDraining: () => boolean;
  /** Called for each answer once it is sent, or its connection is lost. */
  readonly onAnswered: (answered: Answered) => void;
}

/** A summary of an answer, for metrics: the number of different values does not grow with clients, keys or orders. */
export interface Answered {
  /** Method and path of the route, such as `GET /api/v1/wallets/{id}`; `none` where none matched. */
  readonly route: string;
  readonly status: number;
  /** The envelope's code; `none` outside `/api/`, and {@link simulatedCode} of a failure for which a test workspace asked. */
  readonly code: string;
  /** Without the time that the request preferred to wait for orders. */
  readonly durationMs: number;
}

/** No answer takes longer. It is the longest wait that a client may prefer, and the time for the work around it. */
const answerTimeoutMs = 14_000;

/** The status that logs and metrics commonly give to a client that left before its answer; HTTP has none. */
const clientClosedStatus = 499;

/** The API: everything under `/api/` is authenticated, then routed, and answered in the envelope. */
export function createApp(routes: readonly Route[], checks: RequestChecks, options: AppOptions): RequestListener {
  const { clock, log, isDraining, onAnswered } = options;
  const app = express();
  const matchRoute = createRouteTable(routes);
  const bodyTurn = createBodyTurns();
  app.disable('x-powered-by');
  app.disable('etag');

  app.use(async (req, res, next) => {
    const noted = note(res, isDraining());
    observe(res, noted, onAnswered);
    const path = pathOf(req);
    if (path !== '/api' && !path.startsWith('/api/')) {
      res.setHeaders(new Map(Object.entries(noted.headers)));
      next();
      return;
    }
    const match = matchRoute(req.method, path);
    if (match !== undefined) noted.route = match.name;
    const answer = await inAnswerTime(match?.route.answerMaxMs ?? answerTimeoutMs, (time) =>
      inSpan(noted.route, { kind: 'server' }, () => answerApi({ req, res, path, match, time, bodyTurn }, checks)),
    );
    if (answer.isLost === true) {
      noted.code = simulatedCode;
      req.socket.destroy();
      return;
    }
    noted.code = successCode;
    sendEnvelope(res, 200, { ...noted.headers, ...answer.headers }, successEnvelope(answer.data, clock()));
  });
  app.use(docsPages(routes));
  app.use((_req, res) => {
    res.status(404).type('text/plain').send('There is nothing here; the API is under /api/.\n');
  });
  app.use(errorHandler(createFailureLog(log, checks.trustedProxies), clock));
  return (req, res) => {
    // Express parses a target before it calls any handler, and answers by itself if it cannot.
    if (!isWellFormed(req)) req.url = malformedTarget;
    app(req, res);
  };
}

/** As in HTTP, `*` is no path, and Express can parse it. */
const malformedTarget = '*';

/**
 * Whether the target is a path and query without a fragment, so that the path that was signed is the one that is routed.
 * (Node's parser refuses bytes beyond ASCII.) And whether it names the host as it has to. Source: RFC 9112, part 3.2.1.
 */
function isWellFormed(req: IncomingMessage): boolean {
  const { url = '' } = req;
  return url.startsWith('/') && !url.includes('#') && hostFault(req) === undefined;
}

/** What is noted about a request, in `res.locals`. */
interface Noted {
  route: string;
  code: string;
  /** How long it waited because its client prefers that. */
  waitedMs: number;
  /** The headers that every answer has, and what is known beside them whatever the answer will be. */
  headers: Readonly<Record<string, string>>;
}

function note(res: Response, isDraining: boolean): Noted {
  const headers = {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomUUID(),
    ...(isDraining ? { Connection: 'close' } : {}),
  };
  const noted: Noted = { route: 'none', code: 'none', waitedMs: 0, headers };
  res.locals = noted;
  return noted;
}

function observe(res: Response, noted: Noted, onAnswered: (answered: Answered) => void): void {
  const startedAt = performance.now();
  res.on('close', () => {
    const { route, code, waitedMs } = noted;
    const status = res.headersSent ? res.statusCode : clientClosedStatus;
    onAnswered({ route, code, status, durationMs: performance.now() - startedAt - waitedMs });
  });
}

interface Routed {
  readonly req: Request;
  readonly res: Response;
  readonly path: string;
  readonly match: RouteMatch | undefined;
  readonly time: AnswerTime;
  readonly bodyTurn: BodyTurn;
}

async function answerApi(routed: Routed, checks: RequestChecks) {
  const { route, request } = await receive(routed, checks).finally(() => bodyOf(routed.req)?.release());
  return 'prepare' in route ? checks.changeOnce(route, request) : route.handle(request);
}

/** Takes a request through the pipeline, and reads what it asks. */
async function receive({ req, res, path, match, time, bodyTurn }: Routed, checks: RequestChecks) {
  // Read now: a closed socket no longer has an address, and a client that hangs up is counted by its address all the same.
  const { remoteAddress: socketAddress } = req.socket;
  // A function, because few requests need it: those of a key with a whitelist, and failures.
  const findAddress = (): string | undefined =>
    clientAddress(socketAddress, forwardedFor(req.rawHeaders), checks.trustedProxies);
  const attempt: AuthenticationAttempt = {
    method: req.method,
    path,
    header: (name) => signingHeader(req.rawHeaders, name),
    clientAddress: findAddress,
    scope: match?.route.scope,
    alsoNeeds: match?.route.alsoNeeds,
    isOfTest: match?.route.isOfTest,
    readBody: () => {
      const body = readBody(req, res);
      return body instanceof Promise ? time.pausedDuring(body) : body;
    },
    timeLeftMs: time.leftMs,
  };
  let principal: Principal;
  try {
    principal = await checks.authenticate(attempt);
  } catch (error) {
    throw await checks.countFailure(error, findAddress(), socketAddress);
  }
  const { body, nonce, timestamp, rate } = attempt;
  // Only for the types: the pipeline's last step denies what no route declares, and earlier steps have set the rest.
  if (match === undefined || !(body instanceof Uint8Array) || nonce === undefined || timestamp === undefined)
    throw new ServiceError('ENDPOINT_UNKNOWN');
  const { route } = match;
  if (body.length > 0) checkMediaType(req);
  const turn = () => bodyTurn(principal.workspaceId);
  if (body.length > smallBodyBytesMax) await turn();
  const parsed = parsedBody(route, body);
  if (route.method === 'POST') refuseIdempotencyKey(req, parsed);
  const queryText = req.url.slice(path.length + 1);
  const query = queryText === '' ? {} : readQuery(queryText, Object.keys(route.operation.query?.shape ?? {}));
  const request: ApiRequest = {
    workspaceId: principal.workspaceId,
    scopes: principal.scopes,
    caller: () => ({ ...principal, remaining: rate?.remaining ?? 0, address: findAddress() }),
    signedRequest: { keyId: principal.keyId, timestamp: Number(timestamp), nonce },
    params: match.params,
    query,
    body: parsed,
    bodyTurn: turn,
    chargeRate: (count) => checks.chargeRate(attempt, count),
    locale: localeOf(req),
    prefer: headerToParse(req.headers, 'prefer'),
    timeLeftMs: time.leftMs,
    gone: () => goneSignal(res),
    hasWaited: (ms) => {
      (res.locals as unknown as Noted).waitedMs += ms;
    },
  };
  // Read, and not to be kept in memory for as long as the client waits.
  delete attempt.body;
  return { route, request };
}

function parsedBody({ operation, bodyValuesMax }: Route, body: Uint8Array): Record<string, unknown> | undefined {
  if (operation.body === undefined) return undefined;
  return operation.isBodyOptional === true && body.length === 0 ? {} : parseJsonObject(body, bodyValuesMax);
}

/** Aborted once the answer's connection is closed. Made only for the few requests that wait. */
function goneSignal(res: Response): AbortSignal {
  const gone = new AbortController();
  if (res.closed) gone.abort();
  else
    res.once('close', () => {
      gone.abort();
    });
  return gone.signal;
}

/** @throws ServiceError HOST_MISSING, HOST_MALFORMED, or REQUEST_MALFORMED if the target is no path. */
function pathOf(req: Request): string {
  const target = req.url;
  if (target === malformedTarget) {
    throw new ServiceError(hostFault(req) ?? 'REQUEST_MALFORMED');
  }
  return rawPath(target);
}

function errorHandler(logFailure: ReturnType<typeof createFailureLog>, clock: Clock): ErrorRequestHandler {
  const retryAfter = createRetryAfter();
  return (cause: unknown, req: Request, res: Response, next) => {
    const error = toServiceError(cause);
    const { status, code } = catalogue[error.errorName];
    const noted = res.locals as unknown as Noted;
    const requestId = noted.headers['X-Request-Id'];
    noted.code = error.isSimulated ? simulatedCode : code;
    logFailure(error, req, requestId);
    if (res.headersSent) {
      next(cause);
      return;
    }
    const headers = { ...noted.headers, ...failureHeaders(error, retryAfter(error)) };
    sendEnvelope(res, status, headers, errorEnvelope(error, localeOf(req), clock()));
  };
}

function localeOf({ headers }: IncomingMessage): string | undefined {
  return headerToParse(headers, 'x-locale');
}

function toServiceError(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  if (isTransientFault(cause)) return new ServiceError('UNAVAILABLE', { cause, server: 'mongodb' });
  return new ServiceError('INTERNAL_ERROR', { cause });
}
