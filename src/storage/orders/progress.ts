import type { Decimal128 } from 'mongodb';
import { remainingOf, type Progress, type ProgressPart } from '../../domain/progress.ts';
import type { Posting } from '../../orders/fold.ts';
import type { GuardedUpdate } from '../shared/commands.ts';
import { fromDecimal128, toDecimal128 } from '../shared/decimal.ts';

/** How far an order is, as it is stored. */
export interface ProgressDocument extends Readonly<Record<ProgressPart, Decimal128>> {
  readonly hasExpired: boolean;
  /** Counts its changes: the guard of a conditional update. */
  readonly changes: number;
}

/** Writes how far the orders are that a posting used, if nobody used them since they were read. */
export function progressUpdates({ parents, postedAt }: Posting): GuardedUpdate[] {
  return parents.map(({ id, workspaceId, amount, progress, changes, expiresAt }) => ({
    // Absent before the first change, which this finds as null.
    filter: { workspaceId, _id: id, 'progress.changes': changes === 0 ? null : changes },
    set: {
      progress: {
        reversed: toDecimal128(progress.reversed),
        captured: toDecimal128(progress.captured),
        released: toDecimal128(progress.released),
        hasExpired: progress.hasExpired,
        changes: changes + 1,
      },
      updatedAt: postedAt,
      // Also if it was due before: what is released then may be another amount.
      ...(expiresAt === undefined ? {} : { dueAt: remainingOf({ amount, progress }).isZero() ? null : expiresAt }),
    },
    count: 1,
  }));
}

export function toProgress({ reversed, captured, released, hasExpired }: ProgressDocument): Progress {
  return {
    reversed: fromDecimal128(reversed),
    captured: fromDecimal128(captured),
    released: fromDecimal128(released),
    hasExpired,
  };
}
