import { join } from 'node:path';
import { startChild, type Child } from './child.ts';

const PROJECT_ROOT = join(import.meta.dirname, '../..');

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
}

/** Starts the web process or a worker with the Node that runs this. */
export function startServiceProcess({ entry, ...options }: ServiceOptions): Promise<Child<ServiceReady>> {
  return startChild({
    ...options,
    command: process.execPath,
    args: [join(PROJECT_ROOT, entry)],
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
