import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createQueueCache, pausePartition } from '../../src/queue/queue.ts';
import { auditedBy, openAuditEvents } from '../../src/storage/audit.ts';
import { ensureSchema } from '../../src/storage/schema.ts';
import { testDatabase } from '../support/database.ts';
import { freePort } from '../../local/free-port.ts';

const { db } = testDatabase();
const auditEvents = openAuditEvents(db);
const redis = new Redis(await freePort(), '127.0.0.1', { maxRetriesPerRequest: 0, enableOfflineQueue: false });
redis.on('error', () => undefined);
const queues = createQueueCache(redis, 'pause-test');

beforeAll(() => ensureSchema(db));
afterAll(() => {
  redis.disconnect();
});

it('a pause that Redis does not answer is said to be neither done nor failed, as it may be done', async () => {
  const audited = auditedBy(auditEvents, { actor: 'ann', claimedActor: null, address: null });
  const pausing = pausePartition(queues.get(3), audited, { verb: 'pause', partition: 3, reason: 'a migration' });
  await expect(pausing).rejects.toThrow('Redis does not say whether partition 3 was paused');
  const { items } = await auditEvents.list({}, 2);
  expect(items).toMatchObject([{ action: 'partitions pause', outcome: 'STARTED', subject: { partition: 3 } }]);
});
