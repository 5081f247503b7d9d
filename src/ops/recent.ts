import { latelyCounts, type LatelyCount } from '../storage/processes/reports.ts';

export type CountName = LatelyCount | 'accepted' | 'posted' | 'busyMs' | 'sent' | 'delivered';

export type Recent = ReturnType<typeof createRecent>;

const windowSeconds = 5;
/** As the alerts about what is counted look back, so that a banner about it stands as long. */
const latelySeconds = 45;

interface Second {
  readonly at: number;
  readonly counts: Map<CountName, number>;
}

/** The last seconds of a process, in bounded memory: what the operator's page shows, without a metrics server. */
export function createRecent(nowSeconds: () => number = () => Math.floor(performance.now() / 1000)) {
  const seconds: Second[] = [];

  function current(): Second {
    const at = nowSeconds();
    const last = seconds.at(-1);
    if (last?.at === at) return last;
    const next: Second = { at, counts: new Map() };
    seconds.push(next);
    while (seconds.length > latelySeconds + 1) seconds.shift();
    return next;
  }

  /** Without the current second, which is not over, so its counts would be too low. */
  function whole(last: number): Second[] {
    const now = nowSeconds();
    return seconds.filter(({ at }) => at < now && at >= now - last);
  }

  function rate(name: CountName, last: number): number {
    return whole(last).reduce((sum, { counts }) => sum + (counts.get(name) ?? 0), 0) / last;
  }

  return {
    add(name: CountName, amount: number): void {
      const { counts } = current();
      counts.set(name, (counts.get(name) ?? 0) + amount);
    },
    /** Average over the last {@link windowSeconds} whole seconds. */
    perSecond: (name: CountName): number => rate(name, windowSeconds),
    /** What of these was counted over the last {@link latelySeconds} whole seconds, on average a second. */
    lately(): Partial<Record<LatelyCount, number>> {
      const rates = latelyCounts.map((name) => [name, rate(name, latelySeconds)] as const);
      return Object.fromEntries(rates.filter(([, perSecond]) => perSecond > 0));
    },
  };
}
