import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { STACK_FILE, supervisorOf } from '../process-list.ts';

/** A first start may download a MongoDB. */
const START_WAIT_MS = 300_000;
/** If both scripts have just waited for the packages, script/start may be a moment behind. */
const APPEAR_WAIT_MS = 2_000;
const POLL_MS = 100;

/** What the demo needs to know of the running stack and of its demo workspace. */
export interface LocalStack {
  apiUrl: string;
  /** For the admin command line, which reads its settings there. */
  stackFile: string;
  workspaceId: string;
  apiKey: string;
  apiSecret: string;
  currency: string;
  wallets: { alice: string; bob: string };
}

/**
 * Reads the files that script/start keeps in its data folder, and waits for them while it is starting. Throws if no stack
 * runs, or if it is not ready within five minutes.
 * @param say told once that it waits.
 */
export async function findLocalStack(dataDir: string, say: (text: string) => void): Promise<LocalStack> {
  const startedAt = performance.now();
  for (let isTold = false; ;) {
    const stack = await readLocalStack(dataDir);
    if (stack) return stack;
    const isStarting = (await supervisorOf(dataDir)) !== undefined;
    const waitedMs = performance.now() - startedAt;
    if (!isStarting && waitedMs > APPEAR_WAIT_MS) {
      throw new Error(`No stack runs on ${dataDir}. Start it in another shell with: script/start`);
    }
    if (waitedMs > START_WAIT_MS) throw new Error('script/start is still not ready; its own shell says why.');
    if (isStarting && !isTold) say('script/start is still starting; waiting for it ...');
    isTold ||= isStarting;
    await delay(POLL_MS);
  }
}

async function readLocalStack(dataDir: string): Promise<LocalStack | undefined> {
  const stackFile = join(dataDir, STACK_FILE);
  const stack = await readJson<{ apiUrl: string }>(stackFile);
  const demo = await readJson<Omit<LocalStack, 'apiUrl' | 'stackFile'>>(join(dataDir, 'demo.json'));
  return stack && demo && { ...demo, apiUrl: stack.apiUrl, stackFile };
}

async function readJson<Value>(path: string): Promise<Value | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Value);
}
