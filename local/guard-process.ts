import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataFolder } from './data-folder.ts';
import type { ProcessList } from './process-list.ts';

const RESTART_DELAY_MS = 500;
const END_TIMEOUT_MS = 3_000;

export interface Guard {
  /** Ends it; to be called when nothing is left to guard. */
  close(): Promise<void>;
}

/**
 * Starts the process that ends everything if this one is killed (guard.ts says how it notices). If it is killed itself,
 * it is started again.
 */
export async function startGuard(folder: DataFolder, processes: ProcessList): Promise<Guard> {
  let isClosing = false;

  async function start(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'guard.ts'), folder.path], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.once('exit', () => {
      if (!isClosing) void delay(RESTART_DELAY_MS).then(restart);
    });
    child.stdin.on('error', () => undefined);
    await once(child, 'spawn');
    if (child.pid !== undefined) await processes.setGuard(child.pid);
    return child;
  }

  async function restart(): Promise<void> {
    if (!isClosing) current = await start();
  }

  let current = await start();
  return {
    async close() {
      isClosing = true;
      if (current.exitCode !== null || current.signalCode !== null) return;
      const exited = once(current, 'exit');
      current.stdin?.end();
      await Promise.race([exited, delay(END_TIMEOUT_MS, undefined, { ref: false })]);
      current.kill('SIGKILL');
    },
  };
}
