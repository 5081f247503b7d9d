import { Money } from './money.ts';

/** The ways in which later orders use a part of an order. */
export const progressParts = ['reversed', 'captured', 'released'] as const;
export type ProgressPart = (typeof progressParts)[number];

/** How much of a leg later orders have used: of a move what was reversed, of a hold what was captured and released. */
export type Progress = Readonly<Record<ProgressPart, Money>> & {
  /** Whether the last of it was released by its expiry. */
  readonly hasExpired: boolean;
};

/** An order that another refers to, as far as that one can change it. */
export interface Parent {
  readonly id: string;
  /** In the order of its legs. */
  readonly legs: readonly UsedLeg[];
}

export interface UsedLeg {
  readonly amount: Money;
  readonly progress: Progress;
}

const nothing = new Money(0);
export const noProgress: Progress = { reversed: nothing, captured: nothing, released: nothing, hasExpired: false };

/** What of a leg can still be used. */
export function remainingOf({ amount, progress }: UsedLeg): Money {
  return progressParts.reduce((rest, part) => rest.minus(progress[part]), amount);
}
