import type { Collection, Db } from 'mongodb';
import { ofRealTime, operatorMaxMs } from '../shared/commands.ts';
import { withId, type Stored } from '../shared/decimal.ts';
import { isBehind, webhookIndexes } from '../schema/schema.ts';
import { ownReasons, type EndpointDocument, type WebhookEndpoint } from './endpoints.ts';

/** An endpoint that has events waiting. */
type EndpointBehind = Pick<WebhookEndpoint, 'id' | 'workspaceId' | 'waiting' | 'failures'> & {
  readonly behindSince: Date;
};

export type WebhookBacklog = Awaited<ReturnType<WebhookBacklogs['read']>>;
export type WebhookBacklogs = ReturnType<typeof openWebhookBacklog>;

/** No more endpoints than this are read, those behind for the longest. */
export const behindReadMax = 1_000;
/** No more are counted. */
export const disabledCountedMax = 100;
/** Endpoints that were disabled longer ago are not counted. */
const disabledLatelyMs = 24 * 3_600_000;
const ofBehind = { workspaceId: 1, waiting: 1, behindSince: 1, failures: 1 };

/** What the operator asks of the `webhookEndpoints` collection, test workspaces left out; each question is bounded in rows and in time. */
export function openWebhookBacklog(db: Db) {
  const collection: Collection<EndpointDocument> = db.collection('webhookEndpoints');

  return {
    async read(now: Date) {
      const disabledAt = { $gte: new Date(now.getTime() - disabledLatelyMs) };
      const own = { workspaceId: ofRealTime, disabledReason: { $in: [...ownReasons] } };
      const disabledLately = { ...own, status: 'DISABLED', disabledAt } as const;
      const [behind, disabled, first] = await Promise.all([
        collection
          .find({ ...isBehind, workspaceId: ofRealTime }, { hint: webhookIndexes.behind, maxTimeMS: operatorMaxMs })
          .sort({ behindSince: 1 })
          .limit(behindReadMax)
          .project<Stored<EndpointBehind>>(ofBehind)
          .toArray(),
        collection.countDocuments(disabledLately, {
          hint: webhookIndexes.disabled,
          limit: disabledCountedMax,
          maxTimeMS: operatorMaxMs,
        }),
        collection.findOne(
          { status: 'ENABLED', workspaceId: ofRealTime },
          { sort: { lookedAt: 1 }, projection: { lookedAt: 1 }, hint: webhookIndexes.looked, maxTimeMS: operatorMaxMs },
        ),
      ]);
      return {
        /** At most {@link behindReadMax}, those behind for the longest first. */
        behind: behind.map(withId),
        /** How many the service disabled within {@link disabledLatelyMs}, at most {@link disabledCountedMax}. */
        disabled,
        /** The earliest `lookedAt` of the endpoints that are enabled; undefined if there is none. */
        lookedAt: first?.lookedAt,
      };
    },
  };
}
