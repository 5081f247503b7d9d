import pTimeout from 'p-timeout';
import { systemClock, type Clock } from '../clock.ts';
import { createSharedRead } from '../cache.ts';
import type { WrongSetting } from '../config.ts';

/** Each server behind this process, by name, and whether it answers. */
export type Checks = Readonly<Record<string, () => Promise<boolean>>>;

export interface ServerHealth {
  readonly name: string;
  readonly isUp: boolean;
  /** Since when it is up or down, as far as this process knows. */
  readonly since: Date;
  readonly pingMs: number;
}

interface ProcessHealth {
  readonly isStarting: () => boolean;
  readonly isDraining: () => boolean;
  /** What keeps this process from its work; undefined if nothing does. */
  readonly wrongSetting: () => WrongSetting | undefined;
}

export type Health = ReturnType<typeof createHealth>;

const shownNames: Readonly<Record<string, string>> = { mongodb: 'MongoDB', redis: 'Redis' };
/** As people call a server. */
export const nameOf = (server: string): string => shownNames[server] ?? server;

const checkTimeoutMs = 2_000;
const rememberedMs = 1_000;

/**
 * Asks the servers behind this process, at most once a second, and remembers since when each is up or down. Never throws, and
 * takes at most {@link checkTimeoutMs}.
 */
export function createHealth(checks: Checks, state: ProcessHealth, clock: Clock = systemClock) {
  const last = new Map<string, ServerHealth>();

  async function ask(name: string, check: () => Promise<boolean>): Promise<ServerHealth> {
    const startedAt = performance.now();
    // A server that hangs counts as down.
    const down = (): boolean => false;
    const isUp = await pTimeout(check(), { milliseconds: checkTimeoutMs, fallback: down }).catch(down);
    const before = last.get(name);
    const since = before?.isUp === isUp ? before.since : clock();
    const found = { name, isUp, since, pingMs: performance.now() - startedAt };
    last.set(name, found);
    return found;
  }

  const askAll = () => Promise.all(Object.entries(checks).map(([name, check]) => ask(name, check)));
  return { ...state, servers: createSharedRead(askAll, rememberedMs) };
}
