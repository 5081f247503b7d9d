import { beforeAll, beforeEach, expect, it } from 'vitest';
import { auditedBy } from '../../src/storage/audited.ts';
import { openAuditEvents } from '../../src/storage/audit.ts';
import { openPartitioning } from '../../src/storage/partitioning/partitioning.ts';
import { pausePartition } from '../../src/ops/actions.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();
const auditEvents = openAuditEvents(db);
const partitioning = openPartitioning(db);
const audited = auditedBy(auditEvents, { actor: 'ann', claimedActor: null, address: null });
const change = (verb: 'pause' | 'resume', partition: number) =>
  pausePartition(partitioning, audited, { verb, partition, reason: 'a migration' });
const paused = async () => [...(await partitioning.read())!.paused].sort();

beforeAll(() => ensureSchema(db));
beforeEach(async () => {
  await db.collection('partitioning').deleteMany({});
  await partitioning.agree(4);
});

it('a database of an earlier release has none paused', async () => {
  expect(await partitioning.read()).toEqual({ count: 4, paused: new Set() });
});

it('a pause is recorded, with its event; repeating it, or ending one that is not there, changes nothing', async () => {
  expect(await change('resume', 3)).toBe(true);
  for (const partition of [3, 1, 3]) expect(await change('pause', partition)).toBe(true);
  expect(await paused()).toEqual([1, 3]);
  expect(await change('resume', 3)).toBe(true);
  expect(await paused()).toEqual([1]);
  const { items } = await auditEvents.list({}, 1);
  expect(items).toMatchObject([{ action: 'partitions resume', outcome: 'DONE', subject: { partition: 3 } }]);
});

it('at once, none is lost', async () => {
  await Promise.all([0, 1, 2, 3].map((partition) => change('pause', partition)));
  expect(await paused()).toEqual([0, 1, 2, 3]);
});

it('a partition that is not there is not paused, and one that ends is not paused when it comes back', async () => {
  expect(await change('pause', 4)).toBe(false);
  await change('pause', 3);
  await change('pause', 0);
  await partitioning.change(2);
  await partitioning.change(4);
  expect(await paused()).toEqual([0]);
});
