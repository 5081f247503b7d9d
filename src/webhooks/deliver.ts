import type { Clock } from '../clock.ts';
import type { MasterKeys } from '../auth/secrets.ts';
import type { Presenter } from '../orders/present.ts';
import { isTerminal } from '../orders/order.ts';
import { eventIdOf } from '../domain/webhook.ts';
import type { Logger } from '../log.ts';
import { replayPaceMs, type ReplayPace } from '../redis/webhook-limits.ts';
import type { EndpointToWake, WebhookQueue } from '../queue/webhook-queue.ts';
import type { Collections } from '../storage/collections.ts';
import { testType, type DeliveryNote } from '../storage/webhooks/deliveries.ts';
import type { WebhookEndpoint } from '../storage/webhooks/endpoints.ts';
import { createAttempts } from './attempts.ts';
import { eventAttemptsMin, eventPauseMs, eventTriedMs } from './backoff.ts';
import { noteFate, type RunFate } from './endpoint-fate.ts';
import { bodyOf, messagesOf, orderIdsOf, toMessage, type Message } from './messages.ts';
import { lateAt, nextPart } from './replay.ts';
import type { SendResult, WebhookSender } from './send.ts';

export interface DeliveryTools {
  readonly collections: Pick<Collections, 'orders' | 'webhookDeliveries' | 'webhookEndpoints' | 'webhookOutbox'>;
  readonly sender: WebhookSender;
  readonly masterKeys: MasterKeys;
  readonly queue: Pick<WebhookQueue, 'wake'>;
  readonly replayPace: ReplayPace;
  readonly present: Presenter;
  readonly log: Logger;
  readonly clock: Clock;
  readonly observe?: DeliveryObserver;
  /** The clock by which a replay knows when no late entry can come any more. */
  readonly now?: () => Date;
}

/** Told what delivery does, for the operator. */
export interface DeliveryObserver {
  attempted(endpointId: string, isDelivered: boolean, durationMs: number): void;
  setAside(): void;
  endpointDisabled(reason: 'FAILING' | 'GONE'): void;
}

const retriesAtOnceMax = 64;
/**
 * How long an event waits whose order shows no end yet. One transaction settles an order and writes its event, but if they
 * are on two shards, the event may be seen first.
 * Source: MongoDB, "Production Considerations (Sharded Clusters)".
 */
const endUnseenPauseMs = 1_000;

/**
 * Sends an endpoint the events that it has yet to be told, until there is none, its time is up or it fails. If the process
 * dies before an event that was sent is noted, it is sent again. So each event arrives at least once, with the same id.
 * @param signal aborts when the process stops. Requests under way then count as not sent.
 * @throws if a server is away or a secret cannot be opened. The endpoint's next check then tries again.
 */
export async function deliver(
  tools: DeliveryTools,
  { workspaceId, endpointId }: EndpointToWake,
  signal: AbortSignal,
): Promise<void> {
  const endpoint = await tools.collections.webhookEndpoints.find(workspaceId, endpointId);
  if (endpoint?.status !== 'ENABLED') return;
  const { retryAt, nextCheckAt } = endpoint;
  if (retryAt !== null && retryAt > tools.clock()) {
    // Nothing is sent yet. The next check is moved to when something may be.
    if (nextCheckAt > retryAt) await tools.collections.webhookEndpoints.checkAtRetry(endpoint);
    return;
  }
  const slice = createSlice(tools, endpoint, signal);
  await slice.run();
  await noteFate(tools, endpoint, slice.fate());
}

