import { expect, inject, it } from 'vitest';
import { postgresqlPrograms } from '../../bench/peers/postgresql.ts';
import { benchRows } from './bench-process.ts';

const timeoutMs = 600_000;

it(
  'peers: the service beside medici, and beside PostgreSQL where it is installed, each of verified books',
  async () => {
    const few = ['--orders', '300', '--seconds', '1', '--wallets', '100', '--warm-up', '500'];
    const { rows } = await benchRows(['peers', ...few], inject('mongodbUri'));
    const hasPostgresql = postgresqlPrograms() !== undefined;
    const peers = rows.filter(({ role }) => role === 'baseline');
    expect(peers.map(({ name }) => name)).toEqual([
      ...(hasPostgresql
        ? [
            'PostgreSQL: function, uniform',
            'PostgreSQL: function, hot-target',
            'PostgreSQL: function, 200 a transaction',
          ]
        : []),
      'medici: uniform, nothing checked',
      'medici: uniform, balance checked',
      'medici: hot-source, balance checked',
    ]);
    for (const { name, runs } of peers) {
      expect(runs[0]?.done, name).toBeGreaterThan(0);
      const process = name.startsWith('PostgreSQL') ? 'postgresql' : 'client';
      expect(runs[0]?.cpuMicros[process], name).toBeGreaterThan(0);
    }
    const byName = new Map(rows.map((row) => [row.name, row]));
    expect(byName.get('post, uniform')?.ratios).toHaveProperty('medici: uniform, balance checked', expect.any(Number));
    expect(byName.get('end to end, batches of 500')?.runs[0]?.done).toBeGreaterThan(0);
  },
  timeoutMs,
);
