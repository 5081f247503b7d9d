import { setTimeout as delay } from 'node:timers/promises';
import { openDataFolder } from './data-folder.ts';
import { identify, isRunning } from './process-identity.ts';
import { endLeftovers, PROCESS_LIST } from './process-list.ts';

// Entry point of the guard: a process that holds the reading end of a pipe to the supervisor. When the supervisor
// ends, however suddenly, the pipe closes, and the guard ends in order whatever still runs. After a normal stop
// there is no process list any more, and the guard just ends too.
const POLL_MS = 20;
const SUPERVISOR_END_MS = 10_000;

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('Usage: guard.ts DATA_DIR');

const folder = await openDataFolder(dataDir);
const supervisor = await identify(process.ppid);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdin.resume();
process.stdin.once('close', () => {
  void afterSupervisor();
});

/** Waits for the supervisor's end, because the pipe closes a moment before. After a normal stop the list is gone already. */
async function afterSupervisor(): Promise<void> {
  const deadline = performance.now() + SUPERVISOR_END_MS;
  while (supervisor && performance.now() < deadline && (await isRunning(supervisor))) {
    if ((await folder.readJson(PROCESS_LIST)) === undefined) return;
    await delay(POLL_MS);
  }
  await endLeftovers(folder, () => undefined);
}
