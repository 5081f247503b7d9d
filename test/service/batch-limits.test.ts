import { MongoClient } from 'mongodb';
import { afterAll, describe, expect, it } from 'vitest';
import { outcomesOf, sendBatch } from '../support/batches.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

const backlogMaxWorkspace = 5;
const rate = { perSecond: 5, burst: 20 };

const env = { BACKLOG_MAX_WORKSPACE: String(backlogMaxWorkspace) };
const service = await serviceForTests({ workers: 0, env });
const mongodb = await MongoClient.connect(service.mongodbUri);
afterAll(() => mongodb.close());

type Scene = Awaited<ReturnType<typeof setScene>>;

async function setScene() {
  const workspace = await createWorkspace(service);
  const [sourceWalletId, targetWalletId] = [await workspace.wallet(), await workspace.wallet()];
  const line = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
  const lines = (count: number, more: object = {}) => Array.from({ length: count }, () => ({ ...line, ...more }));
  const orders = () => mongodb.db().collection('orders').countDocuments({ workspaceId: workspace.workspaceId });
  return { workspace, line, lines, orders };
}

describe('the backlog', () => {
  it('is passed by one batch at the most, and what is for later counts for nothing', async () => {
    const { workspace, line, lines, orders } = await setScene();
    const create = () => workspace.client.request('POST', '/api/v1/transfer/command/create', { body: line });
    for (let made = 0; made < backlogMaxWorkspace; made += 1) expect((await create()).status).toBe(200);
    const later = { executeAt: new Date(Date.now() + 3_600_000).toISOString() };
    const scheduled = await sendBatch(workspace, lines(2 * backlogMaxWorkspace, later));
    expect(new Set(outcomesOf(scheduled))).toEqual(new Set(['SCHEDULED']));
    expect(new Set(outcomesOf(await sendBatch(workspace, lines(7))))).toEqual(new Set(['PENDING']));
    const before = await orders();
    for (const atomic of [false, true]) {
      const refused = await sendBatch(workspace, lines(1), { atomic });
      const { 'x-error-reason': reason, 'retry-after': retryAfter } = refused.headers;
      expect([refused.status, reason, Number(retryAfter)]).toEqual([503, 'WORKSPACE_BACKLOG_FULL', 5]);
    }
    expect(await orders()).toBe(before);
    const other = await setScene();
    expect((await sendBatch(other.workspace, other.lines(1))).status).toBe(200);
  });
});

describe('the rate of a key', () => {
  const limited = async (): Promise<Scene> => {
    const scene = await setScene();
    const given = ['--per-second', String(rate.perSecond), '--burst', String(rate.burst)];
    await service.admin('key', 'rate', '--key', scene.workspace.apiKey, ...given);
    return scene;
  };
  const wrong = { targetWalletId: 'wa_unknown' };

  async function expectRefused({ workspace, lines, orders }: Scene, count: number): Promise<void> {
    const before = await orders();
    const refused = await sendBatch(workspace, lines(count));
    expect([refused.status, refused.envelope?.code, refused.headers['x-error-reason']]).toEqual([
      429,
      'RQ4291',
      'KEY_RATE_EXCEEDED',
    ]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['ratelimit']).toMatch(/^"key";r=\d+;t=\d+$/);
    expect(await orders()).toBe(before);
  }

  it('counts each line, whether or not it makes an order', async () => {
    const scene = await limited();
    const { workspace, lines } = scene;
    expect((await sendBatch(workspace, lines(rate.burst, wrong))).status).toBe(200);
    await expectRefused(scene, rate.burst);
  });
});
