import type { Decimal128 } from 'mongodb';
import { noProgress, remainingOf, type Progress, type ProgressPart } from '../../domain/progress.ts';
import type { ParentOrder, Posting } from '../../orders/fold.ts';
import type { GuardedUpdate } from '../shared/commands.ts';
import { fromDecimal128, toDecimal128 } from '../shared/decimal.ts';

/** How far an order is, as it is stored: its only leg, or how much of each leg was reversed. */
export type ProgressDocument = (
  | (Readonly<Record<ProgressPart, Decimal128>> & { readonly hasExpired: boolean })
  | { readonly reversedLegs: readonly Decimal128[] }
) & {
  /** Counts its changes: the guard of a conditional update. */
  readonly changes: number;
};

/** Writes how far the orders are that a posting used, if nobody used them since they were read. */
export function progressUpdates({ parents, postedAt }: Posting): GuardedUpdate[] {
  return parents.map((parent) => ({
    // Absent before the first change, which this finds as null.
    filter: {
      workspaceId: parent.workspaceId,
      _id: parent.id,
      'progress.changes': parent.changes === 0 ? null : parent.changes,
    },
    set: { progress: documentOf(parent), updatedAt: postedAt, ...dueIn(parent) },
    count: 1,
  }));
}

function documentOf({ legs, changes: before }: ParentOrder): ProgressDocument {
  const changes = before + 1;
  const [first] = legs;
  if (first === undefined || legs.length > 1)
    return { reversedLegs: legs.map(({ progress }) => toDecimal128(progress.reversed)), changes };
  const { reversed, captured, released, hasExpired } = first.progress;
  return {
    reversed: toDecimal128(reversed),
    captured: toDecimal128(captured),
    released: toDecimal128(released),
    hasExpired,
    changes,
  };
}

/** Also if it was due before: what is released then may be another amount. */
function dueIn({ expiresAt, legs: [leg] }: ParentOrder): { readonly dueAt?: Date | null } {
  if (expiresAt === undefined || leg === undefined) return {};
  return { dueAt: remainingOf(leg).isZero() ? null : expiresAt };
}

/** @returns one for each leg. */
export function toProgress(document: ProgressDocument): readonly Progress[] {
  if ('reversedLegs' in document)
    return document.reversedLegs.map((reversed) => ({ ...noProgress, reversed: fromDecimal128(reversed) }));
  const { reversed, captured, released, hasExpired } = document;
  return [
    {
      reversed: fromDecimal128(reversed),
      captured: fromDecimal128(captured),
      released: fromDecimal128(released),
      hasExpired,
    },
  ];
}
