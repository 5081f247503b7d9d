import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, test } from 'vitest';
import type { Row } from '../../bench/cells.ts';
import { bench, benchRows } from './bench-process.ts';

const timeoutMs = 240_000;
const few = ['--workspaces', '32', '--wallets', '4'];

// Each mostly waits, for delays that it asks for and for workers that start.
test.concurrent(
  'scale: the same by one worker and by two, of verified books, with its share of linear',
  async ({ expect }) => {
    // A group takes 2.4 s with that delay: a shorter window may see none.
    const load = ['--workers', '2', '--seconds', '4', '--orders', '3200', '--delay', '200', '--hot', '1'];
    const { rows, output } = await benchRows(['scale', ...few, ...load], inject('mongodbUri'));
    const [one, two] = rows;
    expect(rows.map(({ times, runs }) => [times, runs[0]?.recorded])).toEqual([
      [1, 3200],
      [2, 6400],
    ]);
    expect(Object.keys(two?.ratios ?? {})).toEqual([one?.name]);
    expect(output).toContain('of linear');
  },
  timeoutMs,
);

test.concurrent(
  'scale --kill: the buckets of the killed worker are posted again, and no order is lost',
  async ({ expect }) => {
    const load = ['--workers', '2', '--seconds', '1', '--rate', '50', '--delay', '5'];
    const { rows } = await benchRows(['scale', '--kill', ...few, ...load], inject('mongodbUri'));
    const measured = rows[0]?.runs[0];
    // A second before, fifteen after it, in quarters.
    expect(measured?.rates).toHaveLength(64);
    expect(measured?.figures?.["without the killed one's share, %"]).toBeLessThan(100);
    expect(measured?.figures?.['first of its buckets again after, s']).toBeGreaterThan(0);
  },
  timeoutMs,
);

test.concurrent(
  'noisy-neighbour: orders of one workspace, beside a flood in another bucket and in its own',
  async ({ expect }) => {
    const load = ['--wallets', '10', '--seconds', '1', '--rate', '50', '--connections', '32', '--delay', '5'];
    const { rows } = await benchRows(['noisy-neighbour', ...load], inject('mongodbUri'));
    expect(rows.map(({ name, runs }) => [name, runs[0]?.done])).toEqual([
      ['beside a flood in another bucket', 10],
      ['beside a flood in its own bucket', 10],
    ]);
    for (const { runs } of rows) {
      expect(runs[0]?.terminalLatency?.count).toBe(10);
      expect(runs[0]?.figures).toMatchObject({ '503s, alone and beside': 0 });
    }
  },
  timeoutMs,
);

test.concurrent(
  'growth compares books of different sizes',
  async ({ expect, onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const json = join(folder, 'result.json');
    const sizes = ['--stored', '300,40', '--wallets', '10'];
    const load = ['--orders', '20', '--rate', '40', '--seconds', '1', '--warm-up', '10'];
    const { code, errors } = await bench(['growth', ...sizes, ...load, '--json', json], inject('mongodbUri'));
    expect(errors).not.toContain('Error');
    expect(code).toBe(0);
    const { rows } = JSON.parse(await readFile(json, 'utf8')) as { rows: Row[] };
    expect(rows.map(({ name, runs, ratios }) => [name, runs.length, Object.keys(ratios)])).toEqual(
      ['post', 'end to end', 'reads'].flatMap((kind) => [
        [`${kind}, 40 orders stored`, 1, []],
        [`${kind}, 300 orders stored`, 1, [`${kind}, 40 orders stored`]],
      ]),
    );
  },
  timeoutMs,
);
