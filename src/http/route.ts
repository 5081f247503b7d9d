import type { z } from 'zod';
import type { DeclaredScope } from '../auth/pipeline.ts';
import type { ErrorName } from '../errors.ts';
import type { Scope } from '../domain/scopes.ts';
import type { KeyRate } from '../storage/keys/api-keys.ts';
import type { SignedRequest } from '../orders/order.ts';
import type { Query } from './query.ts';

/*
 * To add an endpoint: declare its route in the resource's folder, name it in `api-routes.ts`, and test it. The
 * description of the API takes all that it says from the route's `operation`. To refuse a request, a handler throws a
 * ServiceError with a reason of `error-catalogue.ts`, which the operation's `errors` must name, and the field at fault. A
 * new reason goes there and, as a sentence, into `sentences.json`. A route that changes something is a ChangingRoute.
 */

/** A signed request that passed the pipeline, as a route's handler sees it. */
export interface ApiRequest {
  readonly workspaceId: string;
  /** Those of the key that signed it. */
  readonly scopes: ReadonlySet<Scope>;
  /** A function, because few endpoints need it. */
  readonly caller: () => Caller;
  readonly signedRequest: SignedRequest;
  /** The path's variable parts, raw: never decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The parsed JSON object; undefined for a method that carries no body. */
  readonly body: unknown;
  /** Resolves when the next part of a large body may be read. */
  readonly bodyTurn: () => Promise<void>;
  /**
   * Counts the request as so many against its key's rate, unless it counts as more already, by the size of its body.
   * @throws ServiceError KEY_RATE_EXCEEDED too few are left, and it stays counted as before; UNAVAILABLE.
   */
  readonly chargeRate: (count: number) => Promise<void>;
  /** The `X-LOCALE` header; undefined if there is none. */
  readonly locale: string | undefined;
  /** The `Prefer` header; undefined if there is none. */
  readonly prefer: string | undefined;
  /** Milliseconds until the request is answered, even if it has not been handled to its end. */
  readonly timeLeftMs: () => number;
  /** Aborted once nobody waits for the answer any more. */
  readonly gone: () => AbortSignal;
  /** Told how long the request has waited because it prefers to, which says nothing about how fast it was answered. */
  readonly hasWaited: (ms: number) => void;
}

/** For which workspace something is read, and how long that may take. */
export type ReadContext = Pick<ApiRequest, 'workspaceId' | 'timeLeftMs'>;

/** The key that signed the request. */
export interface Caller {
  readonly keyId: string;
  readonly ownerId: string;
  /** The key's own rate; undefined if the settings' rate for all keys applies. */
  readonly rate: KeyRate | undefined;
  /** How many more requests it may make this second, not counting its burst. */
  readonly remaining: number;
  /** Undefined where it is not known. */
  readonly address: string | undefined;
}

