import type { RateLimiterRedis } from 'rate-limiter-flexible';
import type { RedisClient } from './connection.ts';
import { createLimiter, tryConsume, verdictOf, type RateVerdict } from './rate-limits.ts';

/**
 * How often in a minute the owners of a workspace's webhooks may have something sent, all its webhooks together; and how many
 * webhooks they may make, because a new one is tried at once, as if its receiver had never failed.
 */
export const callsPerMinute = { create: 20, test: 10, replay: 10, replayOfEvent: 600 } as const;
/** How many events the replays of a workspace send in {@link replayPaceMs}, all its webhooks together. */
export const replayedAtOnceMax = 100;
export const replayPaceMs = 1_000;

const minuteSeconds = 60;

export type WebhookCall = keyof typeof callsPerMinute;
export type WebhookCallLimit = ReturnType<typeof createWebhookCallLimit>;
export type ReplayPace = ReturnType<typeof createReplayPace>;

/** How often owners may make webhooks, and have something sent. Workspaces are counted, because webhooks can be made and deleted. */
export function createWebhookCallLimit(redis: RedisClient, prefix: string) {
  const limiterOf = (call: WebhookCall): RateLimiterRedis =>
    createLimiter(redis, `${prefix}:rate:webhook:${call}`, callsPerMinute[call], minuteSeconds);
  const limiters = {
    create: limiterOf('create'),
    test: limiterOf('test'),
    replay: limiterOf('replay'),
    replayOfEvent: limiterOf('replayOfEvent'),
  };
  return {
    /** Counts a call, unless this process knows that the limit is passed. Throws if Redis is away. */
    async consume(call: WebhookCall, workspaceId: string): Promise<RateVerdict> {
      const { isAllowed, remainingPoints, msBeforeNext } = await tryConsume(limiters[call], workspaceId);
      return verdictOf('webhook', isAllowed, remainingPoints, msBeforeNext);
    },
  };
}

/** Keeps replays, which may be of a month, from taking what posting and other workspaces' webhooks need. */
export function createReplayPace(redis: RedisClient, prefix: string) {
  const limiter = createLimiter(redis, `${prefix}:rate:webhook:replayed`, replayedAtOnceMax, replayPaceMs / 1_000);
  return {
    /** Whether a replay may send so many events now; more than a whole turn count as one. Throws if Redis is away. */
    async take(workspaceId: string, events: number): Promise<boolean> {
      if (events === 0) return true;
      return (await tryConsume(limiter, workspaceId, Math.min(events, replayedAtOnceMax))).isAllowed;
    },
  };
}
