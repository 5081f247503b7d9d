import type { Random } from '../../bench/load/random.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { world, type Model, type Operation, type Transfer } from './model.ts';

/* What a group of wallets is asked to do next, at random. */

export const walletNames = ['a', 'b', 'c'];
const shortHoldMs = 2_000;
/** So far ahead are transfers for a later time: soon, or not while the test runs. */
const soonMs = [500, 3_000] as const;
const dayMs = 86_400_000;
/** More than any wallet ever has, in cents. */
const unaffordable = 10n ** 12n;
const unknownId = 'wa_00000000000000000000000000';

/** Wallets that only one sequence of operations uses. */
export interface Group {
  readonly name: string;
  readonly workspace: TestWorkspace;
  readonly walletIds: ReadonlyMap<string, string>;
  readonly random: Random;
  /** The transferIds of the orders that were recorded, by their names in the model, which are their bizIds. */
  readonly ids: Map<string, string>;
  /** What made them. */
  readonly sent: Map<string, { readonly path: string; readonly body: object }>;
  /** The batch that each came in, by name; null if in none. */
  readonly batchIds: Map<string, string | null>;
  /** The atomic batches that were recorded, as the names of their orders. */
  readonly atomic: (readonly string[])[];
  model: Model;
}

/** A line of a batch, with what must come of it at once. */
export type Line =
  | { readonly kind: 'new'; readonly transfer: Transfer }
  /** A bizId that an order has already, this one or one of an earlier line. */
  | { readonly kind: 'repeat'; readonly of: string; readonly isSame: boolean }
  | { readonly kind: 'faulty'; readonly body: object; readonly code: string };

export type Request =
  | Operation
  | { readonly command: 'batch'; readonly lines: readonly Line[]; readonly isAtomic: boolean }
  /** The whole of an atomic batch once more, by the names of its orders. */
  | { readonly command: 'repeat batch'; readonly names: readonly string[] };

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}

const amountText = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
const textOf = (ms: number): string => new Date(ms).toISOString();

/** @param name of the orders that it makes: that of a batch's line has the line's place behind it. */
export function draw(group: Group, name: string): Request {
  const { random, model } = group;
  const { source, target, amount } = drawTransfer(group);
  const kind = random();
  const later = random() < 0.2 ? { executeAtMs: drawLater(random) } : {};
  if (kind < 0.12) return { command: 'deposit', target, amount, ...later };
  if (kind < 0.17) return { command: 'withdraw', source, amount, ...later };
  if (kind < 0.3) return { command: 'create', source, target, amount };
  if (kind < 0.4) return { command: 'create', source, target, amount, executeAtMs: drawLater(random) };
  if (kind < 0.47) return { command: 'preview', source, target, amount: random() < 0.2 ? unaffordable : amount };
  if (kind < 0.57) return { command: 'batch', lines: drawLines(group, name, false), isAtomic: false };
  if (kind < 0.66) {
    if (group.atomic.length > 0 && random() < 0.2)
      return { command: 'repeat batch', names: pick(random, group.atomic) };
    return { command: 'batch', lines: drawLines(group, name, true), isAtomic: true };
  }
  if (kind < 0.78) {
    const expiresAtMs = random() < 0.25 ? Date.now() + shortHoldMs : Infinity;
    return { command: 'hold', source, target: random() < 0.2 ? world : target, amount, expiresAtMs };
  }
  const names = [...model.orders.keys()];
  if (names.length === 0) return { command: 'deposit', target, amount };
  // The later ones mostly: of the earlier ones nothing is left.
  const order = names[names.length - 1 - Math.floor(random() ** 2 * Math.min(names.length, 30))]!;
  if (kind < 0.84) {
    const scheduled = names.filter((each) => model.orders.get(each)!.status === 'SCHEDULED');
    return { command: 'cancel', order: scheduled.length > 0 && random() < 0.8 ? pick(random, scheduled) : order };
  }
  const command = pick(random, ['capture', 'capture', 'release', 'reverse', 'reverse'] as const);
  return { command, order, amount: random() < 0.3 ? undefined : amount, isFinal: random() < 0.5 };
}

function drawTransfer({ random }: Group): Transfer {
  const amount = BigInt(1 + Math.floor(random() ** 3 * 5_000));
  const [source = '', target = ''] = walletNames.toSorted(() => random() - 0.5);
  return { source, target, amount };
}

function drawLater(random: Random): number {
  const [least, most] = soonMs;
  return Date.now() + (random() < 0.1 ? dayMs : least + Math.floor(random() * (most - least)));
}