export interface ApiAnswer {
  /** The envelope's `data`. */
  readonly data: unknown;
  /** The connection is closed instead of an answer: a test workspace asks for it. */
  readonly isLost?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

export function replayedHeader(isReplay: boolean): Readonly<Record<string, string>> {
  return isReplay ? { 'Idempotent-Replayed': 'true' } : {};
}

/** A group of endpoints, as the description of the API shows it. */
export interface Tag {
  readonly name: string;
  /** In a sentence. */
  readonly description: string;
}

/** What the published description of the API says of an endpoint; the schemas are those that validate its requests. */
export interface Operation {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /**
   * In Markdown: what it does, how often it can be repeated, which ends there are, what to do next. Scopes, waiting and paging
   * are said for all that have them.
   */
  readonly description: string;
  readonly query?: z.ZodObject;
  /** With a name and an example as its metadata: `id`, `examples`. */
  readonly body?: z.ZodType;
  /** Whether nothing may come in place of an empty object. */
  readonly isBodyOptional?: true;
  /** Headers beyond those of every request and answer, with what each says. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** What a success holds as `data`; with a name and an example as its metadata: `id`, `examples`. */
  readonly answer: z.ZodType;
  /** Reasons beyond those that every request, or every one with a query or body, can meet. */
  readonly errors?: readonly ErrorName[];
}

/** The greatest size of a body of legs or lines, in bytes. */
export const legsBodyBytesMax = 512 * 1024;

interface Endpoint {
  readonly scope: DeclaredScope;
  /** A second scope that every request needs. */
  readonly alsoNeeds?: Scope;
  /** To keys of other workspaces than test workspaces it does not exist. */
  readonly isOfTest?: true;
  /** Such as `/api/v1/wallets/{id}`. */
  readonly path: string;
  /** How long its answer may take, where that is not the usual time. */
  readonly answerMaxMs?: number;
  readonly operation: Operation;
  /** The greatest size of its bodies in bytes, where it is not the usual one; only with a path that has no variable parts. */
  readonly bodyBytesMax?: number;
  /** The most keys and elements of its bodies, at all depths together, where it is not the usual number. */
  readonly bodyValuesMax?: number;
}

type Change = () => Promise<ApiAnswer>;
type Handler = (request: ApiRequest) => Promise<ApiAnswer>;

/** Changes nothing. */
export interface ReadingRoute extends Endpoint {
  readonly method: 'GET';
  readonly handle: Handler;
}

/** Changes something, once for each signed request, whatever became of the nonces in Redis. */
export interface ChangingRoute extends Endpoint {
  readonly method: 'POST';
  /**
   * Makes every check that can refuse without effect, and changes nothing.
   * @returns the change. It is called after the signed request was recorded as used (single-use.ts), and only then.
   */
  readonly prepare: (request: ApiRequest) => Change | Promise<Change>;
}

/** Says why its signed requests need no record of their own. */
interface UnrecordedRoute extends Endpoint {
  readonly method: 'POST';
  /** An order keeps the request that made it, under a unique index; or nothing changes, however often it comes. */
  readonly changes: 'orders' | 'nothing';
  readonly handle: Handler;
}

/** An endpoint. It cannot be declared without its scope, and what is not declared is denied. */
export type Route = ReadingRoute | ChangingRoute | UnrecordedRoute;

/** Makes the routes of a resource that share a scope, the begin of their paths and a tag; each has the end of its path. */
export function routesUnder(base: string, scope: DeclaredScope, tag: Tag) {
  type Described = Omit<Operation, 'tag'>;
  const shared = (end: string, operation: Described) => ({ scope, path: base + end, operation: { tag, ...operation } });
  return {
    get: (end: string, operation: Described, handle: Handler): ReadingRoute => {
      return { ...shared(end, operation), method: 'GET', handle };
    },
    post: (end: string, operation: Described, prepare: ChangingRoute['prepare']): ChangingRoute => {
      return { ...shared(end, operation), method: 'POST', prepare };
    },
  };
}

export interface RouteMatch {
  readonly route: Route;
  /** Method and path of the route, such as `GET /api/v1/wallets/{id}`. */
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds a request's route by method and raw path, to the letter: the path that is routed is the path that was signed.
 * (Express's router would decode it, and answer HEAD and OPTIONS on its own.) The first that matches wins.
 */
export function createRouteTable(routes: readonly Route[]): (method: string, path: string) => RouteMatch | undefined {
  const compiled = routes.map((route) => ({
    route,
    name: `${route.method} ${route.path}`,
    pattern: compile(route.path),
  }));
  return (method, path) => {
    for (const { route, name, pattern } of compiled) {
      const match = route.method === method ? pattern.exec(path) : null;
      if (match !== null) return { route, name, params: { ...match.groups } };
    }
    return undefined;
  };
}

/** What each route declares about the size of its bodies, by method and raw target; undefined if it declares nothing. */
export function createBodyLimits(
  routes: readonly Route[],
): (request: { method?: string | undefined; url?: string | undefined }) => number | undefined {
  const limits = new Map<string, number>(
    routes.flatMap(({ method, path, bodyBytesMax }) =>
      bodyBytesMax === undefined ? [] : [[`${method} ${path}`, bodyBytesMax] as const],
    ),
  );
  return ({ method = '', url = '' }) => limits.get(`${method} ${rawPath(url)}`);
}

/** A request's target up to its query. */
export function rawPath(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

function compile(path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}$`);
}
