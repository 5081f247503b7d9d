import type {
  CaptureOrder,
  DepositOrder,
  HoldOrder,
  JournalOrder,
  NewCapture,
  NewDeposit,
  NewHold,
  NewJournal,
  NewOrder,
  NewRelease,
  NewReversal,
  NewTransfer,
  NewWithdrawal,
  Order,
  OrderFilters,
  Preview,
  ReleaseOrder,
  ReversalOrder,
  TransferOrder,
  WithdrawalOrder,
} from './api.ts';
import { batchesOf, type BatchOptions, type BatchResult } from './batches.ts';
import { amountsIn, checkCount, checkDecimal, checkMembers, checkText } from './check.ts';
import type { Send } from './connection.ts';
import { StillPendingError, TransferCancelledError, TransferFailedError, UsageError } from './errors.ts';
import { unexpectedData, type Answer } from './exchange.ts';
import { callOptionNames, itemsOf, type CallOptions } from './lists.ts';
import { pause } from './repeat.ts';
import { waitHeader, waitSecondsMax } from './wait.ts';

export interface WaitOptions extends CallOptions {
  /** How long to wait for the order's end, in milliseconds; a try begun before may take its own time-out. Default 60,000. */
  readonly timeoutMs?: number;
}

export interface CreationOptions extends CallOptions {
  /** For how many seconds the request itself waits for the order's end, 0 to 10. Default 0. Look at the order's `status`. */
  readonly waitSeconds?: number;
}

/** An order that is being made: a promise of the order as the service stored it. */
export interface Creation<Made extends Order = Order> extends Promise<Made> {
  /** Known before anything is sent: keep it where a crash of yours must not make a second order. */
  readonly bizId: string;
  /** As {@link Transfers.completed}, once it is created; nothing is asked where it has ended by then. */
  completed(options?: WaitOptions): Promise<Made>;
}

/**
 * Orders of every type. Scope: transfer:read to read; to make one, that of the method. Making one is safe to repeat, here and
 * by you with the same bizId: it is made once.
 */
export interface Transfers {
  /** Moves an amount between two wallets, with `executeAt` not before that time. Scope: transfer:create. */
  create(transfer: NewTransfer, options?: CreationOptions): Creation<TransferOrder>;
  /**
   * Moves each of its legs in their order, of any currencies, or none. Scope: transfer:create; with a leg from or to the world
   * outside transfer:fund too.
   */
  journal(journal: NewJournal, options?: CreationOptions): Creation<JournalOrder>;
  /**
   * Makes many orders, of an iterable of any length, each a transfer or what its `type` says, in as few requests as take them; a line that is refused keeps none of the
   * others out. A request is sent once the results before it were taken, and no more lines are held than it has. Each line
   * without a bizId gets one before it is sent. Scope: transfer:create, and what the type of a line needs.
   * @returns what became of each line, in order. It ends early with an error as `create` does, once a request was tried in vain:
   * those of its lines may have been made, so give them again with the same bizIds.
   * @throws UsageError at a line that cannot be sent: the results before it were told, and nothing after them was sent.
   */
  batch(transfers: Iterable<NewOrder> | AsyncIterable<NewOrder>, options?: BatchOptions): AsyncIterable<BatchResult>;
  /**
   * How an order would end if it was posted now, a transfer or what its `type` says; nothing is stored. Scope: transfer:create and
   * wallet:read, and what its type needs.
   */
  preview(order: NewOrder, options?: CallOptions): Promise<Preview>;
  /**
   * Cancels an order that is SCHEDULED, for good. Safe to repeat: one that is CANCELLED stays so. Scope: transfer:create.
   * @param id the transferId or the bizId.
   * @throws ApiError ORDER_STATE_CONFLICT where its time came first.
   */
  cancel(id: string, options?: CallOptions): Promise<Order>;
  /** Brings an amount in from the world outside. Scope: transfer:fund. */
  deposit(deposit: NewDeposit, options?: CreationOptions): Creation<DepositOrder>;
  /** Takes an amount out to the world outside. Scope: transfer:fund. */
  withdraw(withdrawal: NewWithdrawal, options?: CreationOptions): Creation<WithdrawalOrder>;
  /**
   * Moves back all or part of what an order moved, of one with legs all of them or some. Scope: transfer:reverse; of what came from
   * or went to the world outside transfer:fund too.
   */
  reverse(reversal: NewReversal, options?: CreationOptions): Creation<ReversalOrder>;
  /** Reserves an amount, to be captured later. Scope: transfer:hold; without a target transfer:fund too. */
  hold(hold: NewHold, options?: CreationOptions): Creation<HoldOrder>;
  /** Moves all or part of what a hold reserves, by `legs` to several wallets; the rest is released, unless `final` is false. Scope: transfer:hold. */
  capture(capture: NewCapture, options?: CreationOptions): Creation<CaptureOrder>;
  /** Gives back all or part of what a hold reserves. Scope: transfer:hold. */
  release(release: NewRelease, options?: CreationOptions): Creation<ReleaseOrder>;
  /** @param id the transferId or the bizId. */
  get(id: string, options?: CallOptions): Promise<Order>;
  /**
   * Waits until the order is COMPLETED, by long-poll.
   * @throws TransferFailedError where it ends FAILED; TransferCancelledError where it was cancelled; StillPendingError where it
   * has no end in time; the last try's error where the service did not tell.
   */
  completed(id: string, options?: WaitOptions): Promise<Order>;
  /** Newest first. */
  list(filters?: OrderFilters, options?: CallOptions): AsyncIterable<Order>;
  /** Those of one wallet, as source or target; newest first. */
  listOfWallet(walletId: string, filters?: OrderFilters, options?: CallOptions): AsyncIterable<Order>;
}

