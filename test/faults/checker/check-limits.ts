import type { AskedLimit, Guards, SetLimits } from './guards.ts';
import { shown, unitsOf, type Units } from './amount.ts';
import type { RawBooks, RawDocument } from './books.ts';
import { historiesOf, type Histories, type History, type Hold } from './histories.ts';
import { legsIn } from './legs.ts';
import { isInWindow } from './windows.ts';

/** Of a hold only the time is known when it was posted, and clocks of two processes may differ so much. */
const clocksMs = 2_000;
const judged: ReadonlySet<unknown> = new Set(['TRANSFER', 'WITHDRAWAL', 'REVERSAL', 'JOURNAL']);
const counted: ReadonlySet<unknown> = new Set(['TRANSFER', 'WITHDRAWAL', 'JOURNAL', 'HOLD']);

/**
 * No order that was judged by a limit of a wallet while that stood has passed it, and the use of each key's budget is what its key's
 * orders have taken since it was set. @returns a sentence for each breach.
 */
export function checkLimits(books: RawBooks, { limits, budgets }: Pick<Guards, 'limits' | 'budgets'>): string[] {
  const histories = historiesOf(books);
  const byWallet = [...Map.groupBy(limits, ({ walletId }) => walletId).values()];
  return [
    ...byWallet.flatMap((ofWallet) => ofWallet.flatMap((set, place) => checkSet(histories, set, ofWallet[place + 1]))),
    ...books.keyBudgets.flatMap((key) => checkBudgets(books.orders, key, budgets)),
  ];
}

/** @param next what replaced these limits. */
function checkSet(histories: Histories, set: SetLimits, next: SetLimits | undefined): string[] {
  const history = histories.wallets.get(set.walletId);
  if (history === undefined) return [`there are limits of ${set.walletId}, which does not exist`];
  const flows = history.flows.slice(set.since, next?.since).filter((flow) => {
    const order = histories.orders.get(String(flow['transferId']));
    return flow['direction'] === 'DEBIT' && judged.has(order?.['type']);
  });
  const holds = history.holds.filter(({ id }) => {
    const time = timeOf(histories, id);
    return time > set.endedAtMs + clocksMs && time < (next?.startedAtMs ?? Infinity) - clocksMs;
  });
  return set.limits.flatMap((limit) => [
    ...flows.flatMap((flow) => passed(limit, `flow ${flow._id}`, usedAtFlow(histories, history, limit, flow))),
    ...holds.flatMap((hold) => passed(limit, `hold ${hold.id}`, usedAtHold(histories, history, limit, hold))),
  ]);
}

/** At the least. */
interface Used {
  amount: Units;
  count: number;
}

function passed({ name, amount, count, window }: AskedLimit, what: string, used: Used): string[] {
  const isPassed = amount !== undefined && used.amount > unitsOf(amount);
  const isOneTooMany = count !== undefined && used.count > count;
  if (!isPassed && !isOneTooMany) return [];
  const limit = `${name} of ${String(amount)}, ${String(count)} orders, ${JSON.stringify(window)}`;
  return [`${what} has passed the limit ${limit}: with it ${shown(used.amount)} were used by ${used.count}`];
}

/** The debits of its window up to a flow, and what was held then for sure. */
function usedAtFlow(histories: Histories, history: History, { window }: AskedLimit, flow: RawDocument): Used {
  const [end, place] = [flow['createdAt'] as Date, Number(flow['sequence'])];
  const debits = history.flows.slice(0, place).filter((other) => {
    if (other['direction'] !== 'DEBIT') return false;
    if (window === 'order') return other['transferId'] === flow['transferId'];
    return isInWindow(window, other['createdAt'] as Date, end);
  });
  const open =
    window === 'order'
      ? []
      : history.holds
          .filter(({ id }) => timeOf(histories, id) < end.getTime() - clocksMs)
          .map((hold) => leftOf(hold, place))
          .filter((left) => left > 0n);
  return {
    amount: sum([...debits.map(({ amount }) => unitsOf(amount)), ...open]),
    count: new Set(debits.map(({ transferId }) => String(transferId))).size + open.length,
  };
}

