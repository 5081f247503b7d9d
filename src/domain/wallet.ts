import type { Alert } from './alerts.ts';
import type { Limit } from './limits.ts';
import type { Listed, Money } from './money.ts';
import type { OrderCounts } from './order-counts.ts';

export const walletStatuses = ['ACTIVE', 'FROZEN', 'CLOSED'] as const;
export type WalletStatus = (typeof walletStatuses)[number];

/** EXTERNAL stands for the world outside: the one wallet of a workspace and currency that needs no credit to go below zero. */
export type WalletKind = 'STANDARD' | 'EXTERNAL';

export interface Wallet {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  /** The client's own; unique in the workspace. Absent if none was given. */
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly currency: string;
  readonly kind: WalletKind;
  readonly status: WalletStatus;
  readonly balance: Money;
  /** How much of the balance is reserved by holds. */
  readonly held: Money;
  /** How many holds reserve that. */
  readonly openHolds: number;
  /** How far the balance may be below zero. */
  readonly creditLimit: Money;
  /** Number of the last flow, or 0. */
  readonly sequence: number;
  /** How many of its flows are debits. */
  readonly debitFlows: number;
  /** The sum of all its debits, which may have more digits than a balance. */
  readonly debits: Money;
  /** How many orders they are of. */
  readonly debitOrders: number;
  /** What may go out of it; absent if nothing but its balance limits that. */
  readonly limits?: readonly Limit[];
  /** What its owner wants to be told of; absent if nothing. */
  readonly alerts?: readonly Alert[];
  /** How many events its alerts have made; absent before the first. */
  readonly alertEvents?: number;
  /** How many orders with the wallet as source or target are COMPLETED or FAILED, by type. */
  readonly orders: OrderCounts;
  /** Hash of the last flow, hex; the empty string if there is none. */
  readonly flowHash: string;
  /** When the last flow was posted, or the wallet was made: no later flow is dated before it. */
  readonly lastFlowAt: Date;
  /** Counts every write of the wallet: the guard of a conditional update. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a wallet may spend. */
export function availableOf({ balance, held, creditLimit }: Pick<Wallet, 'balance' | 'held' | 'creditLimit'>): Money {
  // Most wallets hold nothing and have no credit, and each sum costs as much as a Decimal128.
  const free = held.isZero() ? balance : balance.minus(held);
  return creditLimit.isZero() ? free : free.plus(creditLimit);
}

/** When a posting at a time is dated on a wallet, whose flows never go back in time. */
export function dateOn({ lastFlowAt }: Pick<Wallet, 'lastFlowAt'>, postedAt: Date): Date {
  return lastFlowAt > postedAt ? lastFlowAt : postedAt;
}

export const directions = ['DEBIT', 'CREDIT'] as const;
export type Direction = (typeof directions)[number];

/** One side of a double entry: what one leg of an order did to one wallet. */
export interface Flow {
  readonly id: string;
  /** That of its wallet and its order, because no transfer leaves its workspace. Not hashed. */
  readonly workspaceId: string;
  readonly walletId: string;
  readonly sequence: number;
  readonly direction: Direction;
  readonly amount: Money;
  readonly currency: string;
  readonly balanceBefore: Money;
  readonly balanceAfter: Money;
  /**
   * The sum of the wallet's debits so far, this flow included. The credits so far are balanceAfter + debits. Not hashed,
   * because it follows from the flows before.
   */
  readonly debits: Money;
  /**
   * How many orders those debits are of. Of flows from before a wallet could have limits it is 0, but for those of the last month,
   * which are counted from the first of them. Not hashed either.
   */
  readonly debitOrders: number;
  readonly transferId: string;
  /** Which leg of its order it is a side of, from 0. */
  readonly leg: number;
  readonly counterpartyWalletId: string;
  readonly createdAt: Date;
  /** SHA-256, hex, over this flow's content and the previous flow's hash. */
  readonly hash: string;
}

/** Where a wallet stood at some moment: what its flows until then left. */
export interface Standing {
  /** Of the last of them; 0 where there was none yet. */
  readonly sequence: number;
  readonly balance: Money;
  /** The sum of all debits until then. That of the credits is balance + debits. */
  readonly debits: Money;
}

/** What of a wallet only posting needs. */
export type NeededToPost =
  | ('flowHash' | 'lastFlowAt' | 'debitFlows' | 'debits' | 'debitOrders' | 'openHolds' | 'orders')
  | ('alerts' | 'alertEvents');

/** A wallet as lists read it. */
export type ListedWallet = Listed<Omit<Wallet, NeededToPost>>;

/** A flow as lists read it: without its hash, which only `admin verify` needs, and the debits so far. */
export type ListedFlow = Listed<Omit<Flow, 'hash' | 'debits' | 'debitOrders'>>;
