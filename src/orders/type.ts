import type { z } from 'zod';
import type { Effect, Failure, FailureName } from '../domain/effects.ts';
import type { Money } from '../domain/money.ts';
import type { Parent, ProgressPart } from '../domain/progress.ts';
import type { Scope } from '../domain/scopes.ts';
import type { ErrorName } from '../errors.ts';
import type { DecimalsOf, WrongTime } from './body.ts';
import type { CreateOrderInput, HoldState, Leg, Order, OrderToPost, OrderValues } from './order.ts';

/** What an order is made in and from, beside what was asked. */
export interface CreateContext {
  readonly workspaceId: string;
  /** The order that it refers to, if its type refers to one. */
  readonly parent: Order | undefined;
  readonly now: Date;
}

/** What posting an order finds. */
export interface PostingContext {
  /** The order that it refers to, as the orders before have left it; undefined if its type refers to none. */
  readonly parent: Parent | undefined;
  readonly postedAt: Date;
}

/** What an answer shows of an order beside what every order has. */
export interface Shown {
  readonly hold?: {
    readonly state: HoldState | null;
    readonly captured: Money;
    readonly released: Money;
    readonly remaining: Money;
    readonly expiresAt: Date;
  };
}

/** What an order has of its own, unless it has legs. */
export const ownOfLeg = ['sourceWalletId', 'targetWalletId', 'amount', 'currency'] as const;
export type OwnOfLeg = (typeof ownOfLeg)[number];

/**
 * All that the service knows of a type of order. To add one: a file beside the others, and its line in `types.ts`. Nothing
 * else asks for the type of an order.
 */
export interface OrderType {
  readonly name: string;
  /** The endpoint that makes such orders; absent if clients cannot. */
  readonly command?: Command;
  /** What an order of it refers to; absent if to nothing. */
  readonly parent?: ParentRule;
  /** The fields by which a request names the wallets of a leg. @param leg its place, if the request names legs. */
  readonly walletFields: (leg: number | undefined) => Readonly<Record<'source' | 'target', string>>;
  /** Whether the wallets of its legs are checked before it is recorded, and not only when it is posted; they are, if absent. */
  readonly checksWallets?: boolean;
  /** Which side is the workspace's EXTERNAL wallet; 'sometimes' by what the order refers to or leaves out. */
  readonly external?: Readonly<Partial<Record<'source' | 'target', 'always' | 'sometimes'>>>;
  /** Completes what was asked to an order's values. Pure. */
  readonly values: (input: CreateOrderInput, context: CreateContext) => OrderValues;
  /** Whether it is posted only once no other order that refers to the same one is still to be posted; never, if absent. */
  readonly defers?: (order: Pick<Order, 'terms'>) => boolean;
  /** What its posting does: all of it, or none. @returns why it fails, if it does whatever its wallets hold. Pure. */
  readonly effects: (order: OrderToPost, finding: PostingContext) => readonly Effect[] | Failure;
  /** Whether each leg of a COMPLETED one leaves a debit and a credit. It is said apart from the effects, for `verify`. */
  readonly leavesFlows: boolean;
  /** Whether its legs can be reversed. */
  readonly isReversible?: true;
  /** Whether limits of wallets let an order of it pass, though it counts; not, if absent. */
  readonly isOverLimits?: (order: Pick<OrderToPost, 'terms'>) => boolean;
  /** Whether what it takes counts towards the budgets of the key that made it. */
  readonly drawsOnBudget?: true;
  /** What a COMPLETED one reserves still, and on which wallet, for `verify`. Absent if such orders reserve nothing. */
  readonly reserves?: (order: Pick<OrderToPost, 'legs'> & Pick<Order, 'progress'>) => Reserved;
  readonly shows?: (order: Order) => Shown;
  /** When an order of it has legs, and which of its own wallets, amount and currency it then may lack. Never, if absent. */
  readonly legs?: { readonly when: 'always' | 'sometimes'; readonly replace: readonly OwnOfLeg[] };
}

/** Which orders an order may refer to, and when. */
export interface ParentRule {
  /**
   * Whether who made that order has allowed this use of it, money from or to the world outside included. If absent, this takes
   * the scope `transfer:fund` as well.
   */
  readonly isGranted?: true;
  /** Why it cannot refer to an order of this type; undefined if it can. @param type undefined if this release does not know it. */
  readonly refusesType: (type: OrderType | undefined) => ErrorName | undefined;
  /** Why a request's form does not fit the order that it refers to; undefined if it does. */
  readonly refusesForm?: (parent: Order, input: CreateOrderInput) => Misfit | undefined;
  /** Why nothing, or not so much, of a COMPLETED order can be used now; undefined if it can. */
  readonly refusesUse: (parent: Order, input: CreateOrderInput, now: Date) => Unusable | undefined;
  /** What a leg has by the leg that it uses. @param isNamed whether the request named its legs. */
  readonly legBy: (parentLeg: Omit<Leg, 'amount'>, isNamed: boolean) => Partial<Leg>;
  /** What an order that refers to it uses of it once it is COMPLETED, for `verify`. */
  readonly uses: (order: Pick<OrderToPost, 'terms'>) => Use;
}

/** What of a request's form is wrong. */
export interface Misfit {
  readonly reason: ErrorName;
  readonly field: string;
  readonly value?: string;
}

export interface Unusable {
  readonly reason: FailureName;
  /** What helps to mend it: the state of the order, or how much of it is left. */
  readonly value: string | Money;
  /** The field at fault; the one that names the order, if absent. */
  readonly field?: string | undefined;
  /** Of which leg that is left; the first, if absent. */
  readonly leg?: number;
}

export interface Reserved {
  readonly walletId: string;
  readonly amount: Money;
}

/** A part of an order that another has used. */
export interface Use {
  readonly part: ProgressPart;
  /** Whether nothing is left of it afterwards. */
  readonly closes: boolean;
  /** Whether that is its expiry; not, if absent. */
  readonly isExpiry?: boolean;
}

/** The endpoint that makes orders of a type. */
export interface Command {
  readonly scope: Scope;
  /** A second scope that this request needs; undefined if none. */
  readonly alsoNeeds?: (input: CreateOrderInput) => Scope | undefined;
  /** The last part of its path. */
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  /** What the order does, and how it can end; in Markdown. */
  readonly description: string;
  /** Validates the body, and describes it: with a name and an example. */
  readonly body: (decimalsOf: DecimalsOf) => z.ZodType<Omit<CreateOrderInput, 'type'>>;
  /** What is wrong with a time that must lie ahead; judged only after no order was found that the request repeats. */
  readonly refusesTime?: (input: CreateOrderInput, now: Date) => WrongTime | undefined;
  /** What can be wrong with it, beside what can be wrong with the bizId and its wallets, and how many orders wait. */
  readonly errors: readonly ErrorName[];
}
