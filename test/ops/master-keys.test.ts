import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRefused } from '../support/refused.ts';
import { startService, type RunningService } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

let service: RunningService;
let mongo: MongoClient;
beforeAll(async () => {
  service = await startService({ workers: 0 });
  mongo = await MongoClient.connect(service.mongodbUri);
});
afterAll(async () => {
  await mongo.close();
  await service.stop();
});

it.each(['web', 'worker'] as const)(
  'a %s with a wrong MASTER_KEYS ends, says why, and was never listed',
  async (kind) => {
    const workspace = await createWorkspace(service);
    const { said, ownId } = await startRefused(service, kind, {
      MASTER_KEYS: `2:${randomBytes(32).toString('base64')}`,
    });
    expect(said).toContain('MASTER_KEYS has no version 1, with which secrets are sealed');
    const posters = mongo.db().collection('posters');
    expect(await posters.countDocuments({ _id: ownId as never, report: { $exists: true } })).toBe(0);
    expect((await workspace.client.request('GET', '/api/v1/wallets')).status).toBe(200);
  },
);
