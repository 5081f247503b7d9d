/* The form of the cases, as README.md describes it. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export interface Case {
  readonly name: string;
  readonly needs?: readonly string[];
  readonly client?: { readonly baseUrl?: string; readonly apiKey?: string; readonly apiSecret?: string };
  readonly options?: JsonObject;
  readonly random?: number;
  readonly server?: ServerClock;
  readonly answers?: readonly Answer[];
  readonly calls: readonly Call[];
  readonly sideBySide?: boolean;
  readonly requests?: readonly (ExpectedRequest | RepeatedRequest)[];
  readonly anyOrder?: boolean;
}

export interface ServerClock {
  readonly clockOffSeconds: number;
  readonly clockRefusals?: readonly { readonly heldUntilRequests?: number }[];
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message?: string;
  readonly reason?: string;
  readonly field?: string;
  readonly value?: string;
  readonly requestId?: string;
  readonly retryAfter?: string;
  readonly clockOffSeconds?: number;
}

type Headers = Readonly<Record<string, string>>;
type When = 'before' | 'within';

export type Played =
  | { readonly data: Json }
  | { readonly orders: JsonObject }
  | { readonly refuse: Refusal }
  | { readonly raw: { readonly status: number; readonly headers?: Headers; readonly body: string } }
  | { readonly breaks: When }
  | { readonly hangs: When }
  | { readonly drips: true };

export type Answer = Played & {
  readonly times?: number | 'any';
  readonly when?: { readonly path: string };
  readonly heldUntilRequests?: number;
};

export interface Call {
  readonly call: string;
  readonly client?: string;
  readonly arguments?: JsonObject;
  readonly result?: Json;
  readonly error?: JsonObject;
  readonly before?: Json;
  readonly sent?: Json;
  readonly pausesMs?: Json;
  readonly abortAfterRequests?: number;
}

export interface ExpectedRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: JsonObject;
  readonly body?: Json;
  readonly headers?: JsonObject;
  readonly bodyBytesMax?: number;
  readonly afterMs?: number;
  readonly clockOffSeconds?: number;
  readonly count?: number;
}

export interface RepeatedRequest {
  readonly sameAs: number;
  readonly afterMs?: number;
  readonly clockOffSeconds?: number;
  readonly count?: number;
}

/** A case with its place. */
export interface NamedCase extends Case {
  readonly group: string;
}