const commandsPath = '/api/v1/transfer/command';
const ordersPath = '/api/v1/transfer/query/orders';
const filterNames = ['status', 'currency', 'type', 'reference', 'parentId', 'batchId', 'from', 'to'];
const notes = ['bizId', 'description', 'reference', 'metadata'];
const [ofSource, ofTarget, ofAmount] = ['sourceWalletId', 'targetWalletId', ['amount', 'currency']];
const later = ['executeAt', ...notes];
/** What each command makes and takes: what it must have, and what it may. */
const commands = {
  create: { type: 'TRANSFER', required: [ofSource, ofTarget, ...ofAmount], optional: later },
  deposit: { type: 'DEPOSIT', required: [ofTarget, ...ofAmount], optional: later },
  withdraw: { type: 'WITHDRAWAL', required: [ofSource, ...ofAmount], optional: later },
  journal: { type: 'JOURNAL', required: ['legs'], optional: later },
  reverse: { type: 'REVERSAL', required: ['transferId'], optional: ['amount', 'legs', ...notes] },
  hold: { type: 'HOLD', required: [ofSource, ...ofAmount], optional: [ofTarget, 'expiresAt', ...notes] },
  capture: { type: 'CAPTURE', required: ['transferId'], optional: ['amount', 'legs', 'final', ...notes] },
  release: { type: 'RELEASE', required: ['transferId'], optional: ['amount', ...notes] },
} as const;
type Command = keyof typeof commands;
const waitDefaultMs = 60_000;
const waitMaxMs = 24 * 60 * 60_000;
/** Between questions to a service that answers PENDING without having waited. */
const pollMs = 500;
/** The same while an order is SCHEDULED, for which the service does not wait: until its time, but no longer than this. */
const scheduledPollMs = 10_000;

