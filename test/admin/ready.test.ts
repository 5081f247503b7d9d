import { afterEach, expect, it } from 'vitest';
import { schemaVersion } from '../../src/storage/schema/schema-version.ts';
import type { StartedWith } from '../../src/storage/processes/reports.ts';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';
import { commandLine, masterKeys } from './command-line.ts';

const { uri, db } = testDatabase();
const { url: redisUrl } = await testRedis();
const admin = commandLine({ MONGODB_URI: uri, MASTER_KEYS: masterKeys, REDIS_URL: redisUrl });

const posters = db.collection<{ _id: string }>('posters');
const versions = db.collection<{ _id: string; version: number }>('schemaVersions');

afterEach(() => posters.deleteMany({}));

async function runs(startedWith?: Partial<StartedWith>): Promise<void> {
  const report = startedWith && { startedWith: { masterKeyVersions: [], ...startedWith } };
  const process = { _id: 'host:1:ab', kind: 'worker', report, lastSeenAt: new Date() };
  await posters.insertOne(process, { ignoreUndefined: true });
}

async function expectRefused(why: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await admin.run(...args);
  expect(stderr).toContain(`nothing was changed, because this runs ${why}`);
  expect(code).toBe(1);
}

it('the version of the schema stays while a process of the release before runs', async () => {
  await admin.json('schema', 'apply');
  await versions.updateOne({ _id: 'schema' }, { $set: { version: schemaVersion - 1 } });
  await runs();
  await expectRefused(
    'by a release that knows no more than the old version of the schema: worker host:1:ab',
    ...['schema', 'apply'],
  );
  expect((await versions.findOne({ _id: 'schema' }))?.version).toBe(schemaVersion - 1);
  await posters.deleteMany({});
  expect(await admin.json('schema', 'apply')).toEqual({ schemaVersion });
  await runs();
  expect(await admin.json('schema', 'apply')).toEqual({ schemaVersion });
});
