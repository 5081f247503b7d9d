import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { openStatements } from '../../src/reading/statements.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { openWallets } from '../../src/storage/wallets/wallets.ts';
import { insertFlows, timeOfFlow } from '../storage/many-flows.ts';
import { testDatabase } from '../support/database.ts';
import { masterKeys } from './command-line.ts';

const given = process.env['STATEMENT_FLOWS'];
/** Flows of the longer wallet; the other has a tenth of them. */
const flowCount = given === undefined ? 200_000 : Number(given);
const timeoutMs = 3_600_000;
const lookEveryMs = 20;
/** What the heap may grow by until it has its steady size; rows that were kept would take several times as much. */
const moreBytesMax = 160 * 1024 * 1024;

const entry = join(import.meta.dirname, '../../src/admin/main.ts');
const { uri, db, client } = testDatabase();

/** The most memory of a process that was resident; the kernel counts it. Source: proc(5), `/proc/pid/status`. */
async function peakBytes(pid: number): Promise<number> {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}

/** Reads the CSV to its end. @returns what it says, and the most memory that the command took. */
async function printed(walletId: string, from: Date, to: Date) {
  const range = ['--from', from.toISOString(), '--to', to.toISOString()];
  const child = spawn(process.execPath, [entry, 'wallet', 'statement', '--wallet', walletId, ...range, '--csv'], {
    env: { ...process.env, MONGODB_URI: uri, MASTER_KEYS: masterKeys },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [peak, rows, debits, balance] = [0, 0, 0, ''];
  let isOpen = true;
  const watch = async () => {
    while (isOpen) {
      // Once it has ended, nothing is told of its memory.
      const bytes = await peakBytes(child.pid!).catch(() => 0);
      if (bytes > peak) peak = bytes;
      await sleep(lookEveryMs);
    }
  };
  const watching = watch();
  const exited = once(child, 'exit');
  for await (const row of child.stdout.pipe(parse({ from_line: 2 })) as AsyncIterable<string[]>) {
    rows += 1;
    if (Number(row[0]) !== rows) throw new Error(`row ${rows} has the sequence ${row[0]}`);
    if (row[2] === 'DEBIT') debits += Number(row[3]);
    balance = row[4] ?? '';
  }
  const [code] = (await exited) as [number];
  isOpen = false;
  await watching;
  expect(code).toBe(0);
  return { peak, rows, debits, balance };
}

it(
  `the CSV of a range takes the same memory however many flows it has, up to ${flowCount}`,
  async () => {
    await ensureSchema(db);
    const peaks: number[] = [];
    for (const count of [flowCount / 10, flowCount]) {
      const workspaceId = newId('workspace');
      const { walletId, from, to, balance, debits } = await insertFlows(uri, workspaceId, count);
      const csv = await printed(walletId, from, to);
      expect(csv).toMatchObject({ rows: count, debits, balance: balance.toFixed(2) });
      peaks.push(csv.peak);
      console.log(`${count} flows: ${Math.round(csv.peak / 1024 ** 2)} MiB at the peak`);
      await expectSameCost(workspaceId, walletId, count);
    }
    const [ofFew = 0, ofMany = 0] = peaks;
    expect(ofMany).toBeLessThan(ofFew + moreBytesMax);
  },
  timeoutMs,
);

/** A first page costs as many commands for all flows as for a hundred. */
async function expectSameCost(workspaceId: string, walletId: string, count: number): Promise<void> {
  const watched = new MongoClient(uri, { monitorCommands: true });
  const [statements, wallets] = [openStatements(watched.db()), openWallets(client.db(db.databaseName))];
  let commands = 0;
  watched.on('commandStarted', ({ commandName }) => (commands += commandName === 'find' ? 1 : 0));
  const costs: number[] = [];
  for (const [first, last] of [
    [4, count],
    [count / 2 - 98, count / 2 + 1],
  ] as const) {
    const [wallet] = await wallets.findVisible([{ workspaceId, id: walletId }]);
    commands = 0;
    const since = performance.now();
    const [opening, closing] = await statements.standingsBefore(wallet!, [
      timeOfFlow(first),
      timeOfFlow(last),
    ] as const);
    const begin = opening.sequence + 1;
    await statements.entries(wallet!, { first: begin, last: Math.min(begin + 19, closing.sequence) });
    const tookMs = performance.now() - since;
    console.log(
      `${closing.sequence - opening.sequence} of ${count} flows: ${commands} commands, ${tookMs.toFixed(1)} ms`,
    );
    costs.push(commands);
  }
  await watched.close();
  expect(costs[0]).toBe(costs[1]);
}