/** The names of the transfers that are known, of any state. */
function transfers({ sent }: Group): string[] {
  return [...sent.keys()].filter((name) => sent.get(name)!.path.endsWith('/create'));
}

function drawLines(group: Group, name: string, isAtomic: boolean): Line[] {
  const { random } = group;
  const known = transfers(group);
  // An atomic batch mostly comes to be posted, then and now with a line that fails.
  const oddShare = isAtomic ? (random() < 0.25 ? 0.3 : 0) : 0.3;
  const failing = isAtomic && random() < 0.3 ? Math.floor(random() * 5) : -1;
  const lines: Line[] = [];
  const count = 2 + Math.floor(random() * (isAtomic ? 4 : 5));
  while (lines.length < count) {
    const place = Math.floor(random() * lines.length);
    const odd = random() < oddShare ? random() : 1;
    if (odd < 0.5) lines.push(drawFaulty(group));
    else if (odd < 0.7 && known.length > 0)
      lines.push({ kind: 'repeat', of: pick(random, known), isSame: random() < 0.7 });
    else if (odd < 0.99 && lines[place]?.kind === 'new')
      lines.push({ kind: 'repeat', of: `${name}.${place}`, isSame: random() < 0.5 });
    else {
      const transfer = drawTransfer(group);
      const later = !isAtomic && random() < 0.15 ? { executeAtMs: drawLater(random) } : {};
      const amount = lines.length === failing ? unaffordable : transfer.amount;
      lines.push({ kind: 'new', transfer: { ...transfer, ...later, amount } });
    }
  }
  return lines;
}

/** A create that is refused at once, whatever the wallets have. */
function drawFaulty(group: Group): Extract<Line, { kind: 'faulty' }> {
  const { source, target, amount } = drawTransfer(group);
  const body = transferBody(group, { source, target, amount });
  return pick<Extract<Line, { kind: 'faulty' }>>(group.random, [
    { kind: 'faulty', body: { ...body, amount: '0' }, code: 'RQ4001' },
    { kind: 'faulty', body: { ...body, amount: '1.001' }, code: 'RQ4001' },
    { kind: 'faulty', body: { ...body, unheardOf: true }, code: 'RQ4001' },
    { kind: 'faulty', body: { ...body, executeAt: textOf(Date.now() - 60_000) }, code: 'RQ4001' },
    { kind: 'faulty', body: { ...body, executeAt: textOf(Date.now() + 400 * dayMs) }, code: 'RQ4001' },
    { kind: 'faulty', body: { ...body, targetWalletId: unknownId }, code: 'WA4041' },
    { kind: 'faulty', body: { ...body, targetWalletId: group.walletIds.get(source) }, code: 'TR4221' },
    { kind: 'faulty', body: { ...body, currency: 'EUR' }, code: 'TR4222' },
  ]);
}

/** The body of a create. */
export function transferBody({ walletIds }: Group, { source, target, amount, executeAtMs }: Transfer): object {
  return {
    ...{ sourceWalletId: walletIds.get(source), targetWalletId: walletIds.get(target) },
    ...{ amount: amountText(amount), currency: 'USD' },
    ...(executeAtMs === undefined ? {} : { executeAt: textOf(executeAtMs) }),
  };
}

/** The body of a command of its own. */
export function bodyOf(group: Group, operation: Exclude<Operation, { command: 'atomic batch' | 'due' }>): object {
  const { walletIds, ids } = group;
  if ('order' in operation) {
    const transferId = ids.get(operation.order) ?? 'unknown';
    if (operation.command === 'cancel') return { transferId };
    const { command, amount, isFinal } = operation;
    return {
      transferId,
      ...(amount === undefined ? {} : { amount: amountText(amount) }),
      ...(command === 'capture' && !isFinal ? { final: false } : {}),
    };
  }
  if (operation.command === 'create' || operation.command === 'preview') return transferBody(group, operation);
  const sides = {
    ...('source' in operation ? { sourceWalletId: walletIds.get(operation.source) } : {}),
    ...('target' in operation && operation.target !== world ? { targetWalletId: walletIds.get(operation.target) } : {}),
  };
  const isShort = operation.command === 'hold' && Number.isFinite(operation.expiresAtMs);
  const expiry = isShort ? { expiresAt: textOf(operation.expiresAtMs) } : {};
  const isLater = operation.command !== 'hold' && operation.executeAtMs !== undefined;
  const later = isLater ? { executeAt: textOf(operation.executeAtMs) } : {};
  return { ...sides, ...expiry, ...later, amount: amountText(operation.amount), currency: 'USD' };
}
