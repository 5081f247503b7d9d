import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Forked {
  readonly pid: number;
  /** The next message that the process sends. @throws where it ends without one. */
  next(): Promise<unknown>;
  send(message: object): void;
  stop(): Promise<void>;
}

const stopTimeoutMs = 10_000;

/** Starts one of the benchmark's own processes; `entry` is a path from `bench/`. It speaks over Node's own channel. */
export function forkProcess(
  entry: string,
  env: NodeJS.ProcessEnv = process.env,
  nodeOptions: readonly string[] = [],
): Forked {
  const path = join(import.meta.dirname, '..', entry);
  const child = fork(path, [], { env, execArgv: [...nodeOptions], serialization: 'advanced' });
  const received: unknown[] = [];
  let onReceived: (() => void) | undefined;
  let hasEnded = false;
  child.on('message', (message) => {
    received.push(message);
    onReceived?.();
  });
  const ended = once(child, 'exit').then(() => {
    hasEnded = true;
    onReceived?.();
  });
  return {
    pid: child.pid ?? 0,
    async next() {
      while (received.length === 0) {
        if (hasEnded) throw new Error(`${entry} ended without an answer`);
        await new Promise<void>((resolve) => (onReceived = resolve));
      }
      return received.shift();
    },
    send(message) {
      child.send(message);
    },
    async stop() {
      if (hasEnded) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
