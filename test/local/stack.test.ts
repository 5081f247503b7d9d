import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startChild, type Child } from '../../local/child.ts';
import { isRunning, type ProcessIdentity } from '../../local/process-identity.ts';
import { waitFor } from '../support/wait-for.ts';

const ROOT = join(import.meta.dirname, '../..');
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const TEST_TIMEOUT_MS = 120_000;

// The stack finds its own servers, and the try to download one fails at once.
const ENV: NodeJS.ProcessEnv = {
  ...process.env,
  PORT: '0',
  OPS_PORT: '0',
  MONGOMS_DOWNLOAD_MIRROR: 'http://127.0.0.1:9',
};
for (const name of ['MONGODB_URI', 'REDIS_URL', 'MASTER_KEYS', 'LOCAL_STACK_FILE']) Reflect.deleteProperty(ENV, name);

interface Recorded {
  supervisor: ProcessIdentity;
  guard: ProcessIdentity;
  children: (ProcessIdentity & { stage: string })[];
}

let folder: string;
const running: Child<string>[] = [];

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'local stack ')), 'data');
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => child.stop(STOP_TIMEOUT_MS)));
});

afterAll(async () => {
  await rm(join(folder, '..'), { recursive: true });
});

function start(args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Child<string>> {
  const lines: string[] = [];
  return startChild({
    name: 'script/start',
    command: join(ROOT, 'script/start'),
    args: ['--data', folder, ...args],
    env: { ...ENV, ...env },
    readyTimeoutMs: START_TIMEOUT_MS,
    onLine: (line) => lines.push(line),
    readyFrom: (line) => (line.includes('Ctrl-C stops everything') ? lines.join('\n') : undefined),
  });
}

async function startReady(...args: string[]): Promise<{ child: Child<string>; banner: string }> {
  const child = await start(args);
  running.push(child);
  return { child, banner: await child.ready };
}

/** Runs a script to its end. */
async function runScript(name: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const lines: string[] = [];
  const command = join(ROOT, 'script', name);
  const child = await startChild({ name, command, args, env: ENV, onLine: (line) => lines.push(line) });
  const { code } = await child.exited;
  return { code, output: lines.join('\n') };
}

async function readJson<Value>(name: string): Promise<Value> {
  return JSON.parse(await readFile(join(folder, name), 'utf8')) as Value;
}

/** Everything that runs for the stack: supervisor, guard, and what they watch over. */
async function everyProcess(): Promise<ProcessIdentity[]> {
  const { supervisor, guard, children } = await readJson<Recorded>('processes.json');
  return [supervisor, guard, ...children];
}

/** A process that ended but was not collected by its parent yet counts as gone. */
async function stillRunning(processes: ProcessIdentity[]): Promise<ProcessIdentity[]> {
  const states = await Promise.all(processes.map(isRunning));
  return processes.filter((_, index) => states[index]);
}

/** Without the one that asks. */
async function redisConnections(): Promise<number> {
  const redis = new Redis((await readJson<{ redisUrl: string }>('stack.json')).redisUrl);
  const { length } = ((await redis.client('LIST')) as string).trim().split('\n');
  await redis.quit();
  return length - 1;
}

describe('script/start', { timeout: TEST_TIMEOUT_MS }, () => {
  let keptWallets: unknown;

  it('brings up what a signed transfer needs, and script/demo follows one to COMPLETED', async () => {
    const child = await start();
    running.push(child);
    await waitFor(() => readJson('processes.json').then(Boolean, () => false));
    const early = runScript('demo', ['--data', folder]);
    const banner = await child.ready;
    expect(banner).toMatch(/MongoDB {5}\S/);
    expect(banner).toContain('script/demo');
    expect(banner).toMatch(/export BASE_URL=http.*\n *export API_KEY=ak_\w+\n *export API_SECRET=\S+\n/);
    expect(banner).toMatch(/Reference {3}http:\/\/127\.0\.0\.1:\d+\/docs /);

    const [, port] = /API {9}http:\/\/127\.0\.0\.1:(\d+)\n/.exec(banner)!;
    expect((await fetch(`http://127.0.0.1:${port}/`)).url).toBe(`http://127.0.0.1:${port}/docs`);
    await expect(fetch(`http://127.0.0.2:${port}/`), 'listens on all addresses').rejects.toThrow('fetch failed');

    const demo = await early;
    expect(demo.output).toMatch(/^script\/start is still starting; waiting for it \.\.\.\n/);
    const { apiSecret, wallets } = await readJson<{ apiSecret: string; wallets: unknown }>('demo.json');
    keptWallets = wallets;
    expect(demo.output).toMatch(/: COMPLETED\n {2}alice {2}1000\.00 -> 999\.00 USD\n {2}bob {4}100\.00 -> 101\.00 USD/);
    expect(demo.output).toMatch(
      /> Prefer: wait=\d+\n[^]*\n {2}signed:\n {4}GET\n {4}\/api\/v1\/transfer\/query\/orders\/tr_/,
    );
    expect(demo.output).not.toContain(apiSecret);
    expect(demo.code).toBe(0);
    for (const name of ['stack.json', 'demo.json', 'master-keys.json']) {
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    }
  });

  it('keeps its data, restarts a killed worker, refuses a second start, and leaves nothing behind', async () => {
    const { child } = await startReady();
    expect((await readJson<{ wallets: unknown }>('demo.json')).wallets).toEqual(keptWallets);
    // One web process, two workers and 8 partitions. Source: docs/operations.md, "Workers".
    await waitFor(async () => (await redisConnections()) === 4 * 1 + 3 * 2 + 8);
    const demo = await runScript('demo', ['--data', folder]);
    expect(demo.output).toContain('alice  999.00 -> 998.00 USD');
    const many = await runScript('demo', ['--data', folder, '--transfers', '40']);
    expect(many.output).toMatch(/ended {5}40 COMPLETED\n {2}lost {6}0\n {2}accepted {2}40 in /);
    expect(many.output).toContain('The books are balanced.');
    expect(many.code).toBe(0);

    const second = await runScript('start', ['--data', folder]);
    expect(second).toMatchObject({ code: 1, output: expect.stringMatching(/already running, pid \d+/) as unknown });

    const { children } = await readJson<Recorded>('processes.json');
    const killed = children.find(({ stage }) => stage === 'worker')!.pid;
    process.kill(killed, 'SIGKILL');
    await waitFor(async () => {
      const now = (await readJson<Recorded>('processes.json')).children.filter(({ stage }) => stage === 'worker');
      return now.length === 2 && now.every(({ pid }) => pid !== killed);
    });

    const before = await everyProcess();
    expect(before).toHaveLength(7);
    child.kill('SIGINT');
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(await stillRunning(before)).toEqual([]);
    await expect(stat(join(folder, 'stack.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('leaves nothing behind when it is killed, and starts again', async () => {
    const { child } = await startReady();
    const before = await everyProcess();
    child.kill('SIGKILL');
    await waitFor(async () => (await stillRunning(before)).length === 0, { timeoutMs: STOP_TIMEOUT_MS });
    await startReady();
  });

  it('ends what is left where its guard was killed too', async () => {
    const { child } = await startReady();
    const { guard, children } = await readJson<Recorded>('processes.json');
    process.kill(guard.pid, 'SIGSTOP');
    child.kill('SIGKILL');
    await child.exited;
    process.kill(guard.pid, 'SIGKILL');
    const { banner } = await startReady();
    expect(banner).toContain('Ending what an earlier run left');
    expect(await stillRunning(children)).toEqual([]);
  });

  it('begins anew with --fresh', async () => {
    const child = await start(['--fresh', '--workers', '1'], { HOST: 'localhost' });
    running.push(child);
    expect(await child.ready).toMatch(/API {9}http:\/\/localhost:\d+\n/);
    expect((await readJson<{ wallets: unknown }>('demo.json')).wallets).not.toEqual(keptWallets);
    const { children } = await readJson<Recorded>('processes.json');
    expect(children.filter(({ stage }) => stage === 'worker')).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  it('names the port that is taken and the setting to change, and starts nothing', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        resolve((server.address() as { port: number }).port);
      });
    });
    try {
      const refused = await start([], { PORT: String(port), HOST: '127.0.0.1' });
      await expect(refused.ready).rejects.toThrow(new RegExp(`Port ${port} .* taken. Set PORT `));
      expect((await refused.exited).code).toBe(1);
      await expect(stat(join(folder, 'processes.json'))).rejects.toMatchObject({ code: 'ENOENT' });
    } finally {
      server.close();
    }
  });
});

// Nothing runs there: at once.
describe.concurrent('script/start, in a folder that is not its own', () => {
  it('touches nothing, with --fresh either', async () => {
    const foreign = await mkdtemp(join(tmpdir(), 'foreign-'));
    await writeFile(join(foreign, 'precious.txt'), 'mine');
    const refused = await runScript('start', ['--data', foreign, '--fresh']);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('not a data folder') as unknown });
    expect(await readFile(join(foreign, 'precious.txt'), 'utf8')).toBe('mine');
    await rm(foreign, { recursive: true });
  });
});

describe.concurrent('wrong use', () => {
  it.each([
    ['start', ['--worker', '3'], '--workers N'],
    ['start', ['--workers', '0'], 'from 1 to'],
    ['demo', ['--transfer', '3'], '--transfers N'],
    ['demo', ['--transfers', 'many'], 'from 1 to'],
  ])('script/%s %j exits with 2 and says what there is', async (script, args, expected) => {
    const { code, output } = await runScript(script, args);
    expect(code).toBe(2);
    expect(output).toContain(expected);
  });

  it('script/demo says what to start where nothing runs', async () => {
    const { code, output } = await runScript('demo', ['--data', join(folder, 'nothing')]);
    expect(code).toBe(1);
    expect(output).toContain('script/start');
  });
});
