import { createRequire } from 'node:module';
import { startChild, type Child } from './child.ts';

export interface EngineReady {
  uri: string;
  port: number;
}

export interface EngineOptions {
  /** 0 for any free port. */
  port: number;
  /** Data file; absent: memory only. */
  file?: string;
  /** Ends by itself, and at once, when this process does. */
  exitsWithParent?: boolean;
  detached?: boolean;
  onLine: (line: string) => void;
}

/** Starts the embedded engine as a process of its own. */
export function startEngineProcess(options: EngineOptions): Promise<Child<EngineReady>> {
  const entry = createRequire(import.meta.url).resolve('mongodb-embedded/main');
  const { exitsWithParent = false, detached = false } = options;
  const args = [entry, '--port', String(options.port)];
  if (options.file !== undefined) args.push('--file', options.file);
  if (exitsWithParent) args.push('--exit-with-parent');
  return startChild({
    name: 'mongodb',
    command: process.execPath,
    args,
    env: process.env,
    detached,
    readyFrom: engineReadyFrom,
    onLine: (line) => {
      if (!engineReadyFrom(line)) options.onLine(line);
    },
  });
}

function engineReadyFrom(line: string): EngineReady | undefined {
  if (!line.startsWith('{"uri"')) return undefined;
  return JSON.parse(line) as EngineReady;
}
