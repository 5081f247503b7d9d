import { LRUCache } from 'lru-cache';
import type { Gauge } from 'prom-client';
import { systemClock, type Clock } from '../clock.ts';
import { forgedSteps, type RefusedAttempt } from '../auth/pipeline.ts';
import { shownKeyId } from '../auth/signing-headers.ts';
import { isTestWorkspace } from '../domain/ids.ts';
import { catalogue, ServiceError, simulatedCode } from '../errors.ts';
import type { Answered } from '../http/app.ts';
import type { Logger } from '../log.ts';
import type { PostedGroup, PostObserver } from '../posting/observer.ts';
import { createMetrics, slowAnswerSeconds, type Metrics } from './metrics.ts';
import { createRecent, type Recent } from './recent.ts';
import type { DeliveryObserver } from '../webhooks/run.ts';

export type Observers = ReturnType<typeof createObservers>;

/** Longer than a sweep takes to bring an order again. */
const unknownTypesKeptMs = 120_000;
const unknownTypesMax = 20;
const knownCodes: ReadonlySet<string> = new Set([
  '2000',
  'none',
  simulatedCode,
  ...Object.values(catalogue).map(({ code }) => code),
]);

/** Turns what the layers below report into metrics, the last seconds that the page shows, and samples for the log. */
export function createObservers(log: Logger, now: Clock = systemClock) {
  const metrics = createMetrics();
  const recent = createRecent();
  let clockAheadMs = 0;
  const certificates = new Map<string, Date>();
  const unknownTypes = new LRUCache<string, true>({ max: unknownTypesMax, ttl: unknownTypesKeptMs });
  function countCommit(of: 'accepting' | 'posting', durationMs: number): void {
    metrics.commitDuration.observe({ of }, durationMs / 1_000);
    recent.add('commits', 1);
    recent.add('commitSeconds', durationMs / 1_000);
  }
  return {
    metrics,
    recent,
    /** As MongoDB's clock was last read. */
    clockAheadMs: () => clockAheadMs,
    /** The types of the orders that this process could not post lately, because it does not know them. */
    unknownTypes: (): string[] => [...unknownTypes.keys()],
    /** When the certificates of the servers expire, by the server's name. */
    certificates: () => Object.fromEntries(certificates),
    answered: ({ route, status, code, durationMs }: Answered): void => {
      metrics.requests.inc({ route, status, code: knownCodes.has(code) ? code : 'other' });
      metrics.requestDuration.observe({ route }, durationMs / 1000);
      recent.add('answered', 1);
      if (status >= 500 && code !== simulatedCode) recent.add('serverErrors', 1);
      if (durationMs > slowAnswerSeconds * 1_000) recent.add('slowAnswers', 1);
    },
    /**
     * Logs a failed authentication: the key if it has the form of one (anything else may be a secret in the wrong place), and the
     * address. The log has one of each step and reason a minute. Other refusals are logged where they are answered
     * (src/http/failure-log.ts).
     */
    refused: ({ step, error, attempt }: RefusedAttempt): void => {
      if (!isFailedAuthentication(error)) return;
      metrics.pipelineRefusals.inc({ step });
      if (forgedSteps.includes(step)) recent.add('forged', 1);
      const entry = {
        step,
        code: catalogue[error.errorName].code,
        why: error.errorName,
        keyId: shownKeyId(attempt.header('x-api-key')),
        address: attempt.clientAddress() ?? null,
      };
      log.warn(entry, 'request refused by the authentication pipeline');
    },
    /** @param aheadMs how far the clock of this machine is ahead of MongoDB's; undefined if that could not be asked. */
    clock: (aheadMs: number | undefined): void => {
      clockAheadMs = aheadMs ?? clockAheadMs;
      setIfKnown(metrics.clockOffset, {}, aheadMs && aheadMs / 1000);
    },
    /** @param server `mongodb` or `redis`. @param expiresAt undefined if no certificate could be seen. */
    certificateSeen: (server: string, expiresAt: Date | undefined): void => {
      setIfKnown(metrics.certificateExpiry, { server }, expiresAt && expiresAt.getTime() / 1000);
      if (expiresAt === undefined) certificates.delete(server);
      else certificates.set(server, expiresAt);
    },
    /** An order was left PENDING, because this release does not know its type. */
    typeUnknown: (type: string): void => {
      metrics.ordersUnknownType.inc();
      unknownTypes.set(type, true);
    },
    /** @param recorded how many orders of a batch of creates are new; none if it failed. */
    batchRecorded: (recorded: number, durationMs: number): void => {
      countCommit('accepting', durationMs);
      metrics.ordersAccepted.inc(recorded);
      recent.add('accepted', recorded);
    },
    webhooks: {
      attempted(isDelivered) {
        metrics.webhookAttempts.inc({ outcome: isDelivered ? 'delivered' : 'failed' });
        recent.add('sent', 1);
        if (isDelivered) recent.add('delivered', 1);
      },
      setAside() {
        metrics.webhooksSetAside.inc();
      },
    } satisfies DeliveryObserver,
    post: {
      groupPosted(group) {
        countCommit('posting', group.durationMs);
        recent.add('groups', 1);
        countPosted(group, now().getTime(), metrics, recent);
      },
      groupFailed(durationMs) {
        countCommit('posting', durationMs);
        recent.add('groups', 1);
        metrics.postGroupFailures.inc();
        recent.add('groupFailures', 1);
      },
      busyFor(durationMs) {
        recent.add('busyMs', durationMs);
      },
    } satisfies PostObserver,
  };
}

/**
 * Whether a step of the pipeline found that the request does not prove who sent it, or that its key may not do this. A key
 * over its rate has proved it; a body that breaks or is too large is another fault; and so is a server that is away.
 */
function isFailedAuthentication(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  return catalogue[error.errorName].code.startsWith('GA') || error.errorName === 'ENDPOINT_UNKNOWN';
}

/** A value that could not be read is absent, so that no old one is taken for it. */
function setIfKnown<Label extends string>(
  gauge: Gauge<Label>,
  labels: Partial<Record<Label, string>>,
  value: number | undefined,
): void {
  if (value === undefined) gauge.remove(labels);
  else gauge.set(labels, value);
}

function countPosted(
  { posting: { ended }, attempts }: PostedGroup,
  nowMs: number,
  metrics: Metrics,
  recent: Recent,
): void {
  metrics.postConflicts.inc(attempts - 1);
  recent.add('posted', ended.length);
  for (const [outcome, endings] of Map.groupBy(ended, ({ status, failure }) => failure ?? status))
    metrics.ordersPosted.inc({ outcome }, endings.length);
  for (const { order } of ended) {
    // By a clock of its own.
    if (isTestWorkspace(order.workspaceId)) continue;
    const { createdAt, executeAt = createdAt } = order;
    // Two processes' clocks may differ by a little.
    metrics.orderLatency.observe(Math.max(0, nowMs - executeAt.getTime()) / 1000);
  }
}
