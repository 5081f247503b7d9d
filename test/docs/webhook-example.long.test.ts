import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startChild, type Child } from '../../local/child.ts';
import { freePort } from '../../local/free-port.ts';
import { entries, stackEnv, useLocalStack } from '../local/local-stack.ts';
import { waitFor } from '../support/wait-for.ts';

const root = join(import.meta.dirname, '../..');
const startTimeoutMs = 120_000;
/** The page's, and where this test has its own. */
const pagePort = '4000';

const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
const section = page.split('\n## On your machine\n')[1]?.split('\n## ')[0] ?? '';
const blocks = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, , text = '']) => text);
const [receive = '', demo = '', printed = ''] = blocks;

const stack = useLocalStack();
const shells: Child<unknown>[] = [];
afterEach(async () => {
  for (const { pid } of shells) endGroup(pid);
  await Promise.all(shells.map(({ exited }) => exited));
});

/** Runs commands in a shell, as they would be pasted. @returns what it prints, by lines. */
async function shell(commands: string): Promise<string[]> {
  const printedLines: string[] = [];
  const child = await startChild({
    ...{ name: 'sh', command: 'sh', args: ['-c', `cd "${root}"\n${commands}`], env: stackEnv, detached: true },
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
  const started = await stack.start([], {}, startTimeoutMs);
  const exported = (await started.ready).match(/export \w+=.*/g)?.join('\n') ?? '';
  const port = String(await freePort());
  const transfer = demo.replace('script/demo', `script/node "${entries.demo}" --data "${stack.folder()}"`);
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
