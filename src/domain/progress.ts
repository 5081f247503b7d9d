import { Money } from './money.ts';

/** The ways in which later orders use a part of an order. */
export const progressParts = ['reversed', 'captured', 'released'] as const;
export type ProgressPart = (typeof progressParts)[number];

/** How much of an order later orders have used: of a transfer what was reversed, of a hold what was captured and released. */
export type Progress = Readonly<Record<ProgressPart, Money>> & {
  /** Whether the last of it was released by its expiry. */
  readonly hasExpired: boolean;
};

/** An order that another refers to, as far as that one can change it. */
export interface Parent {
  readonly id: string;
  readonly amount: Money;
  readonly progress: Progress;
}

const nothing = new Money(0);
export const noProgress: Progress = { reversed: nothing, captured: nothing, released: nothing, hasExpired: false };

/** What of an order can still be used. @param progress absent before the first use. */
export function remainingOf({
  amount,
  progress = noProgress,
}: {
  readonly amount: Money;
  readonly progress?: Progress;
}): Money {
  return progressParts.reduce((rest, part) => rest.minus(progress[part]), amount);
}
