import { setTimeout } from 'node:timers/promises';
import pLimit from 'p-limit';
import { openSecret, type MasterKeys } from '../auth/secrets.ts';
import type { Clock } from '../clock.ts';
import { isTestWorkspace } from '../domain/ids.ts';
import { alertType, eventIdOf, orderIdOf } from '../domain/webhook.ts';
import { isTerminal } from '../orders/order.ts';
import type { Presenter } from '../orders/present.ts';
import { replayPaceMs, type ReplayPace } from '../redis/webhook-limits.ts';
import type { Collections } from '../storage/collections.ts';
import { testType, type Delivery } from '../storage/webhooks/deliveries.ts';
import type { Replay, WebhookEndpoint } from '../storage/webhooks/endpoints.ts';
import { advanceUnderWay } from '../storage/test-clocks.ts';
import { afterAttempt, bodyOf, deliveriesOf } from './delivery.ts';
import { lateAt, nextPart } from './replay.ts';
import type { WebhookSender } from './send.ts';
import { signWebhook } from './signature.ts';

/** The most requests to one endpoint at once, so that a slow receiver takes no more of the process. */
const requestsInFlightMax = 16;
/** An endpoint that has more to be sent than fits into this time goes to the end of the queue. */
const sliceMs = 20_000;
/** After this many failures in a row nothing more is tried for a while. */
const streakMax = 8;
const gone = 410;
/** How soon it is looked again whether there is more to be sent while a clock is put forward. */
const moreSoonMs = 10;
const retriesAtOnceMax = 64;
/**
 * How long an event waits whose order shows no end yet. One transaction settles an order and writes its event, but if they
 * are on two shards, the event may be seen first.
 * Source: MongoDB, "Production Considerations (Sharded Clusters)".
 */
const endUnseenPauseMs = 1_000;

/** Hears what delivery does, for the operator. */
export interface DeliveryObserver {
  attempted(isDelivered: boolean): void;
  setAside(): void;
}

export interface RunContext {
  readonly collections: Pick<
    Collections,
    'orders' | 'testClocks' | 'webhookDeliveries' | 'webhookEndpoints' | 'webhookOutbox'
  >;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly masterKeys: MasterKeys;
  readonly replayPace: ReplayPace;
  readonly present: Presenter;
  readonly observe: DeliveryObserver;
  /** The real time: of signatures and of secrets. */
  readonly clock: Clock;
}

/** What a run says about an endpoint. */
export interface RunResult {
  readonly delivered: number;
  /** When it attempted the last, by the workspace's clock, which may have been put forward since. */
  readonly at: Date;
  readonly isFailing: boolean;
  /** Its receiver answered 410: gone for good. */
  readonly isGone: boolean;
  /** How long it asks not to be sent anything; 0 if it does not. */
  readonly retryAfterMs: number;
  /** When its replay goes on; undefined if there is none. */
  readonly replayAt: Date | undefined;
}

/** Sends an endpoint the events that wait for it, until there are none, its time is up, its owner changes it, or it fails. */
export class Run {
  readonly #context: RunContext;
  readonly #endpoint: WebhookEndpoint;
  readonly #signal: AbortSignal;
  /** The workspace's, as it stood before the events that are being sent. */
  #clock: Clock;
  readonly #secrets: readonly string[];
  readonly #limit = pLimit(requestsInFlightMax);
  readonly #startedAt = performance.now();
  #delivered = 0;
  #attemptedAt: Date | undefined;
  #failuresInRow = 0;
  #isGone = false;
  #retryAfterMs = 0;
  #replay: Replay | null;
  /** The replays of its workspace have sent enough for now. */
  #isPaced = false;

  /** @throws Error a secret of the endpoint cannot be opened. */
  constructor(context: RunContext, endpoint: WebhookEndpoint, clock: Clock, signal: AbortSignal) {
    this.#context = context;
    this.#endpoint = endpoint;
    this.#clock = clock;
    this.#signal = signal;
    this.#secrets = validSecrets(endpoint, context.masterKeys, context.clock());
    this.#replay = endpoint.replay;
  }

