import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, test } from 'vitest';
import type { Row } from '../../bench/cells.ts';
import { bench } from './bench-process.ts';

const timeoutMs = 240_000;

// Beside each other: each mostly waits, for processes that start and for requests that come at a rate.
test.concurrent(
  'a small run gives checked figures of product and baseline, as table, JSON and plot',
  async ({ expect, onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const [json, svg] = [join(folder, 'result.json'), join(folder, 'result.svg')];
    const args = [
      'unfunded',
      '--mode',
      'end-to-end',
      '--rate',
      '40',
      '--seconds',
      '1',
      '--wallets',
      '20',
      '--warm-up',
      '20',
      '--naive-at-once',
      '4',
      // Any process of this machine will do.
      '--mongodb-pid',
      String(process.pid),
    ];
    const { code, output, errors } = await bench([...args, '--json', json, '--svg', svg], inject('mongodbUri'));
    expect(errors).not.toContain('Error');
    expect(code).toBe(0);
    expect(output).toContain('× naive: end to end, unfunded');
    const { rows } = JSON.parse(await readFile(json, 'utf8')) as { rows: Row[] };
    const product = rows.find(({ role }) => role === 'product')?.runs[0];
    expect(product).toMatchObject({ done: 40, dropped: 0, refused: 0, terminalLatency: { count: 40 } });
    expect(product?.groups?.roundTripsPerOrder).toBeGreaterThan(0);
    expect(product?.cpuMicros).toHaveProperty('mongodb', expect.any(Number));
    expect(await readFile(svg, 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s);
  },
  timeoutMs,
);

test.concurrent('an engine that cannot be reached ends the run with 1, and without figures', async ({ expect }) => {
  const { code, output, errors } = await bench(['limits'], 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=500');
  expect(code).toBe(1);
  expect(output).toBe('');
  expect(errors).toContain('ECONNREFUSED');
});
