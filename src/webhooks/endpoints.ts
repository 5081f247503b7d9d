import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { openSecret, sealSecret, type MasterKeys } from '../auth/secrets.ts';
import { hasForbiddenCharacter } from '../domain/free-text.ts';
import { hasIdForm, newIdIn } from '../domain/ids.ts';
import { isTerminal } from '../orders/order.ts';
import { alertType, orderIdOf, parsedUrl, webhookTypeOf } from '../domain/webhook.ts';
import { ServiceError } from '../errors.ts';
import type { WebhookCall, WebhookCallLimit } from '../redis/webhook-limits.ts';
import type { Collections } from '../storage/collections.ts';
import { testType, type Delivery } from '../storage/webhooks/deliveries.ts';
import type { EndpointName, WebhookEndpoint } from '../storage/webhooks/endpoints.ts';
import { newDelivery, type DeliveredEvent } from './delivery.ts';
import { beginReplay, startOfReplay } from './replay.ts';
import { newWebhookSecret } from './signature.ts';
import { subscribersFreshMs } from './subscribers.ts';
import { refusalOfUrl } from './target.ts';

interface EndpointsOptions {
  readonly collections: Pick<Collections, 'orders' | 'testClocks' | 'webhookDeliveries' | 'webhookEndpoints'>;
  /** Called only when a secret is to be sealed. */
  readonly masterKeys: () => Promise<MasterKeys>;
  /** As WEBHOOK_ALLOW_LOCAL. */
  readonly allowsLocal: boolean;
  /** Dates changes of endpoints. */
  readonly clock: Clock;
  /** How often a workspace may make webhooks and have something sent; absent for the administrator, who is not limited. */
  readonly callLimit?: WebhookCallLimit;
  /** After this long every worker knows of a change. */
  readonly knownAfterMs?: number;
}

/** How long messages still carry signatures of the secret that was rotated out. */
const overlapDefaultMs = 24 * 3_600_000;
/** An owner adds nothing to an endpoint that has so many deliveries to be sent. */
export const pendingMax = 1_000;

/**
 * What the owner of endpoints, or the administrator, does with them. Each call names a workspace, and finds no other's. What
 * is to be sent is due at once, so that the next round of checks has it sent (checks.ts). What is named `prepare…` makes its
 * checks, and returns the function that makes the change. Other changes are of an endpoint as it was read: one that hung, and
 * was answered so, may still reach MongoDB, and must not undo what was changed since.
 */
export class Endpoints {
  readonly #options: EndpointsOptions;

  constructor(options: EndpointsOptions) {
    this.#options = options;
  }

