import type { Claimed } from './claimGroup.ts';

/**
 * How groups get on beside other processes: most of one could be posted without asking for a turn; or, since the last such
 * one, none could be begun for {@link heldUpMaxMs} in all, in the end because of claims of the one that is named.
 */
export type Passage = { readonly kind: 'free' } | { readonly kind: 'held up'; readonly by: string };

/** Several groups of the others; less than an order's patience, so that who leaves does not ask for a turn first. */
export const heldUpMaxMs = 200;

/** Watches what claims of groups come to, and tells how they get on. */
export function createPassages(onPassage: (passage: Passage) => void) {
  let inFlight = 0;
  let heldUpMs = 0;
  /** Counted until then; undefined while a group is in flight, or none waits. */
  let heldUpSince: number | undefined;

  function count(): void {
    const now = performance.now();
    if (heldUpSince !== undefined) heldUpMs += now - heldUpSince;
    heldUpSince = now;
  }

  function forget(): void {
    heldUpMs = 0;
    heldUpSince = undefined;
  }

  return {
    claimed({ group, hasTurn, refusedBy }: Claimed<unknown>, picked: readonly unknown[]): void {
      if (group.length > 0) {
        if (hasTurn || 2 * group.length < picked.length) return;
        forget();
        onPassage({ kind: 'free' });
      } else if (refusedBy !== undefined && inFlight === 0) {
        count();
        if (heldUpMs > heldUpMaxMs) onPassage({ kind: 'held up', by: refusedBy });
      }
    },
    begun(): void {
      count();
      inFlight += 1;
      heldUpSince = undefined;
    },
    ended(): void {
      inFlight -= 1;
    },
    /** What was held up is another's now. */
    forget,
  };
}
