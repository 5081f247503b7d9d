import type { Checked } from './check.ts';
import type { Fed } from './feed.ts';
import type { Verified } from './verify.ts';

/** What a run has to have come to. */
export interface Expected {
  completed: number;
  failed: number;
  /** Orders in jobs that were put into the queue, the doubled ones twice. */
  delivered: number;
  /** Orders in the second jobs of the doubled ones. */
  doubled: number;
  /** Of those, the ones whose first job was out of the workers' hands before the second came into them. */
  doubledApart: number;
}

export interface Outcome {
  fed: Fed;
  verified: Verified;
  checked: Checked;
}

/** @returns a sentence for each breach. */
export function judge(expected: Expected, { fed, verified, checked }: Outcome): string[] {
  const states = { COMPLETED: expected.completed, FAILED: expected.failed, PENDING: 0 };
  return [
    ...judgeDeliveries(expected, fed),
    ...verified.breaches.map((breach) => `admin verify: ${breach}`),
    ...(verified.exitCode === 0 ? [] : [`admin verify ended with ${verified.exitCode ?? 'a signal'}`]),
    ...judgeCounts('admin verify', states, verified.summary),
    ...checked.breaches.map((breach) => `checker: ${breach}`),
    ...judgeCounts('the checker', states, checked),
  ];
}

/** Doubled jobs that never reached a worker would make sound books a matter of course. */
function judgeDeliveries({ delivered, doubledApart }: Expected, { results }: Fed): string[] {
  const breaches: string[] = [];
  const { completed, failed, skipped, setAside } = results;
  const finished = completed + failed + skipped + setAside;
  if (finished !== delivered) breaches.push(`the workers finished ${finished} orders in their jobs, of ${delivered}`);
  if (setAside > 0) breaches.push(`${setAside} orders were set aside`);
  // Which jobs a worker has in hand at once is nearly, not quite, the order in which they were put in.
  if (skipped < doubledApart / 2) {
    breaches.push(`${doubledApart} orders came again after they were posted, and only ${skipped} were skipped`);
  }
  return breaches;
}

function judgeCounts(
  who: string,
  states: Record<string, number>,
  found: Pick<Checked, 'byStatus' | 'orders' | 'flows'> | undefined,
): string[] {
  if (found === undefined) return [`${who} gave no summary`];
  const total = Object.values(states).reduce((sum, count) => sum + count, 0);
  const flows = 2 * (states['COMPLETED'] ?? 0);
  return [
    ...Object.entries(states)
      .filter(([status, count]) => (found.byStatus[status] ?? 0) !== count)
      .map(([status, count]) => `${who} finds ${found.byStatus[status] ?? 0} orders ${status}, and there are ${count}`),
    ...(found.orders === total ? [] : [`${who} finds ${found.orders} orders, and there are ${total}`]),
    ...(found.flows === flows ? [] : [`${who} finds ${found.flows} flows, and there are ${flows}`]),
  ];
}
