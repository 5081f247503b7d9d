import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { openSecret, sealSecret, type MasterKeys } from '../auth/secrets.ts';
import { hasForbiddenCharacter } from '../domain/free-text.ts';
import { hasIdForm, newId } from '../domain/ids.ts';
import { isTerminal } from '../orders/order.ts';
import { eventIdOf, orderIdOf, parsedUrl, webhookTypeOf, type WebhookType } from '../domain/webhook.ts';
import { ServiceError } from '../errors.ts';
import type { WebhookCall, WebhookCallLimit } from '../redis/webhook-limits.ts';
import type { Collections } from '../storage/collections.ts';
import { testType, type Delivery } from '../storage/webhooks/deliveries.ts';
import type { EndpointName, WebhookEndpoint, WebhookEndpoints } from '../storage/webhooks/endpoints.ts';
import { newDelivery } from './delivery.ts';
import { beginReplay, startOfReplay } from './replay.ts';
import { newWebhookSecret } from './signature.ts';
import { subscribersFreshMs } from './subscribers.ts';
import { refusalOfUrl, type TargetRules } from './target.ts';

type Stored = Pick<Collections, 'orders' | 'webhookDeliveries' | 'webhookEndpoints'>;

/** By what endpoints are made. */
interface Making {
  /** Called only when a secret is to be sealed. */
  readonly masterKeys: () => Promise<MasterKeys>;
  readonly rules: TargetRules;
  /** Dates what is made and changed. */
  readonly clock: Clock;
}

export type Endpoints = ReturnType<typeof createEndpoints>;

/** How long messages still carry signatures of the secret that was rotated out. */
export const overlapDefaultMs = 24 * 3_600_000;
/** An owner adds nothing to an endpoint that has so many deliveries to be sent. */
export const pendingMax = 1_000;

/**
 * What the owner of endpoints, or the administrator, does with them. Each call names a workspace, and finds no other's. What
 * is to be sent is due at once, so that the next round of checks has it sent (checks.ts).
 * @param callLimit how often a workspace may make webhooks and have something sent; absent for the administrator, who is not
 * limited.
 * @param knownAfterMs after this long every worker knows of a change.
 */
export function createEndpoints(
  stored: Stored,
  making: Making,
  callLimit?: WebhookCallLimit,
  knownAfterMs = subscribersFreshMs,
) {
  const { webhookDeliveries, webhookEndpoints } = stored;
  const find = (workspaceId: string, id: string) => findIn(webhookEndpoints, workspaceId, id);
  const sending = preparedSendings(stored, making.clock, callLimit);
  return {
    find,
    list: (workspaceId: string) => webhookEndpoints.list(workspaceId),
    ...changes(webhookEndpoints, making, callLimit, knownAfterMs),
    ...sending,
    test: async (workspaceId: string, id: string) => (await sending.prepareTest(workspaceId, id))(),
    replayEvent: async (workspaceId: string, id: string, eventId: string) =>
      (await sending.prepareReplayOfEvent(workspaceId, id, eventId))(),
    replaySince: async (workspaceId: string, id: string, since: Date) =>
      (await sending.prepareReplaySince(workspaceId, id, since))(),

    /** Deliveries, those of the newest orders first. */
    async deliveries(workspaceId: string, id: string, size: number, below?: string): Promise<Delivery[]> {
      return webhookDeliveries.list(await find(workspaceId, id), size, below);
    },

    /** @param asRead as that of `enable`. @throws ServiceError UNAVAILABLE as that does. */
    async remove(asRead: WebhookEndpoint): Promise<void> {
      const isRemoved = await webhookEndpoints.remove(asRead.workspaceId, asRead.id, asRead.updatedAt);
      if (!isRemoved) await findChanged(webhookEndpoints, asRead, () => false);
      await webhookDeliveries.removeAll(asRead);
    },
  };
}

/** @throws ServiceError WEBHOOK_NOT_FOUND. */
async function findIn(endpoints: WebhookEndpoints, workspaceId: string, id: string): Promise<WebhookEndpoint> {
  return existing(hasIdForm('webhook', id) ? await endpoints.find(workspaceId, id) : undefined);
}

function existing(endpoint: WebhookEndpoint | undefined): WebhookEndpoint {
  if (endpoint === undefined) throw new ServiceError('WEBHOOK_NOT_FOUND');
  return endpoint;
}

/**
 * Finds an endpoint that could not be changed as it was read. @param isSo whether somebody else has made the same change since.
 * @throws ServiceError WEBHOOK_NOT_FOUND it is gone; UNAVAILABLE it was changed otherwise.
 */
async function findChanged(
  endpoints: WebhookEndpoints,
  { workspaceId, id }: EndpointName,
  isSo: (now: WebhookEndpoint) => boolean,
): Promise<WebhookEndpoint> {
  const now = await findIn(endpoints, workspaceId, id);
  if (!isSo(now)) throw changedMeanwhile();
  return now;
}

