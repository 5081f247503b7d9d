import type { z } from 'zod';
import type { ErrorName } from '../errors.ts';
import type { Scope } from '../storage/api-keys.ts';
import type { SignedRequest } from '../storage/orders.ts';
import type { ResourceName } from './resources.ts';

/** A signed request that passed the pipeline, as a route's handler sees it. */
export interface ApiRequest {
  readonly workspaceId: string;
  readonly signedRequest: SignedRequest;
  /** The path's variable parts, raw: never decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed JSON object; undefined for a method that carries no body. */
  readonly body: unknown;
  /** The `Prefer` header; undefined where there is none. */
  readonly prefer: string | undefined;
  /** Until the request is answered without having been handled to its end. */
  readonly timeLeftMs: () => number;
}

export interface ApiAnswer {
  /** The envelope's `data`. */
  readonly data: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the published description of the API says of an endpoint; the schemas are those that validate its requests. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Headers beyond those of every request and answer, with what each says. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** The resource that a success holds as `data`. */
  readonly answer: ResourceName;
  /** Errors beyond those that every endpoint can answer, and those of a query or body. */
  readonly errors?: readonly ErrorName[];
}

/** An endpoint. It cannot be declared without its scope, and what is not declared is denied. */
export interface Route {
  readonly scope: Scope;
  readonly method: 'GET' | 'POST';
  /** Such as `/api/v1/wallets/{id}`. */
  readonly path: string;
  readonly operation: Operation;
  readonly handle: (request: ApiRequest) => Promise<ApiAnswer>;
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

function compile(path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}$`);
}
