import { behindReadMax, disabledReadMax, type WebhookBacklog } from '../storage/webhooks/backlog.ts';
import type { ProcessReport } from '../storage/processes/reports.ts';

/** The state of the sending of webhooks. */
export type Webhooks = ReturnType<typeof webhooksOf>;

/** Webhooks a second. */
interface Rates {
  readonly sent: number;
  readonly delivered: number;
}

export type EndpointStatus = Webhooks['worst'][number];
export type DisabledStatus = Webhooks['disabled'][number];

/** How many endpoints are shown, and named in metrics, one by one. */
const worstMax = 10;

/**
 * The endpoints that are behind for the longest one by one, and the rest together. Only the host of a URL is shown, because
 * paths of receivers may be secret.
 */
export function webhooksOf(
  { behind, disabled, lookedAt }: WebhookBacklog,
  processes: readonly ProcessReport[],
  at: Date,
) {
  const ageMs = (since: Date | undefined): number =>
    since === undefined ? 0 : Math.max(0, at.getTime() - since.getTime());
  const reports = processes.map(({ webhooks }) => webhooks);
  const others = behind.slice(worstMax);
  const worst = behind.slice(0, worstMax).map(({ url, behindSince, ...endpoint }) => ({
    ...endpoint,
    host: hostOf(url),
    oldestMs: ageMs(behindSince),
    rates: sumOf(reports.flatMap(({ endpoints }) => endpoints.filter(({ id }) => id === endpoint.id))),
  }));
  const rates = sumOf(reports);
  const ofWorst = sumOf(worst.map((endpoint) => endpoint.rates));
  return {
    rates,
    worst,
    rest: {
      endpoints: others.length,
      waiting: others.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestMs: ageMs(others[0]?.behindSince),
      // Includes the endpoints that are not behind.
      rates: {
        sent: Math.max(0, rates.sent - ofWorst.sent),
        delivered: Math.max(0, rates.delivered - ofWorst.delivered),
      },
    },
    /** Whether more endpoints may be behind than were read. */
    isLowerBound: behind.length === behindReadMax,
    failing: behind.filter(({ failures }) => failures > 0).length,
    disabled: disabled.map(({ url, ...endpoint }) => ({ ...endpoint, host: hostOf(url) })),
    isDisabledLowerBound: disabled.length === disabledReadMax,
    /** The longest time for which no worker came to an endpoint that is enabled. */
    unattendedMs: ageMs(lookedAt),
  };
}

function sumOf(all: readonly Rates[]): Rates {
  const sum = (pick: (rates: Rates) => number): number => all.reduce((total, rates) => total + pick(rates), 0);
  return { sent: sum(({ sent }) => sent), delivered: sum(({ delivered }) => delivered) };
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
