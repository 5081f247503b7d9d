import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataFolder } from './data-folder.ts';
import { identify, isRunning, type ProcessIdentity } from './process-identity.ts';

/** Also the lock on the data folder: the process that creates it owns the folder. */
export const PROCESS_LIST = 'processes.json';
/** For the API, the admin command line and the demo: where the running stack is. */
export const STACK_FILE = 'stack.json';
/** For a shell: the same, and the demo workspace, as variables. */
export const ENV_FILE = 'env';

/** The order in which processes are stopped: those that take requests first, those that store them last. */
export const STAGES = ['web', 'worker', 'webhooks', 'mongodb', 'redis'] as const;
export type Stage = (typeof STAGES)[number];

const STOP_TIMEOUT_MS = 17_000;
const LEFTOVERS_WAIT_MS = 90_000;
const POLL_MS = 50;

interface Recorded extends ProcessIdentity {
  stage: Stage;
}

interface Content {
  supervisor: ProcessIdentity;
  guard?: ProcessIdentity | undefined;
  children: Recorded[];
}

export interface ProcessList {
  add(stage: Stage, pid: number): Promise<void>;
  remove(pid: number): Promise<void>;
  setGuard(pid: number): Promise<void>;
  /** Gives the folder back. */
  release(): Promise<void>;
}

/** Thrown if another supervisor owns the folder. */
class AlreadyRunning extends Error {}

/**
 * Takes the data folder for this process, after ending whatever a killed supervisor left running.
 * Throws AlreadyRunning if another supervisor runs.
 */
export async function takeDataFolder(folder: DataFolder, say: (text: string) => void): Promise<ProcessList> {
  const supervisor = await identify(process.pid);
  if (!supervisor) throw new Error('This process cannot see itself in the process table.');
  const content: Content = { supervisor, children: [] };
  const deadline = performance.now() + LEFTOVERS_WAIT_MS;
  while (!(await create(folder, content))) {
    const other = await folder.readJson<Content>(PROCESS_LIST);
    if (!other) continue;
    if (await isRunning(other.supervisor)) {
      throw new AlreadyRunning(
        `already running, pid ${other.supervisor.pid} (data folder ${folder.path}; another needs --data, PORT and OPS_PORT)`,
      );
    }
    if (performance.now() > deadline) throw new Error(`What an earlier run left in ${folder.path} does not end.`);
    if (other.guard && (await isRunning(other.guard))) {
      say('An earlier run was killed; waiting for its processes to end ...');
      await untilGone([other.guard], LEFTOVERS_WAIT_MS);
    } else {
      await endLeftovers(folder, say);
    }
  }
  return listOf(folder, content);
}

/** Ends, in order, what a dead supervisor left running, and releases its folder. Does nothing while the supervisor lives. */
export async function endLeftovers(folder: DataFolder, say: (text: string) => void): Promise<void> {
  const content = await folder.readJson<Content>(PROCESS_LIST);
  if (!content || (await isRunning(content.supervisor))) return;
  for (const stage of STAGES) {
    const members = content.children.filter((child) => child.stage === stage);
    const running = await stillRunning(members);
    if (running.length > 0)
      say(`Ending what an earlier run left: ${stage} (${running.map(({ pid }) => pid).join(', ')})`);
    signalAll(running, 'SIGTERM');
    await untilGone(running, STOP_TIMEOUT_MS);
    signalAll(await stillRunning(running), 'SIGKILL');
  }
  await giveBack(folder);
}

/** The process that runs the stack of a folder; undefined if none does. */
export async function supervisorOf(dataDir: string): Promise<ProcessIdentity | undefined> {
  const text = await readFile(join(dataDir, PROCESS_LIST), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { supervisor } = JSON.parse(text) as Content;
  return (await isRunning(supervisor)) ? supervisor : undefined;
}

/** Has the stack of a folder stop, and waits until it has. Throws if that takes too long. */
export async function stopSupervisor(supervisor: ProcessIdentity): Promise<void> {
  signalAll([supervisor], 'SIGTERM');
  await untilGone([supervisor], LEFTOVERS_WAIT_MS);
  if (await isRunning(supervisor)) throw new Error(`The stack does not stop, pid ${supervisor.pid}.`);
}

async function giveBack(folder: DataFolder): Promise<void> {
  for (const name of [STACK_FILE, ENV_FILE, PROCESS_LIST]) await folder.remove(name);
}

function listOf(folder: DataFolder, content: Content): ProcessList {
  // One write at a time, so that an older list never replaces a newer one.
  let writing = Promise.resolve();
  const save = () => (writing = writing.then(() => folder.writeJson(PROCESS_LIST, content)));
  return {
    async add(stage, pid) {
      const identity = await identify(pid);
      if (identity) content.children.push({ ...identity, stage });
      await save();
    },
    async remove(pid) {
      content.children = content.children.filter((child) => child.pid !== pid);
      await save();
    },
    async setGuard(pid) {
      content.guard = await identify(pid);
      await save();
    },
    async release() {
      await writing;
      await giveBack(folder);
    },
  };
}

/** Creates the list by a link, in one step that fails if the name is taken: it appears whole, for one process alone. */
async function create(folder: DataFolder, content: Content): Promise<boolean> {
  const incoming = folder.file(`.${PROCESS_LIST}.${process.pid}`);
  await writeFile(incoming, JSON.stringify(content), { mode: 0o600 });
  try {
    await link(incoming, folder.file(PROCESS_LIST));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(incoming, { force: true });
  }
}

async function stillRunning<Item extends ProcessIdentity>(items: Item[]): Promise<Item[]> {
  const running = await Promise.all(items.map(isRunning));
  return items.filter((_, index) => running[index]);
}

async function untilGone(items: ProcessIdentity[], timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline && (await stillRunning(items)).length > 0) await delay(POLL_MS);
}

function signalAll(items: ProcessIdentity[], signal: NodeJS.Signals): void {
  for (const { pid } of items) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended in the meantime.
    }
  }
}
