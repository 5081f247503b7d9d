import { Money } from './money.ts';
import type { LimitUse } from './limits.ts';

/** When an alert is true: one of the three. */
export interface AlertCondition {
  readonly availableBelow?: Money;
  readonly availableAbove?: Money;
  /** A share of a limit of the wallet, as a decimal from 0.0001 to 1. */
  readonly limitUsed?: { readonly limit: string; readonly share: string };
}

export const alertStates = ['raised', 'cleared'] as const;
export type AlertState = (typeof alertStates)[number];

/** What a wallet's owner wants to be told once, each time that it becomes true, and each time that it ends. */
export interface Alert extends AlertCondition {
  /** Unique among those of its wallet. */
  readonly name: string;
  readonly state: AlertState;
  /** When it last changed its state, or was set. */
  readonly since: Date;
}

/** An alert was raised or cleared: what its wallet had at that moment. */
export interface AlertEvent {
  readonly workspaceId: string;
  readonly walletId: string;
  readonly currency: string;
  readonly name: string;
  readonly state: AlertState;
  /** Counts the wallet's alert events, from 1. */
  readonly number: number;
  readonly available: Money;
  readonly balance: Money;
  readonly held: Money;
  /** Of its last flow. */
  readonly sequence: number;
  /** The limit of which a share is used, as it stood; null of others, and where it is gone. */
  readonly limit: LimitUse | null;
  readonly at: Date;
}

/** Whether any of some alerts tells of a limit, so that what its wallet has used has to be known. */
export function areAboutLimits(alerts: readonly AlertCondition[]): boolean {
  return alerts.some(({ limitUsed }) => limitUsed !== undefined);
}

/** Whether a condition holds. @param limit the one that it names, with its use; undefined if that is gone. */
export function isTrue(
  { availableBelow, availableAbove, limitUsed }: AlertCondition,
  available: Money,
  limit: LimitUse | undefined,
): boolean {
  if (availableBelow !== undefined) return available.lessThan(availableBelow);
  if (availableAbove !== undefined) return available.greaterThan(availableAbove);
  if (limit === undefined || limitUsed === undefined) return false;
  const { amount, count, used, usedCount } = limit;
  const share = new Money(limitUsed.share);
  return (
    (amount !== undefined && used.greaterThanOrEqualTo(share.times(amount))) ||
    (count !== undefined && share.times(count).lessThanOrEqualTo(usedCount))
  );
}

/** A wallet, as far as its alerts go. */
interface WatchedWallet {
  readonly id: string;
  readonly workspaceId: string;
  readonly currency: string;
  readonly balance: Money;
  readonly held: Money;
  readonly sequence: number;
  readonly alerts?: readonly Alert[];
  readonly alertEvents?: number;
}

/**
 * Raises the alerts of a wallet that have become true, and clears those that no longer are, once for all that a transaction
 * changes. Pure. @param available what the wallet may spend. @param uses of its limits, as it is now; none are needed
 * unless {@link areAboutLimits}. @param at the moment of the change.
 * @returns the alerts and the number of their events, as they are then, and the new events.
 */
export function judgeAlerts(
  { id, workspaceId, currency, balance, held, sequence, alerts = [], alertEvents = 0 }: WatchedWallet,
  available: Money,
  uses: readonly LimitUse[],
  at: Date,
): { readonly alerts: readonly Alert[]; readonly alertEvents: number; readonly events: readonly AlertEvent[] } {
  const events: AlertEvent[] = [];
  const judged = alerts.map((alert): Alert => {
    const limit = uses.find(({ name }) => name === alert.limitUsed?.limit);
    const state = isTrue(alert, available, limit) ? 'raised' : 'cleared';
    if (state === alert.state) return alert;
    const of = { workspaceId, currency, balance, held, sequence, walletId: id, name: alert.name };
    events.push({ ...of, state, number: alertEvents + events.length + 1, available, limit: limit ?? null, at });
    return { ...alert, state, since: at };
  });
  return { alerts: judged, alertEvents: alertEvents + events.length, events };
}
