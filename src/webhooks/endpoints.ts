import { setTimeout } from 'node:timers/promises';
import { openSecret, sealSecret, type MasterKeys } from '../auth/secrets.ts';
import { hasIdForm, newId } from '../domain/ids.ts';
import { isTerminal } from '../domain/order.ts';
import { eventIdOf, orderIdOf, type WebhookType } from '../domain/webhook.ts';
import { ServiceError } from '../errors.ts';
import type { WebhookQueue } from '../queue/webhook-queue.ts';
import type { Collections } from '../storage/collections.ts';
import { settledAfterMs } from '../storage/settled-counts.ts';
import { testType, type Delivery } from '../storage/webhook-deliveries.ts';
import { enabledAnew, type EndpointChange, type WebhookEndpoint } from '../storage/webhook-endpoints.ts';
import { outboxEnd, outboxStart } from '../storage/webhook-outbox.ts';
import { newWebhookSecret } from './signature.ts';
import { subscribersFreshMs } from './subscribers.ts';
import { refusalOfUrl, type TargetRules } from './target.ts';

export interface EndpointTools {
  readonly collections: Pick<Collections, 'orders' | 'webhookDeliveries' | 'webhookEndpoints'>;
  /** Called only when a secret is to be sealed. */
  readonly masterKeys: () => Promise<MasterKeys>;
  readonly rules: TargetRules;
  readonly queue: Pick<WebhookQueue, 'wake'>;
}

export type Endpoints = ReturnType<typeof createEndpoints>;

/** How long messages still carry signatures of the secret that was rotated out. */
export const overlapDefaultMs = 24 * 3_600_000;

/** What the owner of endpoints, or the administrator, does with them. Each call names a workspace, and finds no other's. */
export function createEndpoints(tools: EndpointTools) {
  const { webhookDeliveries, webhookEndpoints } = tools.collections;
  const access = createAccess(tools);
  const { find } = access;
  return {
    find,
    list: (workspaceId: string) => webhookEndpoints.list(workspaceId),
    ...changes(tools, access),
    ...sendings(tools, access),

    /** Deliveries, those of the newest orders first. */
    async deliveries(workspaceId: string, id: string, size: number, below?: string): Promise<Delivery[]> {
      return webhookDeliveries.list(await find(workspaceId, id), size, below);
    },

    async remove(workspaceId: string, id: string): Promise<void> {
      const endpoint = await find(workspaceId, id);
      await webhookEndpoints.remove(workspaceId, id);
      await webhookDeliveries.removeAll(endpoint);
    },
  };
}

type Access = ReturnType<typeof createAccess>;

function createAccess({ collections: { webhookEndpoints }, queue }: EndpointTools) {
  /** @throws ServiceError WEBHOOK_NOT_FOUND. */
  async function find(workspaceId: string, id: string): Promise<WebhookEndpoint> {
    const found = hasIdForm('webhook', id) ? await webhookEndpoints.find(workspaceId, id) : undefined;
    if (found === undefined) throw new ServiceError('WEBHOOK_NOT_FOUND');
    return found;
  }

  async function change(workspaceId: string, id: string, values: EndpointChange): Promise<WebhookEndpoint> {
    const changed = await webhookEndpoints.change({ workspaceId, id }, values);
    if (changed === undefined) throw new ServiceError('WEBHOOK_NOT_FOUND');
    if (changed.status === 'ENABLED') queue.wake([{ workspaceId, endpointId: id }]);
    return changed;
  }

  return { find, change };
}

