import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createObservers } from '../../src/ops/observers.ts';
import { startReporting } from '../../src/ops/reports.ts';
import type { ProcessReport } from '../../src/storage/processes/reports.ts';
import { waitFor } from '../support/wait-for.ts';

it('a process reports what tells whether something is wrong', async () => {
  const observers = createObservers(pino({ level: 'silent' }));
  observers.certificateSeen('redis', new Date(1_000));
  observers.batchRecorded(1, 90);
  const since = new Date(2_000);
  const servers = ['mongodb', 'redis'].map((name) => ({ name, isUp: name === 'mongodb', since, pingMs: 1 }));
  const recorded: (ProcessReport | undefined)[] = [];
  const ended: string[] = [];
  let isStarted = false;
  const rounds = startReporting(
    () => ({
      record: (_id, _kind, report) => Promise.resolve(void recorded.push(report)),
      ended: (id) => Promise.resolve(void ended.push(id)),
    }),
    {
      id: 'a',
      kind: 'web',
      version: '1',
      startedAt: () => (isStarted ? since : undefined),
      servers: () => Promise.resolve(servers),
      startedWith: { masterKeyVersions: [1] },
    },
    observers,
  );
  await waitFor(() => recorded.length > 0);
  expect(recorded[0]).toBeUndefined();
  isStarted = true;
  await waitFor(() => recorded.at(-1)?.lately?.commits !== undefined && recorded.at(-1)?.down?.['redis'] !== undefined);
  await rounds.close();
  expect(ended).toEqual(['a']);
  expect(recorded.at(-1)).toMatchObject({
    id: 'a',
    lately: { commits: 1 / 45, commitSeconds: 0.09 / 45 },
    down: { redis: since },
    certificates: { redis: new Date(1_000) },
  });
});
