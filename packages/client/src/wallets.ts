import type { Balance, Flow, FlowFilters, Wallet, WalletFilters } from './api.ts';
import { checkMembers } from './check.ts';
import type { Send } from './connection.ts';
import { callOptionNames, itemsOf, type CallOptions } from './lists.ts';

/** Reads of the workspace's wallets. Scope: wallet:read. */
export interface Wallets {
  /** Newest first. */
  list(filters?: WalletFilters, options?: CallOptions): AsyncIterable<Wallet>;
  get(id: string, options?: CallOptions): Promise<Wallet>;
  balance(id: string, options?: CallOptions): Promise<Balance>;
  /** What moved, newest first. */
  flows(id: string, filters?: FlowFilters, options?: CallOptions): AsyncIterable<Flow>;
}

export function walletsOf(send: Send): Wallets {
  const read = async <Data>(template: string, id: string, options: CallOptions): Promise<Data> => {
    checkMembers('The options of a read', options, callOptionNames);
    return (await send('GET', template, { path: { id }, signal: options.signal })).data as Data;
  };
  return {
    list: (filters = {}, options = {}) =>
      itemsOf(send, { template: '/api/v1/wallets', filters, known: ['currency', 'status'], options }),
    get: (id, options = {}) => read('/api/v1/wallets/{id}', id, options),
    balance: (id, options = {}) => read('/api/v1/wallets/{id}/balance', id, options),
    flows: (id, filters = {}, options = {}) =>
      itemsOf(send, {
        template: '/api/v1/wallets/{id}/flows',
        path: { id },
        ...{ filters, known: ['direction', 'from', 'to'], options },
      }),
  };
}