  get #endpoints() {
    return this.#options.collections.webhookEndpoints;
  }

  /** By the workspace's clock, which dates events. */
  async #now(workspaceId: string): Promise<Date> {
    return (await this.#options.collections.testClocks.clockOf(workspaceId))();
  }

  list(workspaceId: string): Promise<WebhookEndpoint[]> {
    return this.#endpoints.list(workspaceId);
  }

  /** @throws ServiceError WEBHOOK_NOT_FOUND. */
  async find(workspaceId: string, id: string): Promise<WebhookEndpoint> {
    return existing(hasIdForm('webhook', id) ? await this.#endpoints.find(workspaceId, id) : undefined);
  }

  /** Deliveries, those of the newest orders first. */
  async deliveries(workspaceId: string, id: string, size: number, below?: string): Promise<Delivery[]> {
    return this.#options.collections.webhookDeliveries.list(await this.find(workspaceId, id), size, below);
  }

  /** Stores nothing. @throws ServiceError WEBHOOK_URL_REFUSED. */
  checkUrl(text: string): void {
    const { allowsLocal } = this.#options;
    const refusal = hasForbiddenCharacter(text) ? 'URL_MALFORMED' : refusalOfUrl(parsedUrl(text), allowsLocal);
    if (refusal !== undefined) throw new ServiceError('WEBHOOK_URL_REFUSED', { field: 'url', value: refusal });
  }

  /**
   * Creates an endpoint. A workspace has only one for each URL, however that is spelled, so that a create whose answer was
   * lost cannot make a second. Resolves once every worker knows the endpoint, which gets the events of all orders that are
   * created from then on.
   * @returns the endpoint, and its secret, which is not shown again.
   * @throws ServiceError WEBHOOK_URL_REFUSED, WEBHOOK_RATE_EXCEEDED, WEBHOOK_EXISTS, WEBHOOK_LIMIT; nothing is then stored.
   */
  async create(values: Pick<WebhookEndpoint, 'workspaceId' | 'url' | 'events' | 'description'>) {
    const { masterKeys, clock } = this.#options;
    this.checkUrl(values.url);
    await this.#count('create', values.workspaceId);
    const url = parsedUrl(values.url);
    const secret = newWebhookSecret();
    const keys = await masterKeys();
    const endpoint = await this.#endpoints.create({ ...values, url }, (id) => sealSecret(secret, id, keys, clock()));
    if (endpoint === 'exists') throw new ServiceError('WEBHOOK_EXISTS', { field: 'url' });
    if (endpoint === 'full') throw new ServiceError('WEBHOOK_LIMIT');
    await this.#untilKnown();
    return { endpoint, secret };
  }

  /**
   * Enables an endpoint. Events that were unsent when it was disabled are sent, unless they are older than 30 days. Orders
   * settled since then are sent only by a replay. An endpoint that was failing is tried at once, unless that was done a
   * moment ago, and its failures count on until it takes an event. Resolves once every worker knows.
   * @throws ServiceError UNAVAILABLE the endpoint is no longer as it was read.
   */
  async enable(asRead: WebhookEndpoint): Promise<WebhookEndpoint> {
    const changed = await this.#endpoints.enable(asRead, asRead.updatedAt);
    const isSo = ({ status }: WebhookEndpoint): boolean => status === 'ENABLED' && asRead.status === 'DISABLED';
    const endpoint = changed ?? (await this.#findChanged(asRead, isSo));
    await this.#untilKnown();
    return endpoint;
  }

  /** @throws ServiceError UNAVAILABLE the endpoint is no longer as it was read. */
  async disable(asRead: WebhookEndpoint): Promise<WebhookEndpoint> {
    const disabled = { status: 'DISABLED', disabledReason: 'REQUESTED', disabledAt: this.#options.clock() } as const;
    const changed = await this.#endpoints.change(asRead, disabled, asRead.updatedAt);
    return changed ?? this.#findChanged(asRead, ({ status }) => status === 'DISABLED');
  }

  /** @throws ServiceError UNAVAILABLE the endpoint is no longer as it was read. */
  async remove(asRead: WebhookEndpoint): Promise<void> {
    const isRemoved = await this.#endpoints.remove(asRead.workspaceId, asRead.id, asRead.updatedAt);
    if (!isRemoved) await this.#findChanged(asRead, () => false);
    await this.#options.collections.webhookDeliveries.removeAll(asRead);
  }

  /**
   * Gives an endpoint a new secret. During the overlap messages carry signatures of both. A secret that an earlier rotation
   * left valid ends now. @throws ServiceError UNAVAILABLE the endpoint is no longer as it was read.
   */
  async rotate(asRead: WebhookEndpoint, overlapMs = overlapDefaultMs) {
    const { masterKeys, clock } = this.#options;
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
    const endpoint = await this.#endpoints.change(asRead, { secrets }, asRead.updatedAt);
    if (endpoint === undefined) throw changedMeanwhile();
    return { endpoint, secret };
  }

  /**
   * Prepares to send an event that is about no order. Its outcome is among the deliveries.
   * @throws ServiceError WEBHOOK_DISABLED, WEBHOOK_RATE_EXCEEDED, WEBHOOK_PENDING_LIMIT.
   */
  async prepareTest(workspaceId: string, id: string) {
    const endpoint = await this.find(workspaceId, id);
    if (endpoint.status === 'DISABLED') throw new ServiceError('WEBHOOK_DISABLED');
    await this.#count('test', workspaceId);
    const eventId = newIdIn(workspaceId, 'webhookEvent', await this.#now(workspaceId));
    return this.#prepareSending(endpoint, { eventId, type: testType });
  }

  /**
   * Prepares to send one event again. @throws ServiceError WEBHOOK_EVENT_NOT_FOUND no order of the workspace was settled
   * with it, and no alert that was to be sent to the endpoint tells it, or the endpoint does not ask for its type; WEBHOOK_RATE_EXCEEDED, WEBHOOK_PENDING_LIMIT.
   */
  async prepareReplayOfEvent(workspaceId: string, id: string, eventId: string) {
    const endpoint = await this.find(workspaceId, id);
    const event = hasIdForm('webhookEvent', eventId) ? await this.#findEvent(endpoint, eventId) : undefined;
    if (event === undefined || event.type === testType || !endpoint.events.includes(event.type))
      throw new ServiceError('WEBHOOK_EVENT_NOT_FOUND', { field: 'eventId' });
    await this.#count('replayOfEvent', workspaceId);
    return this.#prepareSending(endpoint, event);
  }

  async #findEvent(endpoint: WebhookEndpoint, eventId: string): Promise<DeliveredEvent | undefined> {
    const { orders, webhookDeliveries } = this.#options.collections;
    const order = await orders.find(endpoint.workspaceId, orderIdOf(eventId));
    if (order === undefined) {
      const { type, alert } = (await webhookDeliveries.find(endpoint, eventId)) ?? {};
      return type === alertType && alert !== undefined ? { eventId, type, alert } : undefined;
    }
    return isTerminal(order.status) ? { eventId, type: webhookTypeOf[order.status] } : undefined;
  }

  /**
   * Prepares to send again all that was settled since a time. Entries have the times of the workers that wrote them, whose
   * clocks may be off, so what was settled a little earlier may be sent as well. The same time again, while that replay is
   * under way, changes nothing.
   * @throws ServiceError WEBHOOK_REPLAY_UNDER_WAY another one has not ended, which the change may find too;
   * WEBHOOK_RATE_EXCEEDED.
   */
  async prepareReplaySince(workspaceId: string, id: string, since: Date): Promise<() => Promise<WebhookEndpoint>> {
    const from = startOfReplay(since);
    const endpoint = await this.find(workspaceId, id);
    if (isUnderWay(endpoint, from)) return () => Promise.resolve(endpoint);
    await this.#count('replay', workspaceId);
    return async () => {
      const before = endpoint.replay;
      const asRead = before === null ? { replay: null } : { 'replay.to': before.to, 'replay.isLate': true };
      const replay = beginReplay(from, before, await this.#now(workspaceId));
      const begun = await this.#endpoints.hasten(endpoint, replay, asRead);
      // Unless somebody else was faster.
      return begun ?? this.#findChanged(endpoint, (now) => isUnderWay(now, from));
    };
  }

  /** @throws ServiceError WEBHOOK_PENDING_LIMIT. */
  async #prepareSending(endpoint: WebhookEndpoint, event: DeliveredEvent) {
    const { webhookDeliveries, webhookEndpoints } = this.#options.collections;
    if (await webhookDeliveries.hasPending(endpoint, pendingMax)) throw new ServiceError('WEBHOOK_PENDING_LIMIT');
    return async (): Promise<{ eventId: string }> => {
      await webhookDeliveries.store(endpoint, [newDelivery(event, await this.#now(endpoint.workspaceId))]);
      existing(await webhookEndpoints.hasten(endpoint));
      return { eventId: event.eventId };
    };
  }

  /**
   * Finds an endpoint that could not be changed as it was read. @param isSo whether somebody else has made the same change
   * since. @throws ServiceError WEBHOOK_NOT_FOUND it is gone; UNAVAILABLE it was changed otherwise.
   */
  async #findChanged(
    { workspaceId, id }: EndpointName,
    isSo: (now: WebhookEndpoint) => boolean,
  ): Promise<WebhookEndpoint> {
    const now = await this.find(workspaceId, id);
    if (!isSo(now)) throw changedMeanwhile();
    return now;
  }

  async #untilKnown(): Promise<void> {
    await setTimeout(this.#options.knownAfterMs ?? subscribersFreshMs);
  }

  /** @throws ServiceError WEBHOOK_RATE_EXCEEDED. */
  async #count(call: WebhookCall, workspaceId: string): Promise<void> {
    const verdict = await this.#options.callLimit?.consume(call, workspaceId);
    if (verdict === undefined || verdict.isAllowed) return;
    const { retryAfterSeconds, header: rateLimit } = verdict;
    throw new ServiceError('WEBHOOK_RATE_EXCEEDED', { retryAfterSeconds, rateLimit });
  }
}

/** Whether an endpoint has this replay. @throws ServiceError WEBHOOK_REPLAY_UNDER_WAY it has another one. */
function isUnderWay({ replay }: WebhookEndpoint, from: string): boolean {
  if (replay === null || replay.isLate === true) return false;
  if (replay.from === from) return true;
  throw new ServiceError('WEBHOOK_REPLAY_UNDER_WAY');
}

function existing(endpoint: WebhookEndpoint | undefined): WebhookEndpoint {
  if (endpoint === undefined) throw new ServiceError('WEBHOOK_NOT_FOUND');
  return endpoint;
}

function changedMeanwhile(): ServiceError {
  const cause = new Error('the webhook is no longer as the request read it');
  return new ServiceError('UNAVAILABLE', { cause, server: 'mongodb' });
}
