/** The states in which orders are counted: those that they keep. */
export const countedStatuses = ['COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type CountedStatus = (typeof countedStatuses)[number];

/** Numbers of orders by type and state. What is absent is none. */
export type OrderCounts = Readonly<Record<string, Readonly<Partial<Record<CountedStatus, number>>>>>;

/** How many orders of a type are in a state; of any type, if none is named. */
export function numberIn(counts: OrderCounts, status: CountedStatus, type?: string): number {
  if (type !== undefined) return counts[type]?.[status] ?? 0;
  return Object.values(counts).reduce((sum, ofType) => sum + (ofType[status] ?? 0), 0);
}

/** The counts with one order more. */
export function withOneMore(counts: OrderCounts, type: string, status: CountedStatus): OrderCounts {
  const ofType = counts[type];
  return { ...counts, [type]: { ...ofType, [status]: (ofType?.[status] ?? 0) + 1 } };
}
