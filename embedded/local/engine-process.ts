import { join } from 'node:path';
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
  detached?: boolean;
  onLine: (line: string) => void;
}

/** Starts the embedded engine as a process of its own; it ends by itself when this process does. */
export function startEngineProcess(options: EngineOptions): Promise<Child<EngineReady>> {
  const entry = join(import.meta.dirname, '../mongodb/main.ts');
  const file = options.file === undefined ? [] : ['--file', options.file];
  return startChild({
    name: 'mongodb',
    command: process.execPath,
    args: [entry, '--port', String(options.port), ...file, '--exit-with-parent'],
    env: process.env,
    detached: options.detached ?? false,
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
