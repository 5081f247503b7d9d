import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseMetrics } from './metrics-text.ts';

/** A process of the service. */
export interface Watched {
  readonly process: { kill(signal: NodeJS.Signals): unknown };
  readonly opsUrl: string;
  /** Of the API: connections to it are counted. */
  readonly port?: number | undefined;
}

/** What a process that is to be watched is started with. */
export const watchedEnv = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'collect-garbage.ts')).href} --expose-gc`,
};

/** What a process says of itself, after a collection of garbage. */
export interface Look {
  /** In use by V8 and the buffers it knows of. */
  liveBytes: number;
  residentBytes: number;
  /** Connections of clients of the API; 0 where there is no `/proc`. */
  connections: number;
}

const pollMs = 500;
/** A socket that listens, in the system's table. */
const listening = '0A';
const scrapeWithinMs = 20_000;
/** What may be in use beyond what was in use after the warm-up. */
const liveGrowthMax = 32 * 1024 * 1024;
/**
 * V8 keeps the pages of its young generation once they were touched: thrice the 64 MiB that the web process gives a
 * semi-space. They fill over some ten thousand requests, and then no more.
 */
const residentGrowthMax = 3 * 64 * 1024 * 1024 + liveGrowthMax;

async function scrape({ opsUrl }: Watched): Promise<(name: string) => number> {
  const answer = await fetch(`${opsUrl}/metrics`, { signal: AbortSignal.timeout(scrapeWithinMs) });
  const families = parseMetrics(await answer.text());
  return (name) => families.get(name)?.samples[0]?.value ?? 0;
}

export async function look(watched: Watched): Promise<Look> {
  watched.process.kill('SIGUSR2');
  // The signal is handled in the turn before that of this answer, or in the one before the next.
  await scrape(watched);
  const value = await scrape(watched);
  return {
    liveBytes: value('nodejs_heap_size_used_bytes') + value('nodejs_external_memory_bytes'),
    residentBytes: value('process_resident_memory_bytes'),
    connections: watched.port === undefined ? 0 : await countConnections(watched.port),
  };
}

/**
 * The service's side of connections to a port on loopback. What the system still sends of a connection that the process
 * has closed belongs to no process any more: its inode is 0. Source: proc(5), `/proc/net/tcp`.
 */
async function countConnections(port: number): Promise<number> {
  const table = await readFile('/proc/net/tcp', 'utf8').catch(() => '');
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.filter(([, at, , state, ...rest]) => at === local && state !== listening && rest[5] !== '0').length;
}

/**
 * Waits until what the load took is given back. @param before a look at the idle process.
 * @returns what did not come back; undefined where all did.
 */
export async function untilGivenBack(watched: Watched, before: Look, limitMs: number): Promise<string | undefined> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const complaint = growth(before, await look(watched));
    if (complaint === undefined || performance.now() > deadline) return complaint;
    await delay(pollMs);
  }
}

/** @returns what is in use beyond what may be; undefined where nothing is. */
export function growth(before: Look, now: Look): string | undefined {
  if (now.connections > before.connections) {
    return `${now.connections - before.connections} connections whose clients neither read nor send`;
  }
  const more = (name: 'liveBytes' | 'residentBytes', max: number): string | undefined =>
    now[name] > before[name] + max ? `${name}: ${now[name]}, and ${before[name]} before` : undefined;
  return more('liveBytes', liveGrowthMax) ?? more('residentBytes', residentGrowthMax);
}
