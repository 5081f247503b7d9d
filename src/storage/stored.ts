import type { Decimal128 } from 'mongodb';
import type { Money } from '../domain/money.ts';

/** A resource as MongoDB has it: named by `_id`, and money as Decimal128; all else is stored as it is. */
export type Stored<T extends { readonly id: string }> = { readonly _id: string } & {
  readonly [K in keyof T as Exclude<K, 'id'>]: T[K] extends Money ? Decimal128 : T[K];
};
