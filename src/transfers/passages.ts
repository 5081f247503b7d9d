import type { Claimed } from './claimGroup.ts';

/**
 * How groups get on beside other processes: most of one could be posted without asking for a turn; or none was for longer
 * than {@link heldUpForLongMs}, because of claims of the one that is named.
 */
export type Passage = { readonly kind: 'free' } | { readonly kind: 'held up'; readonly by: string };

/** Several groups of the others; less than an order's patience, so that who leaves does not ask for a turn first. */
const heldUpForLongMs = 300;

/** Watches what claims of groups come to, and tells how they get on. */
export function createPassages(onPassage: (passage: Passage) => void) {
  let inFlight = 0;
  let heldUpAt: number | undefined;
  return {
    claimed({ group, hasTurn, refusedBy }: Claimed<unknown>, picked: readonly unknown[]): void {
      if (group.length > 0) {
        if (!hasTurn && 2 * group.length >= picked.length) onPassage({ kind: 'free' });
        return;
      }
      if (refusedBy === undefined || inFlight > 0) return;
      const now = performance.now();
      heldUpAt ??= now;
      if (now - heldUpAt > heldUpForLongMs) onPassage({ kind: 'held up', by: refusedBy });
    },
    begun(): void {
      inFlight += 1;
      heldUpAt = undefined;
    },
    ended(): void {
      inFlight -= 1;
    },
    /** What was held up is another's now. */
    forget(): void {
      heldUpAt = undefined;
    },
  };
}
