/** What can be wrong with the books, by the rule that is broken. */
export const breachKinds = {
  'currency-sum': 'the balances of a currency do not sum to zero',
  'wallet-missing': 'there are flows of a wallet that does not exist',
  'wallet-balance': "a wallet's balance is not that after its last flow",
  'wallet-sequence': "a wallet's sequence is not that of its last flow",
  'wallet-debits': "a wallet's debits, or their number, or that of their orders, are not those of its flows",
  'wallet-completed': "a wallet's number of COMPLETED orders is not that of its flows, or of its orders without flows",
  'wallet-failures': "a wallet's number of FAILED orders is not that of its orders",
  'wallet-cancelled': "a wallet's number of CANCELLED orders is not that of its orders",
  'wallet-hash': "a wallet's hash is not that of its last flow",
  'wallet-closed': 'a CLOSED wallet has money',
  'wallet-times': "a wallet's times are not those of its making and its last flow",
  'wallet-fields': 'a wallet has what cannot be read',
  'negative-balance': 'a wallet other than EXTERNAL has less than nothing available, or was below zero without credit',
  'wallet-held': "a wallet's held amount, or its number of open holds, is not that of its open holds",
  'wallet-alerts': "the state of a wallet's alert is not what the wallet's last change left",
  'limit-passed': "an order took more out of a wallet than the wallet's limit let pass",
  'key-budgets': "the use of a key's budget is not that of the orders that the key made",
  'sequence-gap': 'a flow is missing',
  'flow-id': "a flow's id is not that of its wallet and sequence",
  'flow-chain': "a flow's balance before is not the balance after the flow before it",
  'flow-arithmetic': "a flow's balances do not differ by its amount",
  'flow-debits':
    "a flow's debits so far, or the number of their orders, are not those of the flow before it and its own",
  'flow-hash': 'a flow, or the one before it, was altered',
  'flow-time': 'a flow is dated before the flow before it, or otherwise than its order',
  'flow-currency': "a flow's currency is not that of its wallet",
  'flow-workspace': "a flow's workspace is not that of its wallet",
  'flow-without-order': 'a flow belongs to no order',
  'flow-of-open-order': 'a flow belongs to an order that is not COMPLETED',
  'flow-not-as-ordered': 'a flow has another wallet, amount or currency than its order',
  'order-flows': 'a COMPLETED order has not exactly the flows of its type',
  'order-fields': "an order's fields do not fit its status or its type",
  'order-digest': 'an order was altered since it was recorded',
  'order-times': "an order's times contradict each other",
  'order-due': 'the service is to do something about an order by itself, and not at the time of its terms, or never',
  'order-names': 'an order names a wallet or an order that does not fit it',
  'posted-early': 'an order ended before the time at which it was to be posted',
  'batch-split': 'the orders of an atomic batch ended differently, or do not name each other',
  'order-uses': 'what was captured, released or reversed of an order is not what the orders that refer to it did',
  'order-totals': "a workspace's number of orders of a type in a state is not that of its orders",
  'wallet-totals': "a workspace's number of wallets in a state is not that of its wallets",
  outbox: 'what was written for webhooks is not so',
  'stray-id': "a document's id is not text",
} as const;

export type BreachKind = keyof typeof breachKinds;

export interface Breach {
  readonly kind: BreachKind;
  /** The id of the flow, wallet, order, key or workspace at fault; for a sum, the currency. */
  readonly id: string;
  /** A sentence that says what was found and what was expected. */
  readonly message: string;
}

export type Report = (kind: BreachKind, id: string, message: string) => void;

/** For a check whose breaches are told later, or not at all. */
export function collectBreaches(): { readonly breaches: Breach[]; readonly report: Report } {
  const breaches: Breach[] = [];
  return { breaches, report: (kind, id, message) => breaches.push({ kind, id, message }) };
}
