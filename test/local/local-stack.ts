import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startChild, type Child } from '../../local/child.ts';

const root = join(import.meta.dirname, '../..');
/**
 * What script/start and script/demo run. They themselves would install the packages anew if the lock file is another than the
 * installed one: that empties node_modules, also of the tests that run meanwhile, and for good if it is killed.
 */
export const entries = { start: join(root, 'local/main.ts'), demo: join(root, 'local/demo/main.ts') };
const startTimeoutMs = 60_000;
export const stopTimeoutMs = 30_000;
/** Of a test that starts a stack. */
export const testTimeoutMs = 120_000;

// The stack finds its own servers, and the try to download one fails at once.
export const stackEnv: NodeJS.ProcessEnv = {
  ...process.env,
  PORT: '0',
  OPS_PORT: '0',
  MONGOMS_DOWNLOAD_MIRROR: 'http://127.0.0.1:9',
};
for (const name of ['MONGODB_URI', 'REDIS_URL', 'MASTER_KEYS', 'LOCAL_STACK_FILE']) {
  Reflect.deleteProperty(stackEnv, name);
}

/** Local stacks in a data folder of the file's own, one after the other; what still runs after a test is stopped. */
export function useLocalStack() {
  let folder: string;
  const running: Child<string>[] = [];

  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'local stack ')), 'data');
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((child) => child.stop(stopTimeoutMs)));
  });
  afterAll(async () => {
    await rm(join(folder, '..'), { recursive: true });
  });

  /** Its `ready` gives the banner. */
  async function start(
    args: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
    readyTimeoutMs = startTimeoutMs,
  ): Promise<Child<string>> {
    const lines: string[] = [];
    const child = await startChild({
      name: 'script/start',
      command: process.execPath,
      args: [entries.start, '--data', folder, ...args],
      env: { ...stackEnv, ...env },
      readyTimeoutMs,
      onLine: (line) => lines.push(line),
      readyFrom: (line) => (line.includes('Ctrl-C stops everything') ? lines.join('\n') : undefined),
    });
    running.push(child);
    return child;
  }
  return {
    folder: (): string => folder,
    start,
    /** A file of the data folder. */
    async readJson<Value>(name: string): Promise<Value> {
      return JSON.parse(await readFile(join(folder, name), 'utf8')) as Value;
    },
  };
}

/** Runs a script to its end. */
export async function runScript(
  name: keyof typeof entries,
  args: string[],
  more: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; output: string }> {
  const lines: string[] = [];
  const given = { name, command: process.execPath, args: [entries[name], ...args], env: { ...stackEnv, ...more } };
  const child = await startChild({ ...given, onLine: (line) => lines.push(line) });
  const { code } = await child.exited;
  return { code, output: lines.join('\n') };
}
