import type { Collection, Db } from 'mongodb';
import { operatorMaxMs } from '../shared/commands.ts';
import { withId, type Stored } from '../shared/decimal.ts';
import { isBehind, webhookIndexes } from '../schema/schema.ts';
import { ownReasons, type EndpointDocument, type WebhookEndpoint } from './endpoints.ts';

/** An endpoint that has events waiting. */
type EndpointBehind = Pick<WebhookEndpoint, 'id' | 'workspaceId' | 'waiting' | 'failures'> & {
  readonly behindSince: Date;
};

/** An endpoint that the service disabled. */
type EndpointDisabled = Pick<WebhookEndpoint, 'id' | 'workspaceId'> & {
  readonly disabledReason: (typeof ownReasons)[number];
  readonly disabledAt: Date;
};

export type WebhookBacklog = Awaited<ReturnType<WebhookBacklogs['read']>>;
export type WebhookBacklogs = ReturnType<typeof openWebhookBacklog>;

/** No more endpoints than this are read: those behind for the longest, and those disabled last. */
export const behindReadMax = 1_000;
export const disabledReadMax = 100;
/** Endpoints that were disabled longer ago are not shown. */
const disabledLatelyMs = 24 * 3_600_000;
const ofBehind = { workspaceId: 1, waiting: 1, behindSince: 1, failures: 1 };
const ofDisabled = { workspaceId: 1, disabledReason: 1, disabledAt: 1 };

/** What the operator asks of the `webhookEndpoints` collection; each question is bounded in rows and in time. */
export function openWebhookBacklog(db: Db) {
  const collection: Collection<EndpointDocument> = db.collection('webhookEndpoints');

  return {
    async read(now: Date) {
      const disabledAt = { $gte: new Date(now.getTime() - disabledLatelyMs) };
      const disabledLately = { status: 'DISABLED', disabledReason: { $in: [...ownReasons] }, disabledAt } as const;
      const [behind, disabled, first] = await Promise.all([
        collection
          .find(isBehind, { hint: webhookIndexes.behind, maxTimeMS: operatorMaxMs })
          .sort({ behindSince: 1 })
          .limit(behindReadMax)
          .project<Stored<EndpointBehind>>(ofBehind)
          .toArray(),
        collection
          .find(disabledLately, { hint: webhookIndexes.disabled, maxTimeMS: operatorMaxMs })
          .sort({ disabledAt: -1 })
          .limit(disabledReadMax)
          .project<Stored<EndpointDisabled>>(ofDisabled)
          .toArray(),
        collection.findOne(
          { status: 'ENABLED' },
          { sort: { lookedAt: 1 }, projection: { lookedAt: 1 }, hint: webhookIndexes.looked, maxTimeMS: operatorMaxMs },
        ),
      ]);
      return {
        /** At most {@link behindReadMax}, those behind for the longest first. */
        behind: behind.map(withId),
        /** At most {@link disabledReadMax} of the last {@link disabledLatelyMs}, the latest first. */
        disabled: disabled.map(withId),
        /** The earliest `lookedAt` of the endpoints that are enabled; undefined if there is none. */
        lookedAt: first?.lookedAt,
      };
    },
  };
}
