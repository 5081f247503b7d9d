import type { PatternName } from '../load/patterns.ts';

/** Names of the lines that others are compared with. */
export const insertManyName = 'limit: insertMany of orders';
export const signedName = (kind: 'create' | 'read'): string => `limit: signed ${kind}s, nothing done`;
export const naivePostName = (pattern: PatternName): string => `naive: post, ${pattern}`;
export const naiveEndToEndName = (pattern: PatternName): string => `naive: end to end, ${pattern}`;
export const inFlightName = (count: number): string =>
  `end to end, waiting, ${count.toLocaleString('en-US')} in flight`;
export const naiveIdleName = 'naive: idle';
