import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { auditedBy } from './audited.ts';
import type { Actor } from '../storage/audit.ts';
import type { Collections } from '../storage/collections.ts';
import { pausePartition, type PauseVerb } from './pause.ts';
import { releaseAll, releaseOne } from './release.ts';

/** What an operator may do on the page. */
export type Action =
  | { readonly kind: 'release'; readonly id: string }
  | { readonly kind: 'release-all'; readonly fault: string | undefined }
  | { readonly kind: PauseVerb; readonly partition: number };

export type Actions = ReturnType<typeof createActions>;

type ActedOn = Pick<Collections, 'backlog' | 'auditEvents' | 'partitioning' | 'stuckOrders'>;

/** The most orders that one request releases, because a request has to end. The next one releases more. */
const releasedMax = 1_000;

/** @param token the operations token. Form keys are derived from it, so every web process accepts those of the others. */
export function createActions(
  { auditEvents, backlog, partitioning, stuckOrders }: ActedOn,
  token: string,
  clock: Clock,
) {
  const formKey = (user: string): string => createHmac('sha256', token).update(`form ${user}`).digest('base64url');
  return {
    /**
     * Does an action, with an event in the audit. If the event cannot be written, does nothing.
     * @returns the outcome, as a sentence. @throws if MongoDB or Redis is away.
     */
    async do(action: Action, who: Actor, reason: string): Promise<string> {
      const audited = auditedBy(auditEvents, who);
      switch (action.kind) {
        case 'release': {
          const order = await backlog.find(action.id);
          const isReleased =
            order?.stuckSince instanceof Date && (await releaseOne(stuckOrders, audited, order, reason));
          if (!isReleased) return 'This order is not set aside.';
          return 'The order is released: a worker takes it up within seconds.';
        }
        case 'release-all': {
          const { fault } = action;
          const released = await releaseAll(stuckOrders, audited, { reason, fault, countMax: releasedMax }, clock);
          const more = released === releasedMax ? ' There may be more: do it again.' : '';
          return `${released} orders are released: workers take them up within seconds.${more}`;
        }
        case 'pause':
        case 'resume': {
          const { kind: verb, partition } = action;
          const isThere = await pausePartition(partitioning, audited, { verb, partition, reason });
          if (!isThere) return 'There is no such partition.';
          return `Partition ${partition} is ${verb === 'pause' ? 'paused' : 'resumed'}: workers follow within two seconds.`;
        }
      }
    },
    /** The key that a form must hold, so that no page of another site can have made it. It does not reveal the token. */
    formKey,
    isFormKey(text: string, user: string): boolean {
      const [given, right] = [Buffer.from(text), Buffer.from(formKey(user))];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
