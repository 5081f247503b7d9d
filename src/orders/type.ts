import type { z } from 'zod';
import type { Effect, Move } from '../domain/effects.ts';
import type { Scope } from '../domain/scopes.ts';
import type { ErrorName } from '../errors.ts';
import type { DecimalsOf } from './body.ts';
import type { Terms } from './order.ts';

/** What of its terms a type looks at. */
type OwnTerms = Omit<Terms, 'type'>;

/** A wallet that an order names, with the field of the request that names it. */
export interface NamedWallet {
  readonly field: string;
  readonly id: string;
}

/**
 * All that the service knows of a type of order. To add one: a file beside the others, and its line in `types.ts`. Nothing
 * else asks for the type of an order.
 */
export interface OrderType {
  readonly name: string;
  /** The endpoint that makes such orders; absent if only the administrator makes them. */
  readonly command?: Command;
  /**
   * The wallets that it names, in the order in which they are checked. Posting reads them, two groups under way never share
   * one, and the order stands in the list of each.
   */
  readonly wallets: (order: OwnTerms) => readonly NamedWallet[];
  /** Which side is the workspace's EXTERNAL wallet; absent if neither is. */
  readonly external?: 'source' | 'target';
  /** What its posting does: all of it, or none. Pure. */
  readonly effects: (order: OwnTerms) => readonly Effect[];
  /**
   * What `verify` expects of a COMPLETED one: a debit and a credit for each move. It is said apart from the effects. Absent if
   * such orders move nothing.
   */
  readonly flows?: (order: OwnTerms) => readonly Move[];
}

/** What a request says of an order, and what answers show of it. */
export type Asked = OwnTerms & { readonly bizId?: string };

/** The endpoint that makes orders of a type. */
export interface Command {
  readonly scope: Scope;
  /** The last part of its path. */
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  /** Validates the body, and describes it: with a name and an example. */
  readonly body: (decimalsOf: DecimalsOf) => z.ZodType<Asked>;
  /** What can be wrong with it, beside what can be wrong with the bizId and its wallets, and the load. */
  readonly errors: readonly ErrorName[];
}
