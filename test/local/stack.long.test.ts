import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import type { Child } from '../../local/child.ts';
import { isRunning, type ProcessIdentity } from '../../local/process-identity.ts';
import { waitFor } from '../support/wait-for.ts';
import { runScript, stopTimeoutMs, testTimeoutMs, useLocalStack } from './local-stack.ts';

interface Recorded {
  supervisor: ProcessIdentity;
  guard: ProcessIdentity;
  children: (ProcessIdentity & { stage: string })[];
}

const stack = useLocalStack();

async function startReady(): Promise<{ child: Child<string>; banner: string }> {
  const child = await stack.start();
  return { child, banner: await child.ready };
}

/** Everything that runs for the stack: supervisor, guard, and what they watch over. */
async function everyProcess(): Promise<ProcessIdentity[]> {
  const { supervisor, guard, children } = await stack.readJson<Recorded>('processes.json');
  return [supervisor, guard, ...children];
}

/** A process that ended but was not collected by its parent yet counts as gone. */
async function stillRunning(processes: ProcessIdentity[]): Promise<ProcessIdentity[]> {
  const states = await Promise.all(processes.map(isRunning));
  return processes.filter((_, index) => states[index]);
}

/** Without the one that asks. */
async function redisConnections(): Promise<number> {
  const redis = new Redis((await stack.readJson<{ redisUrl: string }>('stack.json')).redisUrl);
  const { length } = ((await redis.client('LIST')) as string).trim().split('\n');
  await redis.quit();
  return length - 1;
}

describe('script/start', { timeout: testTimeoutMs }, () => {
  let keptWallets: unknown;

  it('stops everything when it is told to', async () => {
    const { child } = await startReady();
    keptWallets = (await stack.readJson<{ wallets: unknown }>('demo.json')).wallets;
    child.kill('SIGTERM');
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  it('keeps its data, restarts a killed worker, refuses a second start, and leaves nothing behind', async () => {
    const { child } = await startReady();
    expect((await stack.readJson<{ wallets: unknown }>('demo.json')).wallets).toEqual(keptWallets);
    // One web process, two workers and a sender of webhooks. Source: docs/deployment.md, "Workers".
    await waitFor(async () => (await redisConnections()) === 4 * 1 + 3 * 3);
    const demo = await runScript('demo', ['--data', stack.folder()]);
    expect(demo.output).toContain('alice  1000.00 -> 999.00 USD');
    const many = await runScript('demo', ['--data', stack.folder(), '--transfers', '40']);
    expect(many.output).toMatch(/ended {5}40 COMPLETED\n {2}lost {6}0\n {2}accepted {2}40 in /);
    expect(many.output).toContain('The books are balanced.');
    expect(many.code).toBe(0);

    const second = await runScript('start', ['--data', stack.folder()]);
    expect(second).toMatchObject({ code: 1, output: expect.stringMatching(/already running, pid \d+/) as unknown });

    const { children } = await stack.readJson<Recorded>('processes.json');
    const killed = children.find(({ stage }) => stage === 'worker')!.pid;
    process.kill(killed, 'SIGKILL');
    await waitFor(async () => {
      const now = (await stack.readJson<Recorded>('processes.json')).children.filter(({ stage }) => stage === 'worker');
      return now.length === 2 && now.every(({ pid }) => pid !== killed);
    });

    const before = await everyProcess();
    expect(before).toHaveLength(8);
    child.kill('SIGINT');
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(await stillRunning(before)).toEqual([]);
    await expect(stat(join(stack.folder(), 'stack.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('leaves nothing behind when it is killed, and starts again', async () => {
    const { child } = await startReady();
    const before = await everyProcess();
    child.kill('SIGKILL');
    await waitFor(async () => (await stillRunning(before)).length === 0, { timeoutMs: stopTimeoutMs });
    await startReady();
  });

  it('ends what is left where its guard was killed too', async () => {
    const { child } = await startReady();
    const { guard, children } = await stack.readJson<Recorded>('processes.json');
    process.kill(guard.pid, 'SIGSTOP');
    child.kill('SIGKILL');
    await child.exited;
    process.kill(guard.pid, 'SIGKILL');
    const { banner } = await startReady();
    expect(banner).toContain('Ending what an earlier run left');
    expect(await stillRunning(children)).toEqual([]);
  });

  it('begins anew with --fresh', async () => {
    const child = await stack.start(['--fresh', '--workers', '1'], { HOST: 'localhost' });
    expect(await child.ready).toMatch(/API {9}http:\/\/localhost:\d+\n/);
    expect((await stack.readJson<{ wallets: unknown }>('demo.json')).wallets).not.toEqual(keptWallets);
    const { children } = await stack.readJson<Recorded>('processes.json');
    expect(children.filter(({ stage }) => stage === 'worker')).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });
});
