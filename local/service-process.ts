import { join } from 'node:path';
import { startChild, type Child } from './child.ts';

const PROJECT_ROOT = join(import.meta.dirname, '..');

/**
 * Node's options for each process. The web process has a young generation of 64 MiB: under load a thousand creates wait at
 * once, and outlive a small one. Copying them took a fifth of the process's time. A worker collects young objects on one
 * thread: where cores are busy, V8's helpers wait for each other. In both, every object begins in the young generation: in
 * the old one a dead object keeps alive what it refers to.
 * Source: `node --v8-options`; docs/benchmarks.md, "Garbage".
 */
export const nodeOptions = {
  web: ['--min-semi-space-size=64', '--max-semi-space-size=64', '--no-allocation-site-pretenuring'],
  worker: ['--no-parallel-scavenge', '--no-allocation-site-pretenuring'],
} as const;
const webEntry = 'src/main.ts';

export interface ServiceReady {
  port?: number | undefined;
  opsPort: number;
}

export interface ServiceOptions {
  name: string;
  /** Entry point from the project's root, such as `src/main.ts`. */
  entry: string;
  env: NodeJS.ProcessEnv;
  onLine: (line: string) => void;
  detached?: boolean;
  readyTimeoutMs?: number;
}

/** Starts the web process or a worker with the Node that runs this. Without a load balancer, none needs a drain delay. */
export function startServiceProcess({ entry, env, ...options }: ServiceOptions): Promise<Child<ServiceReady>> {
  return startChild({
    ...options,
    env: { DRAIN_DELAY: '0', ...env },
    command: process.execPath,
    args: [...nodeOptions[entry === webEntry ? 'web' : 'worker'], join(PROJECT_ROOT, entry)],
    readyFrom: serviceReadyFrom,
  });
}

function serviceReadyFrom(line: string): ServiceReady | undefined {
  if (!line.includes('"event":"ready"')) return undefined;
  try {
    const entry = JSON.parse(line) as { event?: unknown; port?: unknown; opsPort?: unknown };
    if (entry.event !== 'ready' || typeof entry.opsPort !== 'number') return undefined;
    return { opsPort: entry.opsPort, port: typeof entry.port === 'number' ? entry.port : undefined };
  } catch {
    return undefined;
  }
}