function changes({ collections, masterKeys, rules }: EndpointTools, { find, change }: Access) {
  const { webhookEndpoints } = collections;

  /** Stores nothing. @throws ServiceError WEBHOOK_URL_REFUSED. */
  function checkUrl(url: string): void {
    const refusal = refusalOfUrl(url, rules);
    if (refusal !== undefined) throw new ServiceError('WEBHOOK_URL_REFUSED', { field: 'url', value: refusal });
  }

  return {
    checkUrl,

    /**
     * Creates an endpoint. A workspace has only one for each URL, so that a create whose answer was lost cannot make a second.
     * Resolves once every worker knows the endpoint: it is told of orders that are created from then on.
     * @returns the endpoint, and its secret, which is not shown again.
     * @throws ServiceError WEBHOOK_URL_REFUSED, WEBHOOK_EXISTS, WEBHOOK_LIMIT; nothing is then stored.
     */
    async create(values: {
      workspaceId: string;
      url: string;
      events: readonly WebhookType[];
      description: string;
    }): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
      checkUrl(values.url);
      const secret = newWebhookSecret();
      const keys = await masterKeys();
      const made = await webhookEndpoints.create(values, (id) => sealSecret(secret, id, keys));
      if (made === 'exists') throw new ServiceError('WEBHOOK_EXISTS', { field: 'url' });
      if (made === 'full') throw new ServiceError('WEBHOOK_LIMIT');
      await setTimeout(subscribersFreshMs);
      return { endpoint: made, secret };
    },

    /**
     * Enables an endpoint. Events that were unsent when it was disabled are sent, unless they are older than 30 days.
     * What was settled since then is sent only by a replay. Resolves once every worker knows.
     */
    async enable(workspaceId: string, id: string) {
      const now = new Date();
      const enabled = await change(workspaceId, id, { ...enabledAnew, nextCheckAt: now, lookedAt: now });
      await setTimeout(subscribersFreshMs);
      return enabled;
    },

    disable: (workspaceId: string, id: string) =>
      change(workspaceId, id, { status: 'DISABLED', disabledReason: 'REQUESTED', disabledAt: new Date() }),

    /**
     * Gives an endpoint a new secret. During the overlap messages carry signatures of both. A secret that an earlier rotation
     * left valid ends now.
     * @throws ServiceError UNAVAILABLE somebody else changed the endpoint at the same moment.
     */
    async rotate(workspaceId: string, id: string, overlapMs = overlapDefaultMs) {
      const endpoint = await find(workspaceId, id);
      const secret = newWebhookSecret();
      const expiresAt = new Date(Date.now() + overlapMs);
      const keys = await masterKeys();
      const previous = endpoint.secrets
        .filter((current) => current.expiresAt === null && overlapMs > 0)
        // Opened here, so that the rotation fails if this cannot be done: such a secret would stop all deliveries.
        .filter((current) => openSecret(current, id, keys) !== '')
        .map((current) => ({ ...current, expiresAt }));
      const secrets = [sealSecret(secret, id, keys), ...previous];
      const changed = await webhookEndpoints.change(endpoint, { secrets }, endpoint.updatedAt);
      if (changed === undefined) throw new ServiceError('UNAVAILABLE', { retryAfterSeconds: 1 });
      return { endpoint: changed, secret };
    },
  };
}

function sendings({ collections: { orders, webhookDeliveries } }: EndpointTools, { find, change }: Access) {
  async function begin(
    endpoint: WebhookEndpoint,
    event: Pick<Delivery, 'eventId' | 'type'>,
  ): Promise<{ eventId: string }> {
    await webhookDeliveries.begin(endpoint, event);
    await change(endpoint.workspaceId, endpoint.id, { nextCheckAt: new Date(), retryAt: null });
    return { eventId: event.eventId };
  }

  return {
    /** Sends an event that is about no order. Its outcome is among the deliveries. */
    async test(workspaceId: string, id: string) {
      const endpoint = await find(workspaceId, id);
      return begin(endpoint, { eventId: newId('webhookEvent'), type: testType });
    },

    /**
     * Sends one event again. @throws ServiceError WEBHOOK_EVENT_NOT_FOUND no order of the workspace was settled with it, or
     * the endpoint did not ask for its type.
     */
    async replayEvent(workspaceId: string, id: string, eventId: string) {
      const endpoint = await find(workspaceId, id);
      const order = hasIdForm('webhookEvent', eventId) ? await orders.find(workspaceId, orderIdOf(eventId)) : undefined;
      const type = order?.status === 'COMPLETED' ? 'transfer.completed' : 'transfer.failed';
      if (order === undefined || !isTerminal(order.status) || !endpoint.events.includes(type)) {
        throw new ServiceError('WEBHOOK_EVENT_NOT_FOUND', { field: 'eventId' });
      }
      return begin(endpoint, { eventId: eventIdOf(order.id), type });
    },

    /**
     * Sends again all that was settled since a time. It replaces a replay that has not ended yet. Entries have the times of
     * the workers that wrote them, whose clocks may be off, so what was settled a little earlier may be sent as well.
     */
    async replaySince(workspaceId: string, id: string, since: Date) {
      const replay = {
        after: outboxStart(new Date(since.getTime() - settledAfterMs)),
        to: outboxEnd(new Date(Date.now() + settledAfterMs)),
      };
      return change(workspaceId, id, { replay, nextCheckAt: new Date(), retryAt: null });
    },
  };
}
