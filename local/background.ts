import { spawn } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { namesOf } from './banner.ts';
import { openDataFolder } from './data-folder.ts';
import { shellWord } from './environment.ts';
import type { Options } from './options.ts';
import { ENV_FILE, STACK_FILE, stopSupervisor, supervisorOf } from './process-list.ts';

/** What a stack in the background says. */
export const LOG_FILE = 'start.log';
/** By which people and their tools have it stop. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const POLL_MS = 100;

type Print = (text: string) => void;

/** Starts the stack in a process that outlives this one, and waits until it is ready. Throws if it ends before. */
export async function startInBackground({ dataDir, workers, fresh }: Options, print: Print): Promise<void> {
  const running = await supervisorOf(dataDir);
  if (running) throw new Error(`already running, pid ${running.pid} (data folder ${dataDir})`);
  const folder = await openDataFolder(dataDir);
  const log = await open(folder.file(LOG_FILE), 'w', 0o600);
  const args = ['--data', dataDir, '--workers', String(workers), ...(fresh ? ['--fresh'] : [])];
  const stdio = ['ignore', log.fd, log.fd] as const;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    detached: true,
    stdio: [...stdio],
  });
  await log.close();
  for (const signal of STOP_SIGNALS) process.on(signal, () => child.kill(signal));
  const isReady = async () =>
    (await supervisorOf(dataDir))?.pid === child.pid && (await isThere(folder.file(STACK_FILE)));
  while (!(await isReady())) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the stack did not start:\n${await readFile(folder.file(LOG_FILE), 'utf8')}`);
    await delay(POLL_MS);
  }
  child.unref();
  const { shownFolder, dataOption } = namesOf(dataDir);
  print(
    [
      `Everything is ready, and runs in the background (pid ${child.pid}).`,
      `  . ${shellWord(join(shownFolder, ENV_FILE))}   sets what programs need: BASE_URL, API_KEY, API_SECRET, …`,
      `  ${join(shownFolder, LOG_FILE)}   is its output`,
      `  script/start --stop${dataOption}   stops it`,
    ].join('\n'),
  );
}

/** Stops the stack of a folder, and waits until it has ended. */
export async function stopInBackground({ dataDir }: Options, print: Print): Promise<void> {
  const running = await supervisorOf(dataDir);
  if (running) await stopSupervisor(running);
  print(running ? 'Stopped.' : `No stack runs on ${dataDir}.`);
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
