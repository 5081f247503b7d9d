import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { Row } from '../../bench/cells.ts';
import { postgresqlPrograms } from '../../bench/peers/postgresql.ts';
import { runProgram } from '../support/program.ts';
import '../support/started.ts';

/** Runs `npm run bench` with these arguments, to its end. */
const runBench = (args: readonly string[], mongodbUri: string) =>
  runProgram(join(import.meta.dirname, '../../bench/main.ts'), args, { ...process.env, MONGODB_URI: mongodbUri });

/** Small runs: each gives checked figures, or ends with another code than 0. */
async function measured(args: string): Promise<{ rows: Row[]; output: string; plot: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [json, svg] = [join(folder, 'result.json'), join(folder, 'result.svg')];
  const { code, output, errors } = await runBench(
    [...args.split(' '), '--json', json, '--svg', svg],
    inject('mongodbUri'),
  );
  expect({ code, errors }).toEqual({ code: 0, errors: expect.not.stringContaining('Error') as string });
  const { rows } = JSON.parse(await readFile(json, 'utf8')) as { rows: Row[] };
  return { rows, output, plot: await readFile(svg, 'utf8').catch(() => '') };
}

test('the product beside the naive service, as table, JSON and plot', async () => {
  // Any process of this machine will do as MongoDB's.
  const load = '--rate 40 --seconds 1 --wallets 20 --warm-up 20 --naive-at-once 4';
  const { rows, output, plot } = await measured(`unfunded --mode end-to-end ${load} --mongodb-pid ${process.pid}`);
  expect(output).toContain('× naive: end to end, unfunded');
  const product = rows.find(({ role }) => role === 'product')?.runs[0];
  expect(product).toMatchObject({ done: 40, dropped: 0, refused: 0, terminalLatency: { count: 40 } });
  expect(product?.groups?.roundTripsPerOrder).toBeGreaterThan(0);
  expect(product?.cpuMicros).toHaveProperty('mongodb', expect.any(Number));
  expect(plot).toMatch(/^<svg .*<\/svg>\n$/s);
});

test(
  'peers: the service beside medici, and beside PostgreSQL where it is installed',
  { timeout: 600_000 },
  async () => {
    const { rows } = await measured('peers --orders 300 --seconds 1 --wallets 100 --warm-up 500');
    const peers = rows.filter(({ role }) => role === 'baseline');
    const each = (pattern: string) => [`function, ${pattern}`, `batches, ${pattern}`];
    const ofPostgresql = [...each('uniform'), ...each('zipf'), ...each('hot-target'), ...each('64 in flight')];
    expect(peers.map(({ name }) => name)).toEqual([
      'medici: uniform, nothing checked',
      'medici: uniform, balance checked',
      'medici: hot-source, balance checked',
      ...(postgresqlPrograms() === undefined ? [] : ofPostgresql.map((name) => `PostgreSQL: ${name}`)),
    ]);
    for (const { name, runs } of peers) {
      expect(runs[0]?.done, name).toBeGreaterThan(0);
      const process = name.startsWith('PostgreSQL') ? 'postgresql' : 'client';
      expect(runs[0]?.cpuMicros[process], name).toBeGreaterThan(0);
    }
    for (const { name, runs } of rows) expect(runs[0]?.terms?.isSigned, name).toBe(name.startsWith('end to end'));
    const byName = new Map(rows.map((row) => [row.name, row]));
    expect(byName.get('post, uniform')?.ratios).toHaveProperty('medici: uniform, balance checked', expect.any(Number));
    expect(byName.get('end to end, batches of 500')?.runs[0]?.done).toBeGreaterThan(0);
  },
);

test('round-trips: what an order waits for, of the service and of the naive one', async () => {
  const { rows, output } = await measured('round-trips --seconds 2');
  expect(rows.map(({ runs }) => runs[0]?.roundTrips?.steps.length)).toEqual([16, 13]);
  expect(output).toContain('13 one after the other');
});

test('scale: the same by one worker and by two, with its share of linear', { timeout: 600_000 }, async () => {
  // A group takes 2.4 s with that delay: a shorter window may see none.
  const load = '--workers 2 --seconds 4 --orders 4800 --delay 200 --hot 1';
  const { rows, output } = await measured(`scale --workspaces 32 --wallets 4 ${load}`);
  const [one, two] = rows;
  expect(rows.map(({ times, runs }) => [times, runs[0]?.recorded])).toEqual([
    [1, 4800],
    [2, 9600],
  ]);
  expect(Object.keys(two?.ratios ?? {})).toEqual([one?.name]);
  expect(output).toContain('of linear');
});

test('scale --kill: the buckets of the killed worker are posted again, and no order is lost', async () => {
  const load = '--workers 2 --seconds 1 --rate 50 --delay 5';
  const { rows } = await measured(`scale --kill --workspaces 32 --wallets 4 ${load}`);
  const run = rows[0]?.runs[0];
  // A second before, fifteen after it, in quarters.
  expect(run?.rates).toHaveLength(64);
  expect(run?.figures?.["without the killed one's share, %"]).toBeLessThan(100);
  expect(run?.figures?.['first of its buckets again after, s']).toBeGreaterThan(0);
});

test('noisy-neighbour: orders of one workspace, beside a flood in another bucket and in its own', async () => {
  const { rows } = await measured('noisy-neighbour --wallets 10 --seconds 1 --rate 50 --connections 32 --delay 5');
  expect(rows.map(({ name, runs }) => [name, runs[0]?.done])).toEqual([
    ['beside a flood in another bucket', 10],
    ['beside a flood in its own bucket', 10],
  ]);
  for (const { runs } of rows) {
    expect(runs[0]?.terminalLatency?.count).toBe(10);
    expect(runs[0]?.figures).toMatchObject({ '503s, alone and beside': 0 });
  }
});

test('growth compares books of different sizes', async () => {
  const load = '--orders 20 --rate 40 --seconds 1 --warm-up 10';
  const { rows } = await measured(`growth --stored 300,40 --wallets 10 ${load}`);
  expect(rows.map(({ name, runs, ratios }) => [name, runs.length, Object.keys(ratios)])).toEqual(
    ['post', 'end to end', 'reads'].flatMap((kind) => [
      [`${kind}, 40 orders stored`, 1, []],
      [`${kind}, 300 orders stored`, 1, [`${kind}, 40 orders stored`]],
    ]),
  );
});

test('an engine that cannot be reached ends the run with 1, and without figures', async () => {
  const { code, output, errors } = await runBench(['limits'], 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=500');
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toContain('ECONNREFUSED');
});
