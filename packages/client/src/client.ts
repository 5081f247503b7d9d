import type { DataOf, Key, PathOf } from './api.ts';
import { checkMembers } from './check.ts';
import { connect, type RequestOptions } from './connection.ts';
import type { Answer } from './exchange.ts';
import { callOptionNames, type CallOptions } from './lists.ts';
import { readSettings, type ClientOptions } from './settings.ts';
import { hmacKey } from './sign.ts';
import { transfersOf, type Transfers } from './transfers.ts';
import { walletsOf, type Wallets } from './wallets.ts';
import { webhooksOf, type Webhooks } from './webhooks.ts';

export interface Client {
  readonly wallet: Wallets;
  readonly transfer: Transfers;
  readonly webhook: Webhooks;
  /** The key that signs: its workspace and scopes, what is left of its rate, and the currencies. Any scope. */
  key(options?: CallOptions): Promise<Key>;
  /** Any endpoint, such as request('GET', '/api/v1/wallets/{id}', { path: { id } }); typed where the API describes it. */
  request<Path extends PathOf<'GET'>>(method: 'GET', path: Path, options?: RequestOptions): Answered<'GET', Path>;
  request<Path extends PathOf<'POST'>>(method: 'POST', path: Path, options?: RequestOptions): Answered<'POST', Path>;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer<unknown>>;
}

type Answered<Method extends 'GET' | 'POST', Path extends PathOf<Method>> = Promise<Answer<DataOf<Method, Path>>>;

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
    async key(options = {}) {
      checkMembers('The options of a read', options, callOptionNames);
      return (await send('GET', '/api/v1/key', { signal: options.signal })).data as Key;
    },
    request: (method: string, path: string, request?: RequestOptions) => send(method, path, request) as Promise<never>,
  };
}
