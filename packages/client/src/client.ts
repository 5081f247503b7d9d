import type { Key } from './api.ts';
import { checkMembers } from './check.ts';
import { connect, type RequestOptions } from './connection.ts';
import type { DataOf, Method, OptionsOf, PathOf } from './endpoints.ts';
import type { Answer } from './exchange.ts';
import { callOptionNames, type CallOptions } from './lists.ts';
import { readSettings, type ClientOptions } from './settings.ts';
import { hmacKey } from './sign.ts';
import { testingOf, type Testing } from './testing.ts';
import { transfersOf, type Transfers } from './transfers.ts';
import { walletsOf, type Wallets } from './wallets.ts';
import { webhooksOf, type Webhooks } from './webhooks.ts';

export interface Client {
  readonly wallet: Wallets;
  readonly transfer: Transfers;
  readonly webhook: Webhooks;
  /** Of test workspaces alone. */
  readonly test: Testing;
  /** The key that signs: its workspace and scopes, what is left of its rate, and the currencies. Any scope. */
  key(options?: CallOptions): Promise<Key>;
  /**
   * Any endpoint that this version knows, its path written as the API describes it and its ids beside it:
   * request('GET', '/api/v1/wallets/{id}', { path: { id } }).
   */
  request<Of extends Method, Path extends PathOf<Of>>(
    method: Of,
    path: Path,
    ...options: Given<OptionsOf<Of, Path>>
  ): Promise<Answer<DataOf<Of, Path>>>;
  /** The same for an endpoint that only a later service has: nothing is checked, and what it answers is not known. */
  requestUntyped(method: string, path: string, options?: RequestOptions): Promise<Answer<unknown>>;
}

/** Options may be left out where none of them is required. */
type Given<Options> = Partial<Options> extends Options ? [options?: Options] : [options: Options];

/**
 * A client of one API key. Calls may run side by side. Each is signed anew at each try, and sent again after 429, 502,
 * 503, 504, a time-out or a broken connection if that is safe. Nothing is logged, and the secret cannot be read out of the client.
 * @throws UsageError at once where an option is missing, unknown or not of its form.
 */
export function createClient(options: ClientOptions): Client {
  const settings = readSettings(options);
  const send = connect(settings, hmacKey(options.apiSecret));
  return {
    wallet: walletsOf(send),
    transfer: transfersOf(send, settings.timeoutMs),
    webhook: webhooksOf(send),
    test: testingOf(send),
    async key(options = {}) {
      checkMembers('The options of a read', options, callOptionNames);
      return (await send('GET', '/api/v1/key', { signal: options.signal })).data as Key;
    },
    request: (method: Method, path: string, ...[options]: readonly (object | undefined)[]) =>
      send(method, path, options) as Promise<never>,
    requestUntyped: (method, path, options) => send(method, path, options),
  };
}
