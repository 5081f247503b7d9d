import { releaseOfExpired } from '../orders/release.ts';
import type { DueSources, DueWork } from './due-rounds.ts';

/** So that what was accepted in the last moment before the expiry is stored by then, and is waited for. */
export const expiryGraceMs = 700;

/** Releases what is left of holds that have expired, within two seconds, by orders that workers post as any other. */
export function expiry({ collections: { dueOrders }, clock }: DueSources): DueWork {
  return {
    lease: 'expiry',
    what: 'releasing what has expired',
    cannot: 'a hold that has expired cannot be released',
    status: 'COMPLETED',
    graceMs: expiryGraceMs,
    act: (workspaceId, ids) => dueOrders.releaseExpired(workspaceId, ids, (hold) => releaseOfExpired(hold, clock())),
  };
}
