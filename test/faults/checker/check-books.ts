import type { RawBooks, RawDocument } from './books.ts';
import { checkTimes } from './check-times.ts';
import { checkUses } from './check-uses.ts';
import { legsIn, walletsIn } from './legs.ts';
import { replay } from './replay.ts';
import { shown, unitsOf } from './amount.ts';

/** Orders that are expected not to be terminal: those that were set aside. */
export interface Expectations {
  setAside: ReadonlySet<string>;
}

const failures = new Set([
  ...['INSUFFICIENT_BALANCE', 'WALLET_NOT_ACTIVE', 'BALANCE_LIMIT'],
  ...['HOLD_CLOSED', 'EXCEEDS_REMAINING', 'LIMIT_EXCEEDED', 'KEY_BUDGET_EXCEEDED'],
]);

/**
 * Checks the invariants on raw documents, by replaying the completed orders from nothing, that all is counted, and that no
 * time lies ahead. It shares no code with what posts orders, nor with `admin verify`. @returns a sentence for each breach.
 */
export function checkBooks(books: RawBooks, { setAside }: Expectations): string[] {
  const flowsByOrder = Map.groupBy(books.flows, (flow) => String(flow['transferId']));
  const orderIds = new Set(books.orders.map(({ _id }) => _id));
  const walletIds = new Set(books.wallets.map(({ _id }) => _id));
  return [
    ...books.orders.flatMap((order) => checkOrder(order, flowsByOrder.get(order._id) ?? [], setAside)),
    ...books.flows
      .filter((flow) => !orderIds.has(String(flow['transferId'])) || !walletIds.has(String(flow['walletId'])))
      .map((flow) => `flow ${flow._id} belongs to no order or no wallet`),
    ...checkBizIds(books.orders),
    ...replay(books),
    ...checkSums(books.wallets),
    ...checkTotals(books),
    ...checkUses(books),
    ...checkTimes(books),
  ];
}

/** Invariants 2 and 5. */
function checkOrder(order: RawDocument, flows: RawDocument[], setAside: ReadonlySet<string>): string[] {
  const { _id: id } = order;
  const status = String(order['status']);
  if (status === 'COMPLETED') {
    return [
      ...(order['completedAt'] instanceof Date && order['failure'] === null
        ? []
        : [`order ${id} is COMPLETED without its time, or with a failure`]),
      ...checkFlowsOf(order, flows),
    ];
  }
  const breaches = flows.length === 0 ? [] : [`order ${id} is ${status} and has ${flows.length} flows`];
  if (order['completedAt'] !== null) breaches.push(`order ${id} is ${status} and has a time of completion`);
  if (status === 'FAILED') {
    if (!failures.has(String(order['failure']))) breaches.push(`order ${id} FAILED for ${String(order['failure'])}`);
    const { failureLeg: leg } = order;
    if (leg !== undefined && (order['legs'] === undefined || legsIn(order)[Number(leg)] === undefined))
      breaches.push(`order ${id} FAILED for its leg ${String(leg)}, which it has not`);
  } else if (status !== 'SET_ASIDE' || !setAside.has(id)) {
    breaches.push(`order ${id} is ${status}, which is not terminal`);
  }
  return breaches;
}

/** Of each leg a debit and a credit; nothing of what only reserves. */
function checkFlowsOf(order: RawDocument, flows: RawDocument[]): string[] {
  const legs = order['type'] === 'HOLD' ? [] : legsIn(order);
  const matches = legs.flatMap(({ sourceWalletId: source, targetWalletId: target, amount, currency }, place) =>
    [
      { direction: 'DEBIT', walletId: source, counterpartyWalletId: target },
      { direction: 'CREDIT', walletId: target, counterpartyWalletId: source },
    ].map((side) =>
      flows.filter(
        ({ leg = 0, ...flow }) =>
          leg === place &&
          flow['direction'] === side.direction &&
          flow['walletId'] === side.walletId &&
          flow['counterpartyWalletId'] === side.counterpartyWalletId &&
          flow['currency'] === currency &&
          unitsOf(flow['amount']) === unitsOf(amount),
      ),
    ),
  );
  const isSound = flows.length === matches.length && matches.every((side) => side.length === 1);
  return isSound
    ? []
    : [`order ${order._id} is COMPLETED, and its ${flows.length} flows are not its debit and its credit`];
}

function checkBizIds(orders: RawDocument[]): string[] {
  const byBizId = Map.groupBy(orders, (order) => `${String(order['workspaceId'])} ${String(order['bizId'])}`);
  return [...byBizId]
    .filter(([, same]) => same.length > 1)
    .map(([key, same]) => `bizId ${key} has ${same.length} orders`);
}

/** Invariant 1. */
function checkSums(wallets: RawDocument[]): string[] {
  const byCurrency = Map.groupBy(wallets, (wallet) => String(wallet['currency']));
  return [...byCurrency].flatMap(([currency, same]) => {
    const sum = same.reduce((total, wallet) => total + unitsOf(wallet['balance']), 0n);
    return sum === 0n ? [] : [`the balances of ${currency} sum to ${shown(sum)}, not to zero`];
  });
}

/** What workspaces and wallets say of the number of their orders. */
function checkTotals({ wallets, totals, orders }: RawBooks): string[] {
  const said = new Map<string, number>();
  const found = new Map<string, number>();
  const add = (to: Map<string, number>, key: string, by: unknown): void => {
    to.set(key, (to.get(key) ?? 0) + Number(by));
  };
  const addSaid = (prefix: string, byType: object): void => {
    for (const [type, byStatus] of Object.entries(byType)) {
      for (const [status, number] of Object.entries(byStatus as object))
        add(said, `${prefix} ${type} ${status}`, number);
    }
  };
  for (const { workspaceId, orders: byCurrency = {} } of totals) {
    for (const [currency, byType] of Object.entries(byCurrency as Record<string, object>)) {
      addSaid(`workspace ${String(workspaceId)} ${currency}`, byType);
    }
  }
  for (const { _id, orders: byType = {} } of wallets) addSaid(`wallet ${_id}`, byType as object);
  for (const order of orders) {
    const { workspaceId, type, status } = order;
    if (status !== 'COMPLETED' && status !== 'FAILED') continue;
    const counted = `${String(type)} ${status}`;
    const currencies = new Set(legsIn(order).map(({ currency }) => currency));
    for (const currency of currencies) add(found, `workspace ${String(workspaceId)} ${String(currency)} ${counted}`, 1);
    // One of several currencies counts once in the sum of all.
    add(found, `workspace ${String(workspaceId)} - ${counted}`, 1 - currencies.size);
    for (const id of walletsIn(order)) add(found, `wallet ${String(id)} ${counted}`, 1);
  }
  return [...new Set([...said.keys(), ...found.keys()])]
    .filter((key) => (said.get(key) ?? 0) !== (found.get(key) ?? 0))
    .map((key) => `${key}: ${said.get(key) ?? 0} orders are said, there are ${found.get(key) ?? 0}`);
}
