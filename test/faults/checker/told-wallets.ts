import type { Told } from '../harness/sent.ts';
import { shown, unitsOf } from './amount.ts';
import { heldAfter } from './held.ts';
import { countBefore, countSettled, isBetweenOrders, type Histories, type History } from './histories.ts';
import type { Known } from './known.ts';
import { shownWallet } from './legs.ts';
import { walletPath } from './tellings.ts';
import { firstPage, itemsOf } from './told-lists.ts';
import { timeOf } from './told-orders.ts';

type Data = Readonly<Record<string, unknown>>;

/**
 * Every balance that was told is one that the wallet had, after the first so many of its flows, and none of a time before what
 * was told already. Figures of the past are those of the flows of that time: all of them up to `settledUntil`, and after it as
 * many as were known. Flows are told as they are. @returns a sentence for each breach.
 */
export function checkToldWallets(histories: Histories, told: readonly Told[], known: Known): string[] {
  const view = { ...histories, known };
  return told.flatMap((each) => {
    const asked = walletPath.exec(each.path);
    if (asked === null) return [];
    const { id, what } = asked.groups ?? {};
    const rows = id === undefined ? itemsOf(each) : [{ ...(each.data as Data), id }];
    return rows.flatMap((row) => checkAnswer(view, { ...each, data: row }, String(row['id']), what));
  });
}

interface View extends Histories {
  known: Known;
}

function checkAnswer(view: View, each: Told, id: string, what: string | undefined): string[] {
  const history = view.wallets.get(id);
  if (history?.wallet['workspaceId'] !== each.workspaceId) return [`wallet ${id} was told to another workspace`];
  if (what === 'flows') return itemsOf(each).flatMap((item) => checkFlow(view, history, item));
  if (what === 'statement') return checkStatement(view, history, each);
  return 'at' in each.query ? checkPast(view, history, each) : checkNow(view, history, each);
}

