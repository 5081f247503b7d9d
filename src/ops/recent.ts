/** What is counted, in events; of webhooks, what was sent, and what of it came through: of all together, and of an endpoint by its id. */
export type CountName =
  | ('answered' | 'accepted' | 'posted' | 'conflicts' | 'busyMs' | 'sent' | 'delivered')
  | `${'sent' | 'delivered'} ${string}`;
export type SampleName = 'answerMs' | 'latencyMs';

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export type Recent = ReturnType<typeof createRecent>;

const windowSeconds = 5;
/** Samples of one second that are kept; more are thinned out evenly. */
const samplesPerSecondMax = 500;

interface Second {
  readonly at: number;
  readonly counts: Map<CountName, number>;
  readonly samples: Map<SampleName, { values: number[]; seen: number }>;
}

/** The last seconds of a process, in bounded memory: what the operator's page shows, without a metrics server. */
export function createRecent(nowSeconds: () => number = () => Math.floor(performance.now() / 1000)) {
  const seconds: Second[] = [];

  function current(): Second {
    const at = nowSeconds();
    const last = seconds.at(-1);
    if (last?.at === at) return last;
    const next: Second = { at, counts: new Map(), samples: new Map() };
    seconds.push(next);
    while (seconds.length > windowSeconds + 1) seconds.shift();
    return next;
  }

  /** The second under way is not over: its counts would read too low. */
  function whole(): Second[] {
    const now = nowSeconds();
    return seconds.filter(({ at }) => at < now && at >= now - windowSeconds);
  }

  return {
    add(name: CountName, amount: number): void {
      const { counts } = current();
      counts.set(name, (counts.get(name) ?? 0) + amount);
    },
    sample(name: SampleName, value: number): void {
      const { samples } = current();
      const kept = samples.get(name) ?? { values: [], seen: 0 };
      samples.set(name, kept);
      kept.seen += 1;
      if (kept.values.length < samplesPerSecondMax) kept.values.push(value);
      else if (Math.random() < samplesPerSecondMax / kept.seen) {
        kept.values[Math.floor(Math.random() * samplesPerSecondMax)] = value;
      }
    },
    /** Average over the last {@link windowSeconds} whole seconds. */
    perSecond(name: CountName): number {
      return whole().reduce((sum, { counts }) => sum + (counts.get(name) ?? 0), 0) / windowSeconds;
    },
    /** To which endpoints the most was sent. */
    mostSent(countMax: number): string[] {
      const sent = new Map<string, number>();
      for (const { counts } of whole()) {
        for (const [name, count] of counts) {
          const [kind, id] = name.split(' ');
          if (kind === 'sent' && id !== undefined) sent.set(id, (sent.get(id) ?? 0) + count);
        }
      }
      const sorted = [...sent].sort(([, a], [, b]) => b - a);
      return sorted.slice(0, countMax).map(([id]) => id);
    },
    /** Undefined where nothing was sampled lately. */
    percentiles(name: SampleName): Percentiles | undefined {
      const values = whole().flatMap(({ samples }) => samples.get(name)?.values ?? []);
      if (values.length === 0) return undefined;
      values.sort((a, b) => a - b);
      const at = (share: number): number => values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
      return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
    },
  };
}