/** @param timeoutMs of one try. */
export function transfersOf(send: Send, timeoutMs: number): Transfers {
  async function run(command: Command, body: Body, bizId: string, options: CreationOptions): Promise<Order> {
    checkMembers(`The options of ${command}`, options, ['waitSeconds', ...callOptionNames]);
    const { waitSeconds = 0, signal } = options;
    checkCount('waitSeconds', waitSeconds, 0, waitSecondsMax);
    checkBody(command, body);
    const headers = waitHeader(waitSeconds, timeoutMs);
    const request = { body: { ...body, bizId }, headers, signal, isRepeatable: true };
    return orderIn(await send('POST', `${commandsPath}/${command}`, request));
  }

  function making<Made extends Order>(command: Command) {
    return (body: Body, options: CreationOptions = {}): Creation<Made> => {
      const bizId = (body as Body | undefined)?.bizId ?? crypto.randomUUID();
      const made = run(command, body, bizId, options) as Promise<Made>;
      const end: Creation<Made>['completed'] = async (wait = {}) => {
        const order = await made;
        return hasEnded(order) ? order : (completed(order.transferId, wait) as Promise<Made>);
      };
      return Object.assign(made, { bizId, completed: end });
    };
  }

  async function preview(order: NewOrder, options: CallOptions): Promise<Preview> {
    checkMembers('The options of preview', options, callOptionNames);
    const { type, ...body } = Object(order) as Body;
    checkBody(commandOf(type), body);
    const request = { body: order, signal: options.signal, isRepeatable: true };
    return (await send('POST', `${commandsPath}/preview`, request)).data as Preview;
  }

  async function cancel(transferId: string, options: CallOptions): Promise<Order> {
    checkMembers('The options of cancel', options, callOptionNames);
    checkText('transferId', transferId);
    const request = { body: { transferId }, signal: options.signal, isRepeatable: true };
    return orderIn(await send('POST', `${commandsPath}/cancel`, request));
  }

  async function get(id: string, options: CallOptions, waitSeconds = 0, untilMs = Infinity): Promise<Order> {
    checkMembers('The options of a read', options, callOptionNames);
    const request = { path: { id }, signal: options.signal, headers: waitHeader(waitSeconds, timeoutMs) };
    return orderIn(await send('GET', `${ordersPath}/{id}`, request, { untilMs }));
  }

  async function settled(id: string, options: WaitOptions): Promise<Order> {
    checkMembers('The options of completed', options, ['timeoutMs', ...callOptionNames]);
    const waitMs = options.timeoutMs ?? waitDefaultMs;
    checkCount('timeoutMs', waitMs, 0, waitMaxMs);
    const end = performance.now() + waitMs;
    for (;;) {
      const askedAt = performance.now();
      const order = await get(id, { signal: options.signal }, (end - askedAt) / 1000, end);
      if (hasEnded(order)) return order;
      const now = performance.now();
      if (now >= end) throw new StillPendingError(order, waitMs);
      await pause(Math.max(0, Math.min(askedAt + pauseOf(order), end) - now), options.signal);
    }
  }

  const completed: Transfers['completed'] = (id, options = {}) => settled(id, options);
  return {
    create: making('create'),
    deposit: making('deposit'),
    withdraw: making('withdraw'),
    journal: making('journal'),
    reverse: making('reverse'),
    hold: making('hold'),
    capture: making('capture'),
    release: making('release'),
    batch: batchesOf(send, timeoutMs),
    preview: (order, options = {}) => preview(order, options),
    cancel: (id, options = {}) => cancel(id, options),
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

/** Whether it is COMPLETED. @throws what tells of another end. */
function hasEnded(order: Order): boolean {
  if (order.status === 'FAILED') throw new TransferFailedError(order);
  if (order.status === 'CANCELLED') throw new TransferCancelledError(order);
  return order.status === 'COMPLETED';
}

/** How long to wait before an order is asked for again. */
function pauseOf({ status, executeAt }: Order): number {
  if (status !== 'SCHEDULED' || executeAt === null) return pollMs;
  return Math.max(pollMs, Math.min(Date.parse(executeAt) - Date.now(), scheduledPollMs));
}

type Body = Partial<Record<string, unknown>> &
  Partial<Record<'amount' | 'legs', unknown>> & { readonly bizId?: string };

/** The command that makes orders of a type. @throws UsageError where none does. */
function commandOf(type: unknown = 'TRANSFER'): Command {
  const names = Object.keys(commands) as Command[];
  const found = names.find((name) => commands[name].type === type);
  if (found !== undefined) return found;
  throw new UsageError(`type must be one of ${names.map((name) => commands[name].type).join(', ')}.`);
}

function checkBody(command: Command, body: Body): void {
  const { required, optional } = commands[command];
  checkMembers(command === 'create' ? 'A transfer' : `What ${command} takes`, body, [...required, ...optional]);
  for (const [place, amount] of amountsIn(body)) checkDecimal(place, amount);
  for (const name of required) {
    if (name !== 'legs') checkText(name, body[name]);
    else if (!Array.isArray(body[name])) throw new UsageError('legs is required: a list of what to move.');
  }
  if (body.bizId !== undefined) checkText('bizId', body.bizId);
}

function orderIn({ data, status }: Answer<unknown>): Order {
  const { transferId, status: state } = (data ?? {}) as Partial<Record<'transferId' | 'status', unknown>>;
  if (typeof transferId === 'string' && typeof state === 'string') return data as Order;
  throw unexpectedData('The answer has no order.', status, data);
}
