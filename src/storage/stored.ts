import type { Decimal128 } from 'mongodb';
import type { Money } from '../domain/money.ts';

/** A resource as MongoDB stores it: its id is `_id`, and money is Decimal128. The rest is as it is in the domain. */
export type Stored<T extends { readonly id: string }> = { readonly _id: string } & {
  readonly [K in keyof T as Exclude<K, 'id'>]: T[K] extends Money ? Decimal128 : T[K];
};
