import type { Clock } from '../clock.ts';
import type { Presenter } from '../orders/present.ts';
import { isTerminal } from '../orders/order.ts';
import { eventIdOf } from '../domain/webhook.ts';
import { replayPaceMs, type ReplayPace } from '../redis/webhook-limits.ts';
import type { Collections } from '../storage/collections.ts';
import { testType, type Delivery } from '../storage/webhooks/deliveries.ts';
import type { WebhookEndpoint } from '../storage/webhooks/endpoints.ts';
import type { Attempts, AttemptsResult } from './attempts.ts';
import { bodyOf, deliveriesOf, orderIdsOf } from './delivery.ts';
import { lateAt, nextPart } from './replay.ts';

/** The result of a run of an endpoint. */
export interface RunResult extends AttemptsResult {
  /** When its replay goes on; undefined if there is none. */
  readonly replayAt: Date | undefined;
}

/** Sends an endpoint the events that wait for it, until there are none, its time is up, its owner changes it, or it fails. */
export type Run = (endpoint: WebhookEndpoint, attempts: Attempts) => Promise<RunResult>;

const retriesAtOnceMax = 64;
/**
 * How long an event waits whose order shows no end yet. One transaction settles an order and writes its event, but if they
 * are on two shards, the event may be seen first.
 * Source: MongoDB, "Production Considerations (Sharded Clusters)".
 */
const endUnseenPauseMs = 1_000;

export function createRun(
  collections: Pick<Collections, 'orders' | 'webhookDeliveries' | 'webhookEndpoints' | 'webhookOutbox'>,
  replayPace: ReplayPace,
  present: Presenter,
  clock: Clock,
): Run {
  const { webhookDeliveries, webhookEndpoints, webhookOutbox, orders } = collections;

  return async (endpoint, attempts) => {
    const { workspaceId, id, events } = endpoint;
    let { replay } = endpoint;
    let isPaced = false;

    /** @returns each delivery as it is afterwards; undefined for one that was not attempted. */
    async function sendAll(deliveries: readonly Delivery[]): Promise<(Delivery | undefined)[]> {
      const references = orderIdsOf(deliveries).map((idOrBizId) => ({ workspaceId, idOrBizId }));
      const found = references.length === 0 ? [] : await orders.findMany(references);
      const byEventId = new Map(found.flatMap((order) => (order === undefined ? [] : [[eventIdOf(order.id), order]])));
      const send = async (delivery: Delivery): Promise<Delivery | undefined> => {
        const order = byEventId.get(delivery.eventId);
        if (delivery.type !== testType && (order === undefined || !isTerminal(order.status))) {
          return { ...delivery, nextAttemptAt: new Date(clock().getTime() + endUnseenPauseMs) };
        }
        return attempts.send(delivery, bodyOf(delivery, order, present));
      };
      const [first, ...rest] = deliveries;
      if (first === undefined || !attempts.isProbing()) return Promise.all(deliveries.map(send));
      return [await send(first), ...(await Promise.all(rest.map(send)))];
    }

    /** Sends deliveries that are not stored yet, and stores them. */
    async function sendFirst(deliveries: readonly Delivery[]): Promise<void> {
      const sent = await sendAll(deliveries);
      const stored = deliveries.map((delivery, index) => sent[index] ?? delivery);
      await webhookDeliveries.store(endpoint, stored);
    }

    /**
     * A failing endpoint is asked with the event that was tried least, first of all with a new one: a receiver that refuses
     * some events for ever must not look as if it refused all.
     * @returns whether there was anything to send.
     */
    async function sendNext(): Promise<boolean> {
      if (attempts.isProbing() && (await sendNew())) return true;
      const due = await webhookDeliveries.due(endpoint, clock(), retriesAtOnceMax);
      if (attempts.isProbing()) due.sort((one, other) => one.attempts - other.attempts);
      const sent = await sendAll(due);
      await webhookDeliveries.store(
        endpoint,
        sent.filter((delivery) => delivery !== undefined),
      );
      if (attempts.isOver()) return true;
      return (await sendNew()) || (await sendAgain()) || due.length > 0;
    }

    async function sendNew(): Promise<boolean> {
      const [entry] = await webhookOutbox.pendingFor(workspaceId, id, 1);
      if (entry === undefined) return false;
      await sendFirst(deliveriesOf(entry, events, entry.createdAt));
      await webhookOutbox.settle(entry, id);
      return true;
    }

    /** Sends the next entry of a replay, unless the workspace's replays have sent enough for now. */
    async function sendAgain(): Promise<boolean> {
      if (replay === null || (replay.isLate === true && lateAt(replay) > clock())) return false;
      const missedBy = replay.isLate === true ? id : undefined;
      const [entry] = await webhookOutbox.between(workspaceId, replay, 1, missedBy);
      if (entry !== undefined) {
        const deliveries = deliveriesOf(entry, events, clock());
        isPaced = !(await replayPace.take(workspaceId, deliveries.length));
        if (isPaced) return false;
        await sendFirst(deliveries);
        if (entry.missedBy?.includes(id) === true) await webhookOutbox.settle(entry, id);
      }
      const next = entry === undefined ? nextPart(replay) : { ...replay, after: entry._id };
      await webhookEndpoints.advanceReplay(endpoint, replay, next);
      replay = next;
      return entry !== undefined;
    }

    function replayAt(): Date | undefined {
      if (replay === null) return undefined;
      if (replay.isLate === true && lateAt(replay) > clock()) return lateAt(replay);
      return new Date(clock().getTime() + (isPaced ? replayPaceMs : 0));
    }

    /** If the owner changed, disabled or removed the endpoint meanwhile, the run ends, and the rest is left to the next one. */
    async function isUnchanged(): Promise<boolean> {
      const now = await webhookEndpoints.find(workspaceId, id);
      return now?.updatedAt.getTime() === endpoint.updatedAt.getTime();
    }

    while (!attempts.isOver() && (await sendNext()) && (await isUnchanged()));
    return { ...attempts.result(), replayAt: replayAt() };
  };
}
