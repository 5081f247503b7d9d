import { behindReadMax, disabledReadMax } from '../storage/webhook-backlog.ts';
import type { WebhookBacklog } from '../storage/webhook-backlog.ts';

/** How the sending of webhooks fares. */
export type Webhooks = ReturnType<typeof webhooksOf>;

export type EndpointFare = Webhooks['worst'][number];
export type DisabledFare = Webhooks['disabled'][number];

/** Endpoints that are shown, and named in metrics, each by itself. */
const worstMax = 10;

/**
 * Those that are behind for the longest each by itself, and the rest together. Of a URL the host alone is shown: paths of
 * receivers may be secret.
 */
export function webhooksOf({ behind, disabled, lookedAt }: WebhookBacklog, at: Date) {
  const ageMs = (since: Date | undefined): number =>
    since === undefined ? 0 : Math.max(0, at.getTime() - since.getTime());
  const others = behind.slice(worstMax);
  return {
    worst: behind.slice(0, worstMax).map(({ url, behindSince, ...endpoint }) => ({
      ...endpoint,
      host: hostOf(url),
      oldestMs: ageMs(behindSince),
    })),
    rest: {
      endpoints: others.length,
      waiting: others.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestMs: ageMs(others[0]?.behindSince),
    },
    /** Whether more are behind than were read. */
    isLowerBound: behind.length === behindReadMax,
    failing: behind.filter(({ failures }) => failures > 0).length,
    disabled: disabled.map(({ url, ...endpoint }) => ({ ...endpoint, host: hostOf(url) })),
    isDisabledLowerBound: disabled.length === disabledReadMax,
    /** For how long no worker came to an endpoint that is enabled, the longest. */
    unattendedMs: ageMs(lookedAt),
  };
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
