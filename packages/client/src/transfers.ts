import type { NewTransfer, Order, OrderFilters } from './api.ts';
import { checkCount, checkMembers, checkText } from './check.ts';
import type { Send } from './connection.ts';
import { StillPendingError, TransferFailedError, UnexpectedAnswerError, UsageError } from './errors.ts';
import type { Answer } from './exchange.ts';
import { callOptionNames, itemsOf, type CallOptions } from './lists.ts';
import { pause } from './repeat.ts';

export interface WaitOptions extends CallOptions {
  /** How long to wait for the order's end, in milliseconds; a try begun before may take its own time-out. Default 60,000. */
  readonly timeoutMs?: number;
}

/** A create under way: a promise of the order as the service stored it. */
export interface Creation extends Promise<Order> {
  /** Known before anything is sent: keep it where a crash of yours must not create a second transfer. */
  readonly bizId: string;
  /** As {@link Transfers.completed}, once it is created. */
  completed(options?: WaitOptions): Promise<Order>;
}

/** Transfer orders. Scopes: transfer:create to create, transfer:read for all else. */
export interface Transfers {
  /** Safe to repeat, here and by you with the same bizId: it is created once. */
  create(transfer: NewTransfer, options?: CallOptions): Creation;
  /** @param id the transferId or the bizId. */
  get(id: string, options?: CallOptions): Promise<Order>;
  /**
   * Waits until the order is COMPLETED, by long-poll.
   * @throws TransferFailedError where it ends FAILED; StillPendingError where it has no end in time; the last try's error
   * where the service did not tell.
   */
  completed(id: string, options?: WaitOptions): Promise<Order>;
  /** Newest first. */
  list(filters?: OrderFilters, options?: CallOptions): AsyncIterable<Order>;
  /** Those of one wallet, as source or target; newest first. */
  listOfWallet(walletId: string, filters?: OrderFilters, options?: CallOptions): AsyncIterable<Order>;
}

const createPath = '/api/v1/transfer/command/create';
const ordersPath = '/api/v1/transfer/query/orders';
const filterNames = ['status', 'currency', 'from', 'to'];
const waitDefaultMs = 60_000;
const waitMaxMs = 24 * 60 * 60_000;
/** What the service waits at most. */
const waitSecondsMax = 10;
/** Between a try's time-out and the end of the wait that is asked for in it. */
const answerMarginMs = 5_000;
/** Between questions to a service that answers PENDING without having waited. */
const pollMs = 500;

/** @param timeoutMs of one try. */
export function transfersOf(send: Send, timeoutMs: number): Transfers {
  async function create(transfer: NewTransfer, bizId: string, options: CallOptions): Promise<Order> {
    checkMembers('The options of a create', options, callOptionNames);
    checkTransfer(transfer);
    const body = { ...transfer, bizId };
    return orderIn(await send('POST', createPath, { body, signal: options.signal, isRepeatable: true }));
  }

  async function get(id: string, options: CallOptions, waitSeconds = 0, untilMs?: number): Promise<Order> {
    checkMembers('The options of a read', options, callOptionNames);
    const headers = waitSeconds > 0 ? { headers: { Prefer: `wait=${waitSeconds}` } } : {};
    const request = { path: { id }, signal: options.signal, ...headers };
    return orderIn(await send('GET', `${ordersPath}/{id}`, request, untilMs));
  }

  async function settled(id: string, options: WaitOptions): Promise<Order> {
    checkMembers('The options of completed', options, ['timeoutMs', ...callOptionNames]);
    const waitMs = options.timeoutMs ?? waitDefaultMs;
    checkCount('timeoutMs', waitMs, 0, waitMaxMs);
    const end = performance.now() + waitMs;
    for (;;) {
      const askedAt = performance.now();
      const longestMs = Math.min(end - askedAt, timeoutMs - answerMarginMs, waitSecondsMax * 1000);
      const order = await get(id, { signal: options.signal }, Math.max(0, Math.floor(longestMs / 1000)), end);
      if (order.status === 'COMPLETED') return order;
      if (order.status === 'FAILED') throw new TransferFailedError(order);
      const now = performance.now();
      if (now >= end) throw new StillPendingError(order, waitMs);
      await pause(Math.max(0, Math.min(askedAt + pollMs, end) - now), options.signal);
    }
  }

  const completed: Transfers['completed'] = (id, options = {}) => settled(id, options);
  return {
    create(transfer, options = {}) {
      const bizId = (transfer as NewTransfer | undefined)?.bizId ?? crypto.randomUUID();
      const created = create(transfer, bizId, options);
      const end: Creation['completed'] = async (wait = {}) => {
        const { transferId } = await created;
        return completed(transferId, wait);
      };
      return Object.assign(created, { bizId, completed: end });
    },
    get: (id, options = {}) => get(id, options),
    completed,
    list: (filters = {}, options = {}) => itemsOf(send, { template: ordersPath, filters, known: filterNames, options }),
    listOfWallet: (id, filters = {}, options = {}) =>
      itemsOf(send, {
        template: `${ordersPath}/wallet/{id}`,
        path: { id },
        ...{ filters, known: filterNames, options },
      }),
  };
}

function checkTransfer(transfer: NewTransfer): void {
  const required = ['sourceWalletId', 'targetWalletId', 'amount', 'currency'] as const;
  checkMembers('A transfer', transfer, [...required, 'bizId']);
  if (typeof transfer.amount === 'number') {
    throw new UsageError("amount must be a decimal text, such as '1.10': a number would lose digits.");
  }
  for (const name of required) checkText(name, transfer[name]);
  if (transfer.bizId !== undefined) checkText('bizId', transfer.bizId);
}

function orderIn({ data, status }: Answer<unknown>): Order {
  const { transferId, status: state } = (data ?? {}) as Partial<Record<'transferId' | 'status', unknown>>;
  if (typeof transferId === 'string' && typeof state === 'string') return data as Order;
  throw new UnexpectedAnswerError('The answer holds no transfer order.', { status, text: JSON.stringify(data) });
}