  async toEnd(): Promise<RunResult> {
    while (!this.#isOver && ((await this.#sendNext()) || (await this.#isMoreSoon())) && (await this.#isUnchanged()));
    return {
      delivered: this.#delivered,
      at: this.#attemptedAt ?? this.#clock(),
      isFailing: this.#hasFailed || (this.#failuresInRow > 0 && this.#delivered === 0),
      isGone: this.#isGone,
      retryAfterMs: this.#retryAfterMs,
      replayAt: this.#replayAt(),
    };
  }

  /** An endpoint that was failing gets one event first, and more only if that is delivered. */
  get #isProbing(): boolean {
    return this.#endpoint.failures > 0 && this.#delivered === 0;
  }

  get #hasFailed(): boolean {
    return this.#isGone || this.#failuresInRow >= (this.#isProbing ? 1 : streakMax);
  }

  get #isOver(): boolean {
    const isOutOfTime = performance.now() - this.#startedAt > sliceMs;
    return this.#signal.aborted || this.#hasFailed || this.#retryAfterMs > 0 || isOutOfTime;
  }

  /**
   * A failing endpoint is tried with the event that was tried least, first of all with a new one: a receiver that refuses
   * some events for ever must not look as if it refused all.
   * @returns whether there was anything to send.
   */
  async #sendNext(): Promise<boolean> {
    const { collections } = this.#context;
    this.#clock = await collections.testClocks.clockOf(this.#endpoint.workspaceId);
    if (this.#isProbing && (await this.#sendNew())) return true;
    const due = await collections.webhookDeliveries.due(this.#endpoint, this.#clock(), retriesAtOnceMax);
    if (this.#isProbing) due.sort((one, other) => one.attempts - other.attempts);
    const attempted = (await this.#sendAll(due)).filter((delivery) => delivery !== undefined);
    await collections.webhookDeliveries.store(this.#endpoint, attempted);
    if (this.#isOver) return true;
    return (await this.#sendNew()) || (await this.#sendAgain()) || due.length > 0;
  }

  async #sendNew(): Promise<boolean> {
    const { workspaceId, id, events } = this.#endpoint;
    const { webhookOutbox } = this.#context.collections;
    const entry = await webhookOutbox.nextFor(workspaceId, id);
    if (entry === null) return false;
    await this.#sendFirst(deliveriesOf(entry, events, entry.createdAt));
    await webhookOutbox.settle(entry, id);
    return true;
  }

  /** Sends the next entry of a replay, unless the workspace's replays have sent enough for now. */
  async #sendAgain(): Promise<boolean> {
    const { workspaceId, id, events } = this.#endpoint;
    const { collections, replayPace } = this.#context;
    const replay = this.#replay;
    if (replay === null || (replay.isLate === true && lateAt(replay) > this.#clock())) return false;
    const missedBy = replay.isLate === true ? id : undefined;
    const entry = await collections.webhookOutbox.nextBetween(workspaceId, replay, missedBy);
    if (entry !== null) {
      const deliveries = deliveriesOf(entry, events, this.#clock());
      this.#isPaced = !(await replayPace.take(workspaceId, deliveries.length));
      if (this.#isPaced) return false;
      await this.#sendFirst(deliveries);
      if (entry.missedBy?.includes(id) === true) await collections.webhookOutbox.settle(entry, id);
    }
    this.#replay = entry === null ? nextPart(replay) : { ...replay, after: entry._id };
    await collections.webhookEndpoints.advanceReplay(this.#endpoint, replay, this.#replay);
    return entry !== null;
  }

  /** Sends deliveries that are not stored yet, and stores them. */
  async #sendFirst(deliveries: readonly Delivery[]): Promise<void> {
    const attempted = await this.#sendAll(deliveries);
    const stored = deliveries.map((delivery, index) => attempted[index] ?? delivery);
    await this.#context.collections.webhookDeliveries.store(this.#endpoint, stored);
  }

  /** @returns each delivery as it is afterwards; undefined for one that was not attempted. */
  async #sendAll(deliveries: readonly Delivery[]): Promise<(Delivery | undefined)[]> {
    const { collections, present } = this.#context;
    const { workspaceId } = this.#endpoint;
    const references = deliveries
      .filter(isOfOrder)
      .map(({ eventId }) => ({ workspaceId, idOrBizId: orderIdOf(eventId) }));
    const orders = references.length === 0 ? [] : await collections.orders.findMany(references);
    const byEventId = new Map(orders.flatMap((order) => (order === undefined ? [] : [[eventIdOf(order.id), order]])));
    const send = async (delivery: Delivery): Promise<Delivery | undefined> => {
      const order = byEventId.get(delivery.eventId);
      if (isOfOrder(delivery) && (order === undefined || !isTerminal(order.status))) {
        return { ...delivery, nextAttemptAt: new Date(this.#clock().getTime() + endUnseenPauseMs) };
      }
      return this.#limit(() => this.#attempt(delivery, bodyOf(delivery, order, isTestWorkspace(workspaceId), present)));
    };
    const [first, ...rest] = deliveries;
    if (first === undefined || !this.#isProbing) return Promise.all(deliveries.map(send));
    return [await send(first), ...(await Promise.all(rest.map(send)))];
  }

  /** @returns the delivery after the attempt; undefined if none was made, because the run is over. */
  async #attempt(delivery: Delivery, body: string): Promise<Delivery | undefined> {
    if (this.#isOver) return undefined;
    const { sender, observe, clock } = this.#context;
    const { eventId } = delivery;
    const timestamp = Math.floor(clock().getTime() / 1000);
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'signed-wallet-transfers',
      'webhook-id': eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(this.#secrets, eventId, timestamp, body),
    };
    const result = await sender.send(this.#endpoint.url, headers, body, this.#signal);
    if (result.error === 'CANCELLED') return undefined;
    const isDelivered = result.error === null;
    observe.attempted(isDelivered);
    if (isDelivered) this.#delivered += 1;
    this.#failuresInRow = isDelivered ? 0 : this.#failuresInRow + 1;
    // It holds for all requests, also if one that was sent before is taken after it.
    this.#retryAfterMs = Math.max(this.#retryAfterMs, result.retryAfterMs);
    this.#isGone ||= result.status === gone;
    this.#attemptedAt = this.#clock();
    const attempted = afterAttempt(delivery, result, this.#attemptedAt);
    if (attempted.state === 'SET_ASIDE') observe.setAside();
    return attempted;
  }

  /** While the clock of a test workspace is put forward, more comes due within milliseconds; after a failure its pause is first. */
  async #isMoreSoon(): Promise<boolean> {
    const { collections, clock } = this.#context;
    const { workspaceId } = this.#endpoint;
    if (!isTestWorkspace(workspaceId) || this.#failuresInRow > 0) return false;
    const own = await collections.testClocks.read(workspaceId);
    if (advanceUnderWay(own, clock()) === undefined) return false;
    await setTimeout(moreSoonMs);
    return true;
  }

  #replayAt(): Date | undefined {
    const now = this.#clock();
    if (this.#replay === null) return undefined;
    if (this.#replay.isLate === true && lateAt(this.#replay) > now) return lateAt(this.#replay);
    return new Date(now.getTime() + (this.#isPaced ? replayPaceMs : 0));
  }

  /** If the owner changed, disabled or removed the endpoint meanwhile, the run ends, and the rest is left to the next one. */
  async #isUnchanged(): Promise<boolean> {
    const { workspaceId, id, updatedAt } = this.#endpoint;
    const now = await this.#context.collections.webhookEndpoints.find(workspaceId, id);
    return now?.updatedAt.getTime() === updatedAt.getTime();
  }
}

function isOfOrder({ type }: Delivery): boolean {
  return type !== testType && type !== alertType;
}

/**
 * The secrets of an endpoint that are valid now, the newest first. After a rotation there are two, until the overlap ends.
 * @throws Error one of them cannot be opened, because its master key is not configured; or there is none.
 */
function validSecrets({ id, secrets }: WebhookEndpoint, masterKeys: MasterKeys, now: Date): string[] {
  const valid = secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map((secret) => openSecret(secret, id, masterKeys));
  if (valid.length === 0) throw new Error(`webhook ${id} has no secret; its owner can rotate it`);
  return valid;
}
