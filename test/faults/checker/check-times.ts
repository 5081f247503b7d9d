import type { RawBooks, RawDocument } from './books.ts';

/** Wide enough for machines that keep their clocks by NTP. */
const aheadMaxMs = 1_000;
const orderTimes = ['createdAt', 'updatedAt', 'completedAt'];
const flowTimes = ['createdAt'];

/**
 * Nothing has a time that had not come when the books were read, and no flow of a wallet one before that of the flow before it.
 * @returns a sentence for each breach.
 */
export function checkTimes({ orders, flows, readAtMs }: RawBooks): string[] {
  return [
    ...orders.flatMap((order) => checkDocument(`order ${order._id}`, order, orderTimes, readAtMs)),
    ...flows.flatMap((flow) => checkDocument(`flow ${flow._id}`, flow, flowTimes, readAtMs)),
    ...[...Map.groupBy(flows, (flow) => String(flow['walletId'])).values()].flatMap(checkSequence),
  ];
}

function checkSequence(ofWallet: readonly RawDocument[]): string[] {
  const inTurn = ofWallet.toSorted((a, b) => Number(a['sequence']) - Number(b['sequence']));
  return inTurn
    .filter((flow, index) => index > 0 && Number(flow['createdAt']) < Number(inTurn[index - 1]!['createdAt']))
    .map((flow) => `flow ${flow._id} is dated before the flow before it`);
}

function checkDocument(name: string, document: RawDocument, times: readonly string[], readAtMs: number): string[] {
  return times.flatMap((key) => {
    const value: unknown = document[key];
    if (value === null) return [];
    if (!(value instanceof Date)) return [`${name} has no time as its ${key}`];
    const aheadMs = value.getTime() - readAtMs;
    if (aheadMs <= aheadMaxMs) return [];
    return [`${name}: ${key} ${value.toISOString()} lay ${aheadMs} ms ahead when the books were read`];
  });
}