/** The debits that were surely before a hold and in its window, and what was surely held then. */
function usedAtHold(histories: Histories, history: History, { window }: AskedLimit, hold: Hold): Used {
  const time = timeOf(histories, hold.id);
  if (window === 'order') return { amount: hold.amount, count: 1 };
  const [earliest, latest] = [new Date(time - clocksMs), new Date(time + clocksMs)];
  const debits = history.flows.filter((flow) => {
    const at = flow['createdAt'] as Date;
    return flow['direction'] === 'DEBIT' && at < earliest && isInWindow(window, at, latest);
  });
  const sequence = history.flows.filter((flow) => (flow['createdAt'] as Date) <= latest).length;
  const open = history.holds
    .filter(({ id }) => id !== hold.id && timeOf(histories, id) < earliest.getTime())
    .map((other) => leftOf(other, sequence))
    .filter((left) => left > 0n);
  return {
    amount: sum([hold.amount, ...debits.map(({ amount }) => unitsOf(amount)), ...open]),
    count: 1 + new Set(debits.map(({ transferId }) => String(transferId))).size + open.length,
  };
}

/** What a hold reserves after so many of its wallet's flows. */
function leftOf({ amount, captures }: Hold, sequence: number): Units {
  const done = captures.filter((capture) => capture.sequence <= sequence);
  return done.some(({ isLast }) => isLast) ? 0n : amount - sum(done.map((capture) => capture.amount));
}

function timeOf({ orders }: Histories, id: string): number {
  return Number(orders.get(id)?.['completedAt']);
}

/** All budgets of the suite are for all time. */
function checkBudgets(orders: readonly RawDocument[], key: RawDocument, sets: Guards['budgets']): string[] {
  const stored = key['budgets'] as readonly (RawDocument & { name: string; since: number })[];
  const own = orders.filter(
    (order) => order['status'] === 'COMPLETED' && counted.has(order['type']) && keyOf(order) === key._id,
  );
  return stored.flatMap((budget) => {
    const of = sets.filter(({ apiKey, name }) => apiKey === key._id && name === budget.name);
    const last = of.at(-1);
    if (last === undefined) return [`the key ${key._id} has a budget ${budget.name} that nobody set`];
    const taken = own
      .map((order) => ({ order, amount: takenBy(order, last.currency) }))
      .filter(({ amount }) => amount > 0n);
    const isCounted = ({ order }: (typeof taken)[number]): boolean => Number(order['budgets'] ?? 0) >= budget.since;
    const name = `the budget ${budget.name} of ${key._id}`;
    const uncounted = taken.filter(
      (each) => !isCounted(each) && Number(each.order['createdAt']) > last.endedAtMs + clocksMs,
    );
    const breaches = uncounted.map(({ order }) => `order ${order._id} does not count towards ${name}`);
    const used = taken.filter(isCounted);
    const right = sum(used.map(({ amount }) => amount));
    const most = of.map(({ amount }) => unitsOf(amount)).reduce((a, b) => (a > b ? a : b));
    if (unitsOf(budget['used']) !== right || budget['usedCount'] !== used.length)
      breaches.push(`${name} says ${String(budget['used'])} by ${String(budget['usedCount'])}, it is ${shown(right)}`);
    if (right > most) breaches.push(`${name} was passed: ${shown(right)} of ${shown(most)}`);
    return breaches;
  });
}

/** Of the lines of a batch only the first names its request. */
function keyOf({ request, apiKey }: RawDocument): unknown {
  return (request as { keyId?: string } | undefined)?.keyId ?? apiKey;
}

function takenBy(order: RawDocument, currency: string): Units {
  const own = legsIn(order).filter(
    (leg) => leg['currency'] === currency && !String(leg['sourceWalletId']).startsWith('ex_'),
  );
  return sum(own.map(({ amount }) => unitsOf(amount)));
}

function sum(units: readonly Units[]): Units {
  return units.reduce((total, each) => total + each, 0n);
}
