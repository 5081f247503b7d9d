import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import type { Order } from '../orders/order.ts';
import { releaseOfExpired } from '../orders/release.ts';
import { anywhereIn, type PostingQueue } from '../queue/posting-queue.ts';
import type { WebhookQueue } from '../queue/webhook-queue.ts';
import type { Collections } from '../storage/collections.ts';
import type { DueOrder, DueStatus } from '../storage/orders/due.ts';
import type { ClientSession } from '../storage/shared/transaction.ts';
import { advanceUnderWay, timeBy, type Advance, type TestClock } from '../storage/test-clocks.ts';
import { batchLimits } from '../waiting/batcher.ts';
import { startSingleton, type LeaseCandidate } from '../waiting/singleton.ts';
import { expiryGraceMs } from './expiry.ts';

/*
 * Time in test workspaces. What has a time of its own stands still until that, also while a clock is put forward. Whoever posts a
 * test workspace asks after each time that nothing waits what is due by its clock. If nothing is, and the clock is being put
 * forward, it goes to the next moment at which something will be.
 */

export type TimeSources = Pick<
  Collections,
  'backlog' | 'dueOrders' | 'testClocks' | 'webhookDeliveries' | 'webhookEndpoints' | 'webhookOutbox'
>;

/** How many orders are done at once. */
const pageSize = batchLimits.sizeMax;
const readMaxMs = 5_000;
/** As far as a time can be. */
const never = new Date(8_640_000_000_000_000);
/** Senders of webhooks are woken again after this long, and looked after so often. */
const sendingMaxMs = 250;
const lookEveryMs = 10;
/** A clock is not moved any more so soon before it runs on, so that what comes due by that is still counted. */
const lastMoveMs = 1_000;

interface DueEndpoint {
  readonly endpointId: string;
  readonly workspaceId: string;
  readonly dueAt: Date;
}

/** What is due next in a workspace. */
interface Due {
  readonly scheduled: DueOrder | undefined;
  readonly hold: DueOrder | undefined;
  readonly endpoints: readonly DueEndpoint[];
}

/** The endpoints of a workspace that have something to be sent, each with when that is due. */
async function dueEndpoints(
  { webhookDeliveries, webhookEndpoints, webhookOutbox }: TimeSources,
  workspaceId: string,
): Promise<DueEndpoint[]> {
  const endpoints = await webhookEndpoints.list(workspaceId);
  const due = await Promise.all(
    endpoints.map(async (endpoint): Promise<DueEndpoint[]> => {
      if (endpoint.status !== 'ENABLED') return [];
      const [entry, nextDue] = await Promise.all([
        webhookOutbox.nextFor(workspaceId, endpoint.id),
        webhookDeliveries.nextDue(endpoint),
      ]);
      const first = entry?.createdAt ?? nextDue;
      if (first === undefined) return [];
      const { id: endpointId, retryAt } = endpoint;
      return [{ endpointId, workspaceId, dueAt: retryAt !== null && retryAt > first ? retryAt : first }];
    }),
  );
  return due.flat();
}

const firstOf = (due: readonly ({ readonly dueAt: Date } | undefined)[]): Date | undefined =>
  due
    .flatMap((one) => one?.dueAt ?? [])
    .reduce<Date | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined);

/** The first order that is due behind another, however late that is. */
const firstDue = async (
  { dueOrders }: TimeSources,
  workspaceId: string,
  status: DueStatus,
  after?: DueOrder,
): Promise<DueOrder | undefined> =>
  (await dueOrders.of(workspaceId, status, { after, now: never, countMax: 1, maxTimeMS: readMaxMs }))[0];

/** When something of a test workspace is due next, by its clock; undefined if nothing will be. */
export async function nextDueOf(sources: TimeSources, workspaceId: string): Promise<Date | undefined> {
  const [scheduled, hold, endpoints] = await Promise.all([
    firstDue(sources, workspaceId, 'SCHEDULED'),
    firstDue(sources, workspaceId, 'COMPLETED'),
    dueEndpoints(sources, workspaceId),
  ]);
  return firstOf([scheduled, hold, ...endpoints]);
}

/**
 * Does what is due in a test workspace in which nothing waits for a worker, and puts its clock forward if somebody asked for that:
 * orders whose time has come are started, then holds that have expired are released, then webhooks are sent; only then the clock
 * goes to the next moment. Each call does one of these. It can be repeated, and two at once do no harm.
 * @returns whether orders may wait now, or there is more to do. Throws if a server is away.
 */
