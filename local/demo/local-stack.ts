import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the demo needs to know of the running stack and of its demo workspace. */
export interface LocalStack {
  apiUrl: string;
  /** For the admin command line, which reads the rest there. */
  stackFile: string;
  apiKey: string;
  apiSecret: string;
  currency: string;
  wallets: { alice: string; bob: string };
}

/** Thrown where no stack runs on this data folder. */
export class NoStackError extends Error {}

/** Reads the files that script/start keeps in its data folder. Throws NoStackError where it does not run. */
export async function readLocalStack(dataDir: string): Promise<LocalStack> {
  const stackFile = join(dataDir, 'stack.json');
  const stack = await readJson<{ apiUrl: string }>(stackFile);
  const demo = await readJson<Omit<LocalStack, 'apiUrl' | 'stackFile'>>(join(dataDir, 'demo.json'));
  if (!stack || !demo)
    throw new NoStackError(`No stack runs on ${dataDir}. Start it in another shell with: script/start`);
  return { ...demo, apiUrl: stack.apiUrl, stackFile };
}

async function readJson<Value>(path: string): Promise<Value | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Value);
}