function checkNow({ known }: View, history: History, told: Told): string[] {
  const { walletId, currency, balance, held, available, sequence } = told.data as Data;
  const { wallet, balances } = history;
  const name = `wallet ${wallet._id} was told with`;
  const breaches: string[] = [];
  if ((walletId ?? wallet._id) !== wallet._id || currency !== wallet['currency'])
    breaches.push(`${name} id ${String(walletId)}, currency ${String(currency)}`);
  const figures = `${name} balance ${String(balance)}, held ${String(held)}, available ${String(available)}`;
  const least = known.sequenceAt(wallet._id, told.askedAtMs);
  // What does not say how many flows it counts may count any number of them.
  const from = sequence === undefined ? least : Number(sequence);
  const to = sequence === undefined ? balances.length - 1 : from;
  const after = sequence === undefined ? `after its flow ${from} or a later one` : `after flow ${from}`;
  const counts = range(from, to).filter((count) => unitsOf(balance) === balances[count]);
  if (counts.length === 0) breaches.push(`${figures} ${after}, ${wasAfter(history, from)}`);
  else if (!counts.some((count) => isBetweenOrders(history, count)))
    breaches.push(`${figures} ${after}, in the middle of an order`);
  else if (!counts.some((count) => heldAfter(history, count, told, known).has(unitsOf(held))))
    breaches.push(`${figures} ${after}, where its holds were others`);
  // No wallet has credit.
  if (unitsOf(available) !== unitsOf(balance) - unitsOf(held)) breaches.push(`${figures}, which is not the difference`);
  if (from < least) breaches.push(`${name} its flow ${from} as the last, after its flow ${least} had been told`);
  return breaches;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

function wasAfter({ balances }: History, sequence: number): string {
  const right = balances[sequence];
  return right === undefined ? 'which it does not have' : `after which it had ${shown(right)}`;
}

/** How many of the flows before a time an answer may have counted, the least and the most: those that are settled or known are due. */
function countable({ known }: View, history: History, endMs: number, { data, askedAtMs }: Told): [number, number] {
  const most = countBefore(history, endMs);
  const due = Math.max(
    countSettled(history, (data as Data)['settledUntil']),
    known.sequenceAt(history.wallet._id, askedAtMs),
  );
  return [Math.min(due, most), most];
}

function checkPast(view: View, history: History, told: Told): string[] {
  const { walletId, balance, sequence, settledUntil, asOf } = told.data as Data;
  const { wallet, balances } = history;
  const at = told.query['at']!;
  const [least, most] = countable(view, history, Date.parse(at) + 1, told);
  const count = Number(sequence);
  const isRight =
    walletId === wallet._id &&
    Date.parse(String(asOf)) === Date.parse(at) &&
    least <= count &&
    count <= most &&
    isBetweenOrders(history, count) &&
    unitsOf(balance) === balances[count];
  if (isRight) return [];
  const figures = `balance ${String(balance)} after flow ${count} at ${at}, settled until ${String(settledUntil)}`;
  return [
    `wallet ${wallet._id} was told with ${figures}; it had had ${least} to ${most} flows, ${wasAfter(history, count)}`,
  ];
}

/** A page of one: its figures are those of the whole range, and its flows follow those of the page before. */
function checkStatement(view: View, history: History, told: Told): string[] {
  const { wallet, flows, balances, debits } = history;
  const { items, nextCursor, settledUntil, count, ...figures } = told.data as Data & { items: Data[] };
  const { query } = firstPage(told);
  const before = countBefore(history, Date.parse(query['from']!));
  const last = told.follows === undefined ? before : Number(itemsOf(told.follows).at(-1)?.['sequence']);
  const isRight = range(...countable(view, history, Date.parse(query['to']!), told)).some((end) => {
    const start = Math.min(before, end);
    const [moved, grown] = [debits[end]! - debits[start]!, balances[end]! - balances[start]!];
    const pageStart = Math.min(last, end);
    const pageEnd = Math.min(end, pageStart + Number(query['size']));
    return (
      isBetweenOrders(history, end) &&
      count === end - start &&
      unitsOf(figures['openingBalance']) === balances[start] &&
      unitsOf(figures['closingBalance']) === balances[end] &&
      unitsOf(figures['debits']) === moved &&
      unitsOf(figures['credits']) === grown + moved &&
      items.length === pageEnd - pageStart &&
      items.every(({ id }, index) => id === flows[pageStart + index]?._id) &&
      (nextCursor === null) === (pageEnd === end)
    );
  });
  const breach = `wallet ${wallet._id} was told a statement that it never had: ${JSON.stringify({ count, settledUntil, ...figures })}`;
  return [...(isRight ? [] : [breach]), ...items.flatMap((item) => checkFlow(view, history, item))];
}

/** As it is stored; in a statement with its order. */
function checkFlow({ orders }: View, { wallet, flows }: History, told: Data): string[] {
  const flow = flows[Number(told['sequence']) - 1];
  if (flow === undefined || flow._id !== told['id'])
    return [`flow ${String(told['id'])} of wallet ${wallet._id} was told and does not exist`];
  const order = orders.get(String(flow['transferId']));
  const right: Data = {
    ...{ walletId: wallet._id, sequence: flow['sequence'], direction: flow['direction'], currency: flow['currency'] },
    ...{
      transferId: flow['transferId'],
      leg: flow['leg'] ?? 0,
      counterpartyWalletId: shownWallet(flow['counterpartyWalletId']),
    },
    createdAt: timeOf(flow['createdAt']),
    ...('bizId' in told ? { type: order?.['type'], bizId: order?.['bizId'] } : {}),
  };
  const wrong = Object.keys(right).filter((name) => told[name] !== right[name]);
  for (const name of ['amount', 'balanceBefore', 'balanceAfter']) {
    if (unitsOf(told[name]) !== unitsOf(flow[name])) wrong.push(name);
  }
  return wrong.map((name) => `flow ${flow._id} was told with ${name} ${String(told[name])}`);
}
