import type { LineError, NewOrder, Order } from './api.ts';
import { amountsIn, checkCount, checkFunction, checkMembers, checkSignal } from './check.ts';
import { toJson, type Send } from './connection.ts';
import { UsageError } from './errors.ts';
import { unexpectedData } from './exchange.ts';
import { callOptionNames, type CallOptions } from './lists.ts';
import { waitHeader, waitSecondsMax } from './wait.ts';

/** A line as it is sent. */
export interface BatchLine {
  /** Its place in all that was given, from 1. */
  readonly line: number;
  readonly bizId: string;
}

export interface BatchOptions extends CallOptions {
  /** All lines become orders and are posted together, or none; then at most 100 legs, in one request. Default: each for itself. */
  readonly atomic?: boolean;
  /** For how long each request waits for its orders' ends, 0 to 10. Default 0. */
  readonly waitSeconds?: number;
  /** Told the lines of each request before its first try, and awaited: keep them where a crash must not make second orders. */
  readonly onSend?: (lines: readonly BatchLine[]) => void | Promise<void>;
}

/** What became of a line: its order as it is stored, new or known before; or why there is none. */
export type BatchResult = BatchLine & ({ readonly order: Order } | { readonly error: LineError });

type Transfers = Iterable<NewOrder> | AsyncIterable<NewOrder>;

interface Line extends BatchLine {
  readonly transfer: NewOrder;
}

/** A line without legs counts as one. */
const legsMax = 500;
const atomicLegsMax = 100;
const bodyBytesMax = 512 * 1024;
const optionNames = ['atomic', 'waitSeconds', 'onSend', ...callOptionNames];
const encoder = new TextEncoder();

/** @param timeoutMs of one try. */
export function batchesOf(send: Send, timeoutMs: number) {
  async function* outcomes(
    lines: readonly Line[],
    options: BatchOptions,
  ): AsyncGenerator<BatchResult, void, undefined> {
    await options.onSend?.(lines.map(({ line, bizId }) => ({ line, bizId })));
    const { data, status } = await send('POST', '/api/v1/transfer/command/batch', {
      body: bodyOf(lines, options),
      headers: waitHeader(options.waitSeconds ?? 0, timeoutMs),
      ...{ signal: options.signal, isRepeatable: true },
    });
    const items = itemsIn(data);
    if (items?.length !== lines.length) {
      throw unexpectedData('The answer has no item for each line.', status, data);
    }
    for (const [index, { line, bizId }] of lines.entries()) {
      const item = items[index] as { order: Order } | LineError;
      yield 'order' in item ? { line, bizId, order: item.order } : { line, bizId, error: item };
    }
  }

  return async function* batch(
    transfers: Transfers,
    options: BatchOptions = {},
  ): AsyncGenerator<BatchResult, void, undefined> {
    checkOptions(transfers, options);
    for await (const lines of requestsOf(transfers, options)) yield* outcomes(lines, options);
  };
}

function checkOptions(transfers: Transfers, options: BatchOptions): void {
  checkMembers('The options of batch', options, optionNames);
  const { atomic = false, waitSeconds = 0, onSend, signal } = options;
  if (typeof atomic !== 'boolean') throw new UsageError('atomic must be true or false.');
  checkCount('waitSeconds', waitSeconds, 0, waitSecondsMax);
  checkFunction('onSend', onSend);
  checkSignal(signal);
  const given = transfers as unknown as Partial<Record<symbol, unknown>> | null | undefined;
  const isIterable = [Symbol.iterator, Symbol.asyncIterator].some((name) => typeof given?.[name] === 'function');
  if (!isIterable || typeof transfers === 'string') {
    throw new UsageError('What batch takes must be an iterable of orders, such as a list.');
  }
}

/** The lines of each request: as many as one takes, and no more of them are held than that. */
async function* requestsOf(
  transfers: Transfers,
  options: BatchOptions,
): AsyncGenerator<readonly Line[], void, undefined> {
  const { atomic = false } = options;
  const emptyBytes = bytesOf(bodyOf([], options));
  let lines: Line[] = [];
  let bytes = emptyBytes;
  let legs = 0;
  let line = 0;
  for await (const given of transfers) {
    line += 1;
    const next = lineOf(given, line);
    // With the comma before it.
    const size = bytesOf(next.transfer) + 1;
    const ownLegs = legsIn(next.transfer);
    if (emptyBytes + size > bodyBytesMax || ownLegs > legsMax)
      throw new UsageError(`Line ${line} is larger than a whole request may be.`);
    const isFull = legs + ownLegs > (atomic ? atomicLegsMax : legsMax) || bytes + size > bodyBytesMax;
    if (isFull && atomic) {
      throw new UsageError(
        `Line ${line} is one too many: an atomic batch is one request, of at most ${atomicLegsMax} legs and ${bodyBytesMax} bytes.`,
      );
    }
    if (isFull) {
      yield lines;
      lines = [];
      legs = 0;
      bytes = emptyBytes;
    }
    lines.push(next);
    legs += ownLegs;
    bytes += size;
  }
  if (lines.length > 0) yield lines;
}

function bodyOf(lines: readonly Line[], { atomic = false }: BatchOptions): object {
  return { transfers: lines.map(({ transfer }) => transfer), ...(atomic ? { atomic } : {}) };
}

function bytesOf(value: object): number {
  return encoder.encode(toJson(value)).byteLength;
}

function legsIn(order: NewOrder): number {
  return 'legs' in order && Array.isArray(order.legs) ? Math.max(1, order.legs.length) : 1;
}

/** What is wrong with its values the service tells, as that line's error. */
function lineOf(given: NewOrder, line: number): Line {
  const transfer: unknown = given;
  if (typeof transfer !== 'object' || transfer === null || Array.isArray(transfer)) {
    throw new UsageError(`Line ${line} must be an object: an order.`);
  }
  const { bizId = crypto.randomUUID() } = transfer as { bizId?: unknown };
  const [number] = amountsIn(transfer).find(([, amount]) => typeof amount === 'number') ?? [];
  if (number !== undefined) {
    throw new UsageError(`Line ${line}: ${number} must be a decimal text, such as '1.10': a number would lose digits.`);
  }
  if (typeof bizId !== 'string') throw new UsageError(`Line ${line}: bizId must be a text.`);
  return { line, bizId, transfer: { ...given, bizId } };
}

function itemsIn(data: unknown): unknown[] | undefined {
  const { items } = (data ?? {}) as { items?: unknown };
  const isItem = (item: unknown): boolean =>
    typeof item === 'object' && item !== null && ('order' in item || 'code' in item);
  return Array.isArray(items) && items.every(isItem) ? items : undefined;
}