export function createGoOnInTime(
  sources: TimeSources,
  webhookQueue: Pick<WebhookQueue, 'wakeNow'>,
  clock: Clock,
): (workspaceId: string) => Promise<boolean> {
  const { backlog, dueOrders: orders, testClocks } = sources;

  /** Sends what is due. @returns once it was sent, or after a while. */
  async function send(due: readonly DueEndpoint[], workspaceId: string, now: Date): Promise<void> {
    await webhookQueue.wakeNow(due);
    const endsAt = performance.now() + sendingMaxMs;
    while (performance.now() < endsAt) {
      await setTimeout(lookEveryMs);
      if ((await dueEndpoints(sources, workspaceId)).every(({ dueAt }) => dueAt > now)) return;
    }
  }

  const pageOf = (workspaceId: string, status: DueStatus, by: Date) =>
    orders.of(workspaceId, status, { now: by, countMax: pageSize, maxTimeMS: readMaxMs });

  const countIn =
    (workspaceId: string, advance: Advance | undefined, what: 'started' | 'expired') =>
    async (due: number, session: ClientSession): Promise<unknown> =>
      advance && due > 0 && testClocks.count(workspaceId, advance, what, due, session);

  async function start(workspaceId: string, now: Date, advance: Advance | undefined): Promise<void> {
    const ids = idsOf(await pageOf(workspaceId, 'SCHEDULED', now));
    await orders.startAt(workspaceId, ids, now, countIn(workspaceId, advance, 'started'));
  }

  async function moveOn(workspaceId: string, advance: Advance, own: TestClock, due: Due): Promise<void> {
    const now = own.at;
    // Recorded since it was posted, such as by a receiver of what was sent.
    if ((await backlog.countOf(workspaceId, 1)) > 0) return;
    if (now < advance.to) {
      if (own.since.getTime() - clock().getTime() < lastMoveMs) return setTimeout(lookEveryMs);
      if (now.getTime() === advance.from.getTime()) await orders.startSlow(workspaceId);
      const next = firstOf([due.scheduled, due.hold, ...due.endpoints]) ?? never;
      const at = next < advance.to ? next : advance.to;
      const isMoved = await testClocks.moveTo(workspaceId, own, advance, at);
      if (isMoved && due.scheduled !== undefined && due.scheduled.dueAt <= at) await start(workspaceId, at, advance);
      return;
    }
    await testClocks.end(workspaceId, advance);
    // They were last told when to look by a clock that has been put forward.
    const later = due.endpoints.filter(({ dueAt }) => dueAt > now);
    if (later.length > 0) await webhookQueue.wakeNow(later);
  }

  return async (workspaceId) => {
    const own = await testClocks.read(workspaceId);
    const realNow = clock();
    const now = timeBy(own, realNow);
    const advance = advanceUnderWay(own, realNow);
    // Before the orders, so that what a receiver made of an event is found after it.
    const endpoints = advance === undefined ? [] : await dueEndpoints(sources, workspaceId);
    const [scheduled, firstHold] = await Promise.all([
      firstDue(sources, workspaceId, 'SCHEDULED'),
      firstDue(sources, workspaceId, 'COMPLETED'),
    ]);
    if (scheduled !== undefined && scheduled.dueAt <= now) {
      await start(workspaceId, now, advance);
      return true;
    }

    const graceMs = advance === undefined ? expiryGraceMs : 0;
    const expiredBy = new Date(now.getTime() - graceMs);
    let hold = firstHold;
    if (hold !== undefined && hold.dueAt <= expiredBy) {
      const expired = await pageOf(workspaceId, 'COMPLETED', expiredBy);
      const releaseOf = (one: Order): Order => releaseOfExpired(one, now);
      const count = countIn(workspaceId, advance, 'expired');
      const released = await orders.releaseExpired(workspaceId, idsOf(expired), releaseOf, now, count);
      if (released.length > 0) return true;
      // An order that is set aside uses them.
      hold = await firstDue(sources, workspaceId, 'COMPLETED', expired.at(-1));
    }

    if (advance === undefined) {
      const next = firstOf([scheduled, hold]);
      const wakeAt = next === undefined ? null : new Date(realNow.getTime() + next.getTime() - now.getTime() + graceMs);
      if (wakeAt?.getTime() === own.wakeAt?.getTime()) return false;
      return !(await testClocks.wakeAt(workspaceId, own, wakeAt));
    }
    const toSend = endpoints.filter(({ dueAt }) => dueAt <= now);
    if (toSend.length > 0) await send(toSend, workspaceId, now);
    else await moveOn(workspaceId, advance, own, { scheduled, hold, endpoints });
    return true;
  };
}

function idsOf(due: readonly DueOrder[]): string[] {
  return due.map(({ id }) => id);
}

const job = { lease: 'test-clocks', what: 'waking test workspaces', everyMs: 500, workMaxMs: 10_000 };
const wokenPerRoundMax = 200;
const againAfterMs = 5_000;

/** Wakes the test workspaces in which something is due by their clocks. One process at a time does so, by a lease. */
export function startTestClockRounds(
  { testClocks }: Pick<Collections, 'testClocks'>,
  queue: Pick<PostingQueue, 'wake'>,
  candidate: LeaseCandidate,
  log: Logger,
) {
  const work = async (): Promise<void> =>
    queue.wake(anywhereIn(await testClocks.toWake(wokenPerRoundMax, againAfterMs)));
  return startSingleton(job, candidate, work, log);
}
