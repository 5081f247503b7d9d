import type { Told } from '../harness/sent.ts';
import { shown, unitsOf, type Units } from './amount.ts';
import type { RawBooks, RawDocument } from './books.ts';
import { shownWallet } from './legs.ts';
import { timeOf, type Telling } from './told-orders.ts';

type Data = Readonly<Record<string, unknown>>;

/** A wallet's flows, and what it held after so many of them. */
interface History {
  wallet: RawDocument;
  flows: readonly RawDocument[];
  /** From before the first flow on. */
  balances: readonly Units[];
  debits: readonly Units[];
  /** All that was ever held. */
  heldMost: Units;
  /** By when which flow was told to be there, oldest first: who asks later is told no less. */
  known: { toldAtMs: number; sequence: number }[];
}

const walletPath = /^\/api\/v1\/wallets\/(?<id>[^/]+)\/(?<what>balance|statement|flows)$/;

/**
 * Every balance that was told is one that the wallet had, after the first so many of its flows, and none of a time before what
 * was told already. Figures of the past are those of the flows of that time: all of them up to `settledUntil`, and after it as
 * many as were known. Flows are told as they are. @returns a sentence for each breach.
 */
export function checkToldWallets(books: RawBooks, told: readonly Told[], tellings: readonly Telling[]): string[] {
  const histories = historiesOf(books);
  noteKnown(histories, books.flows, told, tellings);
  const breaches: string[] = [];
  for (const each of told) {
    const { id, what } = walletPath.exec(each.path)?.groups ?? {};
    if (id === undefined) continue;
    const history = histories.get(id);
    if (history?.wallet['workspaceId'] !== each.workspaceId)
      breaches.push(`wallet ${id} was told to another workspace`);
    else if (what === 'flows') breaches.push(...checkFlows(history, each.data as { items: Data[] }));
    else if (what === 'statement') breaches.push(...checkStatement(history, each));
    else breaches.push(...('at' in each.query ? checkPast(history, each) : checkNow(history, each)));
  }
  return breaches;
}

function historiesOf({ wallets, flows, orders }: RawBooks): Map<string, History> {
  const byWallet = Map.groupBy(flows, (flow) => String(flow['walletId']));
  const heldMost = new Map<unknown, Units>();
  for (const { type, sourceWalletId, amount } of orders)
    if (type === 'HOLD') heldMost.set(sourceWalletId, (heldMost.get(sourceWalletId) ?? 0n) + unitsOf(amount));
  const entries = wallets.map((wallet): [string, History] => {
    const own = (byWallet.get(wallet._id) ?? []).toSorted((a, b) => Number(a['sequence']) - Number(b['sequence']));
    const [balances, debits] = [[0n], [0n]];
    for (const [index, flow] of own.entries()) {
      const [amount, isDebit] = [unitsOf(flow['amount']), flow['direction'] === 'DEBIT'];
      balances.push(balances[index]! + (isDebit ? -amount : amount));
      debits.push(debits[index]! + (isDebit ? amount : 0n));
    }
    return [wallet._id, { wallet, flows: own, balances, debits, heldMost: heldMost.get(wallet._id) ?? 0n, known: [] }];
  });
  return new Map(entries);
}

/** Whoever was told that an order is COMPLETED finds its flows on its wallets, and whoever was told of a flow finds it again. */
function noteKnown(
  histories: ReadonlyMap<string, History>,
  flows: readonly RawDocument[],
  told: readonly Told[],
  tellings: readonly Telling[],
): void {
  const endedAt = new Map<unknown, number>();
  for (const { order, toldAtMs } of tellings) {
    const { transferId, status } = order;
    if (status === 'COMPLETED') endedAt.set(transferId, Math.min(toldAtMs, endedAt.get(transferId) ?? Infinity));
  }
  for (const { transferId, walletId, sequence } of flows) {
    const toldAtMs = endedAt.get(transferId);
    if (toldAtMs !== undefined) histories.get(String(walletId))?.known.push({ toldAtMs, sequence: Number(sequence) });
  }
  for (const { path, query, toldAtMs, data } of told) {
    const { id = '', what } = walletPath.exec(path)?.groups ?? {};
    if (what !== 'balance' || 'at' in query) continue;
    histories.get(id)?.known.push({ toldAtMs, sequence: Number((data as Data)['sequence']) });
  }
  for (const { known } of histories.values()) {
    known.sort((a, b) => a.toldAtMs - b.toldAtMs);
    let most = 0;
    for (const each of known) each.sequence = most = Math.max(most, each.sequence);
  }
}

/** The greatest sequence of a wallet that some client was told of before a time. */
function knownAt({ known }: History, askedAtMs: number): number {
  return known.findLast(({ toldAtMs }) => toldAtMs < askedAtMs)?.sequence ?? 0;
}

