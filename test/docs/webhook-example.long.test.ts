import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startChild, type Child } from '../../local/child.ts';
import { freePort } from '../../local/free-port.ts';
import { waitFor } from '../support/wait-for.ts';

const root = join(import.meta.dirname, '../..');
const startTimeoutMs = 120_000;
const stopTimeoutMs = 30_000;
/** The page's, and where this test has its own. */
const pagePort = '4000';

const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
const section = page.split('\n## On your machine\n')[1]?.split('\n## ')[0] ?? '';
const blocks = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, , text = '']) => text);
const [receive = '', demo = '', printed = ''] = blocks;

// The stack finds its own servers, and the try to download one fails at once.
const env: NodeJS.ProcessEnv = {
  ...process.env,
  ...{ PORT: '0', OPS_PORT: '0', MONGOMS_DOWNLOAD_MIRROR: 'http://127.0.0.1:9' },
};
for (const name of ['MONGODB_URI', 'REDIS_URL', 'MASTER_KEYS', 'LOCAL_STACK_FILE']) Reflect.deleteProperty(env, name);

let folder: string;
let stack: Child<string>;
const shells: Child<unknown>[] = [];

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'webhook example ')), 'data');
  const lines: string[] = [];
  stack = await startChild({
    ...{ name: 'script/start', command: join(root, 'script/start'), args: ['--data', folder], env },
    readyTimeoutMs: startTimeoutMs,
    onLine: (line) => lines.push(line),
    readyFrom: (line) => (line.includes('Ctrl-C stops everything') ? lines.join('\n') : undefined),
  });
  await stack.ready;
});
afterAll(async () => {
  for (const { pid } of shells) endGroup(pid);
  await Promise.all(shells.map(({ exited }) => exited));
  await stack.stop(stopTimeoutMs);
  await rm(join(folder, '..'), { recursive: true });
});

/** Runs commands in a shell, as they would be pasted. @returns what it prints, by lines. */
async function shell(commands: string): Promise<string[]> {
  const printedLines: string[] = [];
  const child = await startChild({
    ...{ name: 'sh', command: 'sh', args: ['-c', `cd "${root}"\n${commands}`], env, detached: true },
    ...{ readyTimeoutMs: startTimeoutMs, readyFrom: (line: string) => line },
    onLine: (line) => printedLines.push(line),
  });
  shells.push(child);
  await child.ready;
  return printedLines;
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

/** What differs from run to run is left with its form alone. */
const form = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replaceAll(/_[0-9A-Z]{26}/g, '_').replace(/(?<="transferId":"tr_",?).*/, ''));

it('the commands of the page show the event of a transfer, and again when they are run a second time', async () => {
  const exported = (await stack.ready).match(/export \w+=.*/g)?.join('\n') ?? '';
  const port = String(await freePort());
  const transfer = demo.replace('script/demo', `script/demo --data "${folder}"`);
  for (let round = 0; round < 2; round += 1) {
    const receiver = await shell([exported, receive.replace(pagePort, port)].join('\n'));
    const told = await shell(transfer);
    await waitFor(() => receiver.length > 1, { timeoutMs: startTimeoutMs });
    expect(form(receiver)).toEqual(form(printed.trim().replace(pagePort, port).split('\n')));
    await waitFor(() => told.some((line) => line.includes(': COMPLETED')), { timeoutMs: startTimeoutMs });
    const transferId = /Transfer (tr_\w+): COMPLETED/.exec(told.join('\n'))?.[1];
    expect(receiver[1]).toContain(`{"transferId":"${transferId ?? 'none'}"`);
    endGroup(shells.at(-2)?.pid ?? 0);
    await shells.at(-2)?.exited;
  }
});
