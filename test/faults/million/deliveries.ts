import type { Choices } from '../harness/choices.ts';

/** One job in the queue. */
export interface Delivery {
  /** Which part of the orders it carries. */
  job: number;
  /** That part was put into the queue before. */
  isAgain: boolean;
}

/** Every job once, in order, and `doubledPercent` of them once more, each at a random later place. */
export function planDeliveries(jobs: number, doubledPercent: number, choices: Choices): Delivery[] {
  const rest = Array.from({ length: jobs }, (_, job) => job);
  const againAfter = new Map<number, number[]>();
  for (let count = Math.round((jobs * doubledPercent) / 100); count > 0; count -= 1) {
    const [job] = rest.splice(choices.whole(0, rest.length - 1), 1);
    const place = choices.whole(job!, jobs - 1);
    againAfter.set(place, [...(againAfter.get(place) ?? []), job!]);
  }
  return Array.from({ length: jobs }, (_, job) => job).flatMap((job) => [
    { job, isAgain: false },
    ...(againAfter.get(job) ?? []).map((again) => ({ job: again, isAgain: true })),
  ]);
}

/** The second deliveries that come more than `apart` places after their first. */
export function deliveredApart(plan: readonly Delivery[], apart: number): Delivery[] {
  const firstAt = new Map<number, number>();
  return plan.filter(({ job, isAgain }, place) => {
    if (!isAgain) firstAt.set(job, place);
    return isAgain && place - (firstAt.get(job) ?? 0) > apart;
  });
}