function createSlice(tools: DeliveryTools, endpoint: WebhookEndpoint, signal: AbortSignal) {
  const { webhookDeliveries, webhookEndpoints, webhookOutbox, orders } = tools.collections;
  const { workspaceId, id, events } = endpoint;
  const attempts = createAttempts(tools, endpoint, signal);
  const { isOver } = attempts;
  const { clock, now = clock } = tools;
  let { replay } = endpoint;
  let isPaced = false;

  /** Sends messages, and notes the outcome of each. @param areNoted whether each is a delivery of its own already. */
  async function sendAll(messages: readonly Message[], areNoted: boolean): Promise<void> {
    const references = orderIdsOf(messages).map((idOrBizId) => ({ workspaceId, idOrBizId }));
    const found = references.length === 0 ? [] : await orders.findMany(references);
    const byEventId = new Map(found.flatMap((order) => (order === undefined ? [] : [[eventIdOf(order.id), order]])));
    const post = async (message: Message): Promise<DeliveryNote[]> => {
      const order = byEventId.get(message.eventId);
      if (message.type !== testType && (order === undefined || !isTerminal(order.status))) {
        return [postponed(message, clock(), endUnseenPauseMs)];
      }
      const result = await attempts.send(message, bodyOf(message, order, tools.present));
      if (result === undefined) return areNoted ? [] : [postponed(message, clock())];
      const note = noteOf(message, result, clock());
      if (note.state === 'SET_ASIDE') tools.observe?.setAside();
      return [note];
    };
    const [first, ...rest] = messages;
    if (first === undefined) return;
    const notes = attempts.isProbing() ? [await post(first)] : [];
    const others = notes.length > 0 ? rest : messages;
    notes.push(...(await Promise.all(others.map((message) => attempts.limit(post, message)))));
    await webhookDeliveries.note(endpoint, notes.flat());
  }

  /**
   * A failing endpoint is asked with the event that was tried least, first of all with a new one: a receiver that refuses
   * some events for ever must not look as if it refused all.
   * @returns whether there was anything to send.
   */
  async function sendNext(): Promise<boolean> {
    if (attempts.isProbing() && (await sendNew())) return true;
    const due = await webhookDeliveries.due(endpoint, clock(), retriesAtOnceMax);
    const messages = due.map(toMessage);
    if (attempts.isProbing()) messages.sort((one, other) => one.attempts - other.attempts);
    await sendAll(messages, true);
    if (isOver()) return true;
    return (await sendNew()) || (await sendAgain()) || due.length > 0;
  }

  async function sendNew(): Promise<boolean> {
    const [entry] = await webhookOutbox.pendingFor(workspaceId, id, 1);
    if (entry === undefined) return false;
    await sendAll(messagesOf(entry, events, entry.createdAt), false);
    await webhookOutbox.settle(entry, id);
    return true;
  }

  /** Sends the next entry of a replay, unless the workspace's replays have sent enough for now. */
  async function sendAgain(): Promise<boolean> {
    if (replay === null || (replay.isLate === true && lateAt(replay) > now())) return false;
    const range = { workspaceId, ...replay };
    const [entry] =
      replay.isLate === true ? await webhookOutbox.missedBetween(range, id, 1) : await webhookOutbox.between(range, 1);
    if (entry !== undefined) {
      const messages = messagesOf(entry, events, now());
      isPaced = !(await tools.replayPace.take(workspaceId, messages.length));
      if (isPaced) return false;
      await sendAll(messages, false);
      if (entry.missedBy?.includes(id) === true) await webhookOutbox.settle(entry, id);
    }
    const next = entry === undefined ? nextPart(replay) : { ...replay, after: entry._id };
    await webhookEndpoints.advanceReplay(endpoint, replay, next);
    replay = next;
    return entry !== undefined;
  }

  function replayAt(): Date | undefined {
    if (replay === null) return undefined;
    if (replay.isLate === true && lateAt(replay) > now()) return lateAt(replay);
    return new Date(clock().getTime() + (isPaced ? replayPaceMs : 0));
  }

  return {
    async run(): Promise<void> {
      while (!isOver() && (await sendNext()) && (await isAsRead(webhookEndpoints, endpoint)));
    },
    fate: (): RunFate => ({ ...attempts.fate(), replayAt: replayAt() }),
  };
}

/** If the owner changed, disabled or removed the endpoint meanwhile, a run ends, and the rest is left to the next one. */
async function isAsRead(
  endpoints: DeliveryTools['collections']['webhookEndpoints'],
  { workspaceId, id, updatedAt }: WebhookEndpoint,
): Promise<boolean> {
  return (await endpoints.find(workspaceId, id))?.updatedAt.getTime() === updatedAt.getTime();
}

function noteOf(message: Message, { status, error, durationMs, retryAfterMs }: SendResult, now: Date): DeliveryNote {
  const { eventId, type, attempts, since } = message;
  const pauseMs = eventPauseMs(attempts + 1, { atLeastMs: retryAfterMs });
  const next = error === null ? null : new Date(now.getTime() + pauseMs);
  const isTriedOut = attempts + 1 >= eventAttemptsMin;
  const isTooLate = next !== null && isTriedOut && next.getTime() - since.getTime() > eventTriedMs;
  const state = next === null ? 'DELIVERED' : isTooLate ? 'SET_ASIDE' : 'PENDING';
  const nextAttemptAt = isTooLate ? null : next;
  return { eventId, type, state, attempted: 1, status, error, durationMs, nextAttemptAt, createdAt: since };
}

/** The note of an event that was not sent, because time was up or its order shows no end yet. It is a delivery from now on. */
function postponed({ eventId, type, since }: Message, now: Date, pauseMs = 0): DeliveryNote {
  const none = { status: null, error: null, durationMs: null };
  const nextAttemptAt = new Date(now.getTime() + pauseMs);
  return { eventId, type, state: 'PENDING', attempted: 0, ...none, nextAttemptAt, createdAt: since };
}