function changedMeanwhile(): ServiceError {
  const cause = new Error('the webhook is no longer as the request read it');
  return new ServiceError('UNAVAILABLE', { cause, retryAfterSeconds: 1, server: 'mongodb' });
}

/** @throws ServiceError WEBHOOK_RATE_EXCEEDED. */
async function count(limit: WebhookCallLimit | undefined, call: WebhookCall, workspaceId: string): Promise<void> {
  const verdict = await limit?.consume(call, workspaceId);
  if (verdict === undefined || verdict.isAllowed) return;
  const { retryAfterSeconds, header: rateLimit } = verdict;
  throw new ServiceError('WEBHOOK_RATE_EXCEEDED', { retryAfterSeconds, rateLimit });
}

function changes(
  webhookEndpoints: WebhookEndpoints,
  { masterKeys, rules, clock }: Making,
  callLimit: WebhookCallLimit | undefined,
  knownAfterMs: number,
) {
  /** Stores nothing. @throws ServiceError WEBHOOK_URL_REFUSED. */
  function checkUrl(text: string): void {
    const refusal = hasForbiddenCharacter(text) ? 'URL_MALFORMED' : refusalOfUrl(parsedUrl(text), rules);
    if (refusal !== undefined) throw new ServiceError('WEBHOOK_URL_REFUSED', { field: 'url', value: refusal });
  }

  return {
    checkUrl,

    /**
     * Creates an endpoint. A workspace has only one for each URL, however that is spelled, so that a create whose answer was
     * lost cannot make a second. Resolves once every worker knows the endpoint, which gets the events of all orders that are
     * created from then on.
     * @returns the endpoint, and its secret, which is not shown again.
     * @throws ServiceError WEBHOOK_URL_REFUSED, WEBHOOK_RATE_EXCEEDED, WEBHOOK_EXISTS, WEBHOOK_LIMIT; nothing is then stored.
     */
    async create(values: {
      workspaceId: string;
      url: string;
      events: readonly WebhookType[];
      description: string;
    }): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
      checkUrl(values.url);
      await count(callLimit, 'create', values.workspaceId);
      const url = parsedUrl(values.url);
      const secret = newWebhookSecret();
      const keys = await masterKeys();
      const made = await webhookEndpoints.create({ ...values, url }, (id) => sealSecret(secret, id, keys, clock()));
      if (made === 'exists') throw new ServiceError('WEBHOOK_EXISTS', { field: 'url' });
      if (made === 'full') throw new ServiceError('WEBHOOK_LIMIT');
      await setTimeout(knownAfterMs);
      return { endpoint: made, secret };
    },

    /**
     * Enables an endpoint. Events that were unsent when it was disabled are sent, unless they are older than 30 days. Orders
     * settled since then are sent only by a replay. An endpoint that was failing is tried at once, unless that was done a
     * moment ago, and its failures count on until it takes an event. Resolves once every worker knows.
     * @param asRead the endpoint as the request read it. A change that hung, and was answered so, may still reach MongoDB: it
     * must not undo what was changed since. Absent for the administrator, who waits.
     * @throws ServiceError UNAVAILABLE the endpoint is no longer as it was read.
     */
    async enable(workspaceId: string, id: string, asRead?: WebhookEndpoint) {
      const named = { workspaceId, id };
      const isSo = ({ status }: WebhookEndpoint): boolean => status === 'ENABLED' && asRead?.status === 'DISABLED';
      const enabled =
        (await webhookEndpoints.enable(named, asRead?.updatedAt)) ?? (await findChanged(webhookEndpoints, named, isSo));
      await setTimeout(knownAfterMs);
      return enabled;
    },

    /** @param asRead as that of `enable`. @throws ServiceError UNAVAILABLE as that does. */
    async disable(workspaceId: string, id: string, asRead?: WebhookEndpoint) {
      const change = { status: 'DISABLED', disabledReason: 'REQUESTED', disabledAt: clock() } as const;
      const named = { workspaceId, id };
      const isSo = ({ status }: WebhookEndpoint): boolean => status === 'DISABLED';
      return (
        (await webhookEndpoints.change(named, change, asRead?.updatedAt)) ??
        (await findChanged(webhookEndpoints, named, isSo))
      );
    },

    /**
     * Gives an endpoint a new secret. During the overlap messages carry signatures of both. A secret that an earlier rotation
     * left valid ends now.
     * @param asRead as that of `enable`.
     * @throws ServiceError UNAVAILABLE somebody else changed the endpoint since it was read.
     */
    async rotate(asRead: WebhookEndpoint, overlapMs = overlapDefaultMs) {
      const { id } = asRead;
      const secret = newWebhookSecret();
      const expiresAt = new Date(clock().getTime() + overlapMs);
      const keys = await masterKeys();
      const previous = asRead.secrets
        .filter((current) => current.expiresAt === null && overlapMs > 0)
        // Opened here, so that the rotation fails if this cannot be done: such a secret would stop all deliveries.
        .filter((current) => openSecret(current, id, keys) !== '')
        .map((current) => ({ ...current, expiresAt }));
      const secrets = [sealSecret(secret, id, keys, clock()), ...previous];
      const changed = await webhookEndpoints.change(asRead, { secrets }, asRead.updatedAt);
      if (changed === undefined) throw changedMeanwhile();
      return { endpoint: changed, secret };
    },
  };
}

