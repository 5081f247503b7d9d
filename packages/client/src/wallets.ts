import type {
  Balance,
  BalanceMoment,
  Flow,
  FlowFilters,
  NewAlert,
  NewLimit,
  NewWallet,
  StatementRange,
  Wallet,
  WalletAlerts,
  WalletFilters,
  WalletLimits,
  WalletUpdate,
} from './api.ts';
import { checkDecimal, checkList, checkMembers, checkText, checkTime } from './check.ts';
import type { RequestOptions, Send } from './connection.ts';
import { callOptionNames, itemsOf, type CallOptions } from './lists.ts';
import { statementOf, type Statement } from './statements.ts';

/**
 * The workspace's wallets. Scope: wallet:read to read, wallet:manage to make and change them. All but a create without a
 * reference is safe to repeat, and is sent again as reads are.
 */
export interface Wallets {
  /**
   * Makes a wallet. With a `reference`, your own key of it, this is safe to repeat: the workspace has one wallet of each
   * reference, and a repetition gives it as it stands now. Without one each request makes another wallet, so it is sent again
   * only after 429. A `creditLimit` above zero needs transfer:fund too.
   * @throws ApiError WALLET_REFERENCE_CONFLICT where the reference is that of a wallet of another currency.
   */
  create(wallet: NewWallet, options?: CallOptions): Promise<Wallet>;
  /** It takes part in no transfer until it is unfrozen. @throws ApiError WALLET_STATE_CONFLICT where it is closed. */
  freeze(id: string, options?: CallOptions): Promise<Wallet>;
  /** @throws ApiError WALLET_STATE_CONFLICT where it is closed. */
  unfreeze(id: string, options?: CallOptions): Promise<Wallet>;
  /** For good. @throws ApiError WALLET_NOT_EMPTY where it has a balance, or holds reserve some of it. */
  close(id: string, options?: CallOptions): Promise<Wallet>;
  /**
   * How far its balance may be below zero. Scope: wallet:manage and transfer:fund.
   * @param creditLimit a decimal text, such as '250.00'; zero too.
   * @throws ApiError CREDIT_LIMIT_IN_USE where the wallet uses more; WALLET_STATE_CONFLICT where it is closed.
   */
  limit(id: string, creditLimit: string, options?: CallOptions): Promise<Wallet>;
  /**
   * Changes its name, its metadata, or both; metadata replaces all that there is.
   * @throws ApiError WALLET_STATE_CONFLICT where it is closed.
   */
  update(id: string, values: WalletUpdate, options?: CallOptions): Promise<Wallet>;
  /** What may go out of it, and how much of that is used. */
  limits(id: string, options?: CallOptions): Promise<WalletLimits>;
  /**
   * All its limits, in place of those that there are: what would pass one ends FAILED as LIMIT_EXCEEDED.
   * @throws ApiError WALLET_STATE_CONFLICT where it is closed.
   */
  setLimits(id: string, limits: readonly NewLimit[], options?: CallOptions): Promise<WalletLimits>;
  /** What webhooks are told of it, and whether it is so. */
  alerts(id: string, options?: CallOptions): Promise<WalletAlerts>;
  /**
   * All its alerts, in place of those that there are. One that is set again as it was keeps its state.
   * @throws ApiError WALLET_STATE_CONFLICT where it is closed.
   */
  setAlerts(id: string, alerts: readonly NewAlert[], options?: CallOptions): Promise<WalletAlerts>;
  /** Newest first. */
  list(filters?: WalletFilters, options?: CallOptions): AsyncIterable<Wallet>;
  get(id: string, options?: CallOptions): Promise<Wallet>;
  /**
   * Now, or with `at` (a Date, or ISO 8601 with zone) at a moment that has passed: that moment's flows included, `held` and `available`
   * null, and final if `settledUntil` is not before it.
   */
  balance(id: string, options?: BalanceMoment & CallOptions): Promise<Balance>;
  /** What moved, newest first. */
  flows(id: string, filters?: FlowFilters, options?: CallOptions): AsyncIterable<Flow>;
  /**
   * What moved in a range of time that has passed, `from` inclusive, `to` exclusive: its figures, to iterate for its entries.
   * Scope: wallet:read and transfer:read.
   */
  statement(id: string, range: StatementRange, options?: CallOptions): Promise<Statement>;
}

const listPath = '/api/v1/wallets';
const onePath = `${listPath}/{id}`;

export function walletsOf(send: Send): Wallets {
  async function call<Made = Wallet>(template: string, options: CallOptions, request: RequestOptions): Promise<Made> {
    checkMembers('The options of a call', options, callOptionNames);
    return (await send('POST', template, { ...request, signal: options.signal })).data as Made;
  }
  async function read<Data>(template: string, id: string, options: CallOptions): Promise<Data> {
    checkMembers('The options of a read', options, callOptionNames);
    return (await send('GET', template, { path: { id }, signal: options.signal })).data as Data;
  }
  const changing =
    (verb: 'freeze' | 'unfreeze' | 'close') =>
    (id: string, options: CallOptions = {}): Promise<Wallet> =>
      call(`${onePath}/${verb}`, options, { path: { id }, isRepeatable: true });

  return {
    async create(wallet, options = {}) {
      checkMembers('A wallet', wallet, ['currency', 'name', 'reference', 'metadata', 'creditLimit']);
      const { currency, reference, creditLimit } = wallet;
      checkText('currency', currency);
      if (reference !== undefined) checkText('reference', reference);
      if (creditLimit !== undefined) checkDecimal('creditLimit', creditLimit);
      return call(listPath, options, { body: wallet, isRepeatable: reference !== undefined });
    },
    freeze: changing('freeze'),
    unfreeze: changing('unfreeze'),
    close: changing('close'),
    async limit(id, creditLimit, options = {}) {
      checkDecimal('creditLimit', creditLimit);
      return call(`${onePath}/limit`, options, { path: { id }, body: { creditLimit }, isRepeatable: true });
    },
    async update(id, values, options = {}) {
      checkMembers('An update of a wallet', values, ['name', 'metadata']);
      return call(`${onePath}/update`, options, { path: { id }, body: values, isRepeatable: true });
    },
    limits: (id, options = {}) => read(`${onePath}/limits`, id, options),
    async setLimits(id, limits, options = {}) {
      checkList('limits', limits, ['amount']);
      return call(`${onePath}/limits`, options, { path: { id }, body: { limits }, isRepeatable: true });
    },
    alerts: (id, options = {}) => read(`${onePath}/alerts`, id, options),
    async setAlerts(id, alerts, options = {}) {
      checkList('alerts', alerts, ['availableBelow', 'availableAbove']);
      return call(`${onePath}/alerts`, options, { path: { id }, body: { alerts }, isRepeatable: true });
    },
    list: (filters = {}, options = {}) =>
      itemsOf(send, { template: listPath, filters, known: ['currency', 'status', 'reference'], options }),
    get: (id, options = {}) => read(onePath, id, options),
    async balance(id, options = {}) {
      checkMembers('The options of a balance', options, ['at', ...callOptionNames]);
      const { at, signal } = options;
      if (at !== undefined) checkTime('at', at);
      return (await send('GET', `${onePath}/balance`, { path: { id }, query: { at }, signal })).data as Balance;
    },
    flows: (id, filters = {}, options = {}) =>
      itemsOf(send, {
        template: `${onePath}/flows`,
        path: { id },
        ...{ filters, known: ['direction', 'from', 'to'], options },
      }),
    statement: (id, range, options = {}) => statementOf(send, id, range, options),
  };
}