function checkNow(history: History, { data, askedAtMs }: Told): string[] {
  const { walletId, currency, balance, held, available, sequence } = data as Data;
  const { wallet, balances, heldMost } = history;
  const name = `wallet ${wallet._id} was told with`;
  const breaches: string[] = [];
  if (walletId !== wallet._id || currency !== wallet['currency'])
    breaches.push(`${name} id ${String(walletId)}, currency ${String(currency)}`);
  if (unitsOf(balance) !== balances[Number(sequence)])
    breaches.push(`${name} balance ${String(balance)} after flow ${String(sequence)}, ${wasAfter(history, sequence)}`);
  const holds = unitsOf(held);
  // No wallet has credit.
  if (holds < 0n || holds > heldMost || unitsOf(available) !== unitsOf(balance) - holds)
    breaches.push(`${name} balance ${String(balance)}, held ${String(held)}, available ${String(available)}`);
  const known = knownAt(history, askedAtMs);
  if (Number(sequence) < known)
    breaches.push(`${name} its flow ${String(sequence)} as the last, after its flow ${known} had been told`);
  return breaches;
}

function wasAfter({ balances }: History, sequence: unknown): string {
  const right = balances[Number(sequence)];
  return right === undefined ? 'which it does not have' : `after which it had ${shown(right)}`;
}

/** How many of the flows are from before a time. */
function countBefore(flows: readonly RawDocument[], endMs: number): number {
  const first = flows.findIndex(({ createdAt }) => !(createdAt instanceof Date) || createdAt.getTime() >= endMs);
  return first === -1 ? flows.length : first;
}

/** How many of the flows before a time an answer may have counted: the least and the most. */
function countable({ flows }: History, endMs: number, settledUntil: unknown): [number, number] {
  const settledMs = Date.parse(String(settledUntil)) + 1;
  return [countBefore(flows, Math.min(endMs, settledMs)), countBefore(flows, endMs)];
}

function checkPast(history: History, { data, query }: Told): string[] {
  const { walletId, balance, sequence, settledUntil, asOf } = data as Data;
  const { wallet, balances } = history;
  const [least, most] = countable(history, Date.parse(query['at']!) + 1, settledUntil);
  const count = Number(sequence);
  const isRight =
    walletId === wallet._id &&
    Date.parse(String(asOf)) === Date.parse(query['at']!) &&
    least <= count &&
    count <= most &&
    unitsOf(balance) === balances[count];
  if (isRight) return [];
  const at = `at ${query['at']!}, settled until ${String(settledUntil)}`;
  return [
    `wallet ${wallet._id} was told with balance ${String(balance)} after flow ${String(sequence)} ${at}; it had had ${least} to ${most} flows, ${wasAfter(history, sequence)}`,
  ];
}

function checkStatement(history: History, { data, query }: Told): string[] {
  const { wallet, flows, balances, debits } = history;
  const { items, nextCursor, settledUntil, count, ...figures } = data as Data & { items: Data[] };
  const [from, to] = [Date.parse(query['from']!), Date.parse(query['to']!)];
  const before = countBefore(flows, from);
  const [least, most] = countable(history, to, settledUntil);
  const isRight = Array.from({ length: most - least + 1 }, (_, index) => least + index).some((end) => {
    const start = Math.min(before, end);
    const [moved, grown] = [debits[end]! - debits[start]!, balances[end]! - balances[start]!];
    const pageEnds = Math.min(end, start + Number(query['size']));
    return (
      count === end - start &&
      unitsOf(figures['openingBalance']) === balances[start] &&
      unitsOf(figures['closingBalance']) === balances[end] &&
      unitsOf(figures['debits']) === moved &&
      unitsOf(figures['credits']) === grown + moved &&
      items.length === pageEnds - start &&
      items.every(({ id }, index) => id === flows[start + index]?._id) &&
      (nextCursor === null) === (pageEnds === end)
    );
  });
  const told = JSON.stringify({ count, settledUntil, ...figures });
  const breaches = isRight ? [] : [`wallet ${wallet._id} was told a statement that it never had: ${told}`];
  return [...breaches, ...items.flatMap((item) => checkFlow(history, item))];
}

/** The newest first, without a gap. */
function checkFlows(history: History, { items }: { items: readonly Data[] }): string[] {
  const { wallet } = history;
  const hasGap = items.some(({ sequence }, index) => Number(sequence) !== Number(items[0]!['sequence']) - index);
  const breaches = hasGap
    ? [`wallet ${wallet._id} was told flows with a gap: ${items.map(({ id }) => id).join(' ')}`]
    : [];
  return [...breaches, ...items.flatMap((item) => checkFlow(history, item))];
}

/** As it is stored. */
function checkFlow({ wallet, flows }: History, told: Data): string[] {
  const flow = flows[Number(told['sequence']) - 1];
  if (flow === undefined || flow._id !== told['id'])
    return [`flow ${String(told['id'])} of wallet ${wallet._id} was told and does not exist`];
  const right: Data = {
    ...{ walletId: wallet._id, sequence: flow['sequence'], direction: flow['direction'], currency: flow['currency'] },
    ...{
      transferId: flow['transferId'],
      leg: flow['leg'] ?? 0,
      counterpartyWalletId: shownWallet(flow['counterpartyWalletId']),
    },
    createdAt: timeOf(flow['createdAt']),
  };
  const wrong = Object.keys(right).filter((name) => told[name] !== right[name]);
  for (const name of ['amount', 'balanceBefore', 'balanceAfter']) {
    if (unitsOf(told[name]) !== unitsOf(flow[name])) wrong.push(name);
  }
  return wrong.map((name) => `flow ${flow._id} was told with ${name} ${String(told[name])}`);
}