/** Each makes its checks, and returns the function that makes the change. */
function preparedSendings(
  { orders, webhookDeliveries, webhookEndpoints }: Stored,
  clock: Clock,
  callLimit: WebhookCallLimit | undefined,
) {
  const find = (workspaceId: string, id: string) => findIn(webhookEndpoints, workspaceId, id);

  /** @throws ServiceError WEBHOOK_PENDING_LIMIT. */
  async function preparedFor(endpoint: WebhookEndpoint, event: Pick<Delivery, 'eventId' | 'type'>) {
    if (await webhookDeliveries.hasPending(endpoint, pendingMax)) throw new ServiceError('WEBHOOK_PENDING_LIMIT');
    return async (): Promise<{ eventId: string }> => {
      await webhookDeliveries.store(endpoint, [newDelivery(event, clock())]);
      existing(await webhookEndpoints.hasten(endpoint));
      return { eventId: event.eventId };
    };
  }

  return {
    /**
     * Prepares to send an event that is about no order. Its outcome is among the deliveries.
     * @throws ServiceError WEBHOOK_DISABLED, WEBHOOK_RATE_EXCEEDED, WEBHOOK_PENDING_LIMIT.
     */
    async prepareTest(workspaceId: string, id: string) {
      const endpoint = await find(workspaceId, id);
      if (endpoint.status === 'DISABLED') throw new ServiceError('WEBHOOK_DISABLED');
      await count(callLimit, 'test', workspaceId);
      return preparedFor(endpoint, { eventId: newId('webhookEvent', clock()), type: testType });
    },

    /**
     * Prepares to send one event again. @throws ServiceError WEBHOOK_EVENT_NOT_FOUND no order of the workspace was settled
     * with it, or the endpoint did not ask for its type; WEBHOOK_RATE_EXCEEDED, WEBHOOK_PENDING_LIMIT.
     */
    async prepareReplayOfEvent(workspaceId: string, id: string, eventId: string) {
      const endpoint = await find(workspaceId, id);
      const order = hasIdForm('webhookEvent', eventId) ? await orders.find(workspaceId, orderIdOf(eventId)) : undefined;
      const status = order?.status ?? 'PENDING';
      const type = isTerminal(status) ? webhookTypeOf[status] : undefined;
      if (order === undefined || type === undefined || !endpoint.events.includes(type)) {
        throw new ServiceError('WEBHOOK_EVENT_NOT_FOUND', { field: 'eventId' });
      }
      await count(callLimit, 'replayOfEvent', workspaceId);
      return preparedFor(endpoint, { eventId: eventIdOf(order.id), type });
    },

    /**
     * Prepares to send again all that was settled since a time. Entries have the times of the workers that wrote them, whose
     * clocks may be off, so what was settled a little earlier may be sent as well. The same time again, while that replay is
     * under way, changes nothing.
     * @throws ServiceError WEBHOOK_REPLAY_UNDER_WAY another one has not ended, which the change may find too;
     * WEBHOOK_RATE_EXCEEDED.
     */
    async prepareReplaySince(workspaceId: string, id: string, since: Date) {
      const from = startOfReplay(since);
      const isUnderWay = ({ replay }: WebhookEndpoint): boolean => {
        if (replay === null || replay.isLate === true) return false;
        if (replay.from === from) return true;
        throw new ServiceError('WEBHOOK_REPLAY_UNDER_WAY');
      };
      const endpoint = await find(workspaceId, id);
      if (isUnderWay(endpoint)) return () => Promise.resolve(endpoint);
      await count(callLimit, 'replay', workspaceId);
      return async (): Promise<WebhookEndpoint> => {
        const before = endpoint.replay;
        const asRead = before === null ? { replay: null } : { 'replay.to': before.to, 'replay.isLate': true };
        const begun = await webhookEndpoints.hasten(endpoint, beginReplay(from, before, clock()), asRead);
        if (begun !== undefined) return begun;
        const now = await find(workspaceId, id);
        // Somebody else was faster.
        if (!isUnderWay(now)) throw changedMeanwhile();
        return now;
      };
    },
  };
}
