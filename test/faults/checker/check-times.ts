import type { RawBooks, RawDocument } from './books.ts';

/** Wide enough for machines that keep their clocks by NTP. */
const aheadMaxMs = 1_000;
const orderTimes = ['createdAt', 'updatedAt', 'completedAt'];
const flowTimes = ['createdAt'];

/** Nothing has a time that had not come when the books were read. @returns a sentence for each breach. */
export function checkTimes({ orders, flows, readAtMs }: RawBooks): string[] {
  return [
    ...orders.flatMap((order) => checkDocument(`order ${order._id}`, order, orderTimes, readAtMs)),
    ...flows.flatMap((flow) => checkDocument(`flow ${flow._id}`, flow, flowTimes, readAtMs)),
  ];
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
