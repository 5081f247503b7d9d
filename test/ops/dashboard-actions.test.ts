import { appRoutes } from '@bull-board/api/dist/routes.js';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const token = 'token-of-the-dashboard-test';
const queueName = '{posting-0}';
const authorization = `Basic ${Buffer.from(`olga:${token}`).toString('base64')}`;

let service: RunningService;
let mongo: MongoClient;
let jobId: string;

beforeAll(async () => {
  // Without a worker jobs wait, to be acted on; of one partition, all in its queue.
  const env = { OPS_DASHBOARD_ACTIONS: 'true', OPS_TOKEN: token, POSTING_PARTITIONS: '1' };
  service = await startService({ workers: 0, env });
  mongo = await MongoClient.connect(service.mongodbUri);
  const workspace = await createWorkspace(service);
  const [sourceWalletId, targetWalletId] = [await workspace.wallet(), await workspace.wallet()];
  const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
  expect((await workspace.client.request('POST', '/api/v1/transfer/command/create', { body })).status).toBe(200);
  jobId = await waitFor(async () => (await queue('waiting')).jobs[0]?.id);
});
afterAll(async () => {
  await mongo.close();
  await service.stop();
});

const ask = (path: string, { headers, ...init }: { method?: string; headers?: object; body?: string } = {}) =>
  fetch(`${service.opsUrl}/queues/api/queues${path}`, { ...init, headers: { authorization, ...headers } });
const act = (path: string, method = 'PUT') => ask(path, { method });

async function queue(status: string) {
  const answer = await ask(`?activeQueue=${queueName}&status=${status}`);
  const { queues } = (await answer.json()) as { queues: { isPaused: boolean; jobs: { id: string }[] }[] };
  return queues[0] ?? { isPaused: false, jobs: [] };
}

interface Event {
  action: string;
  subject: Record<string, string>;
  outcome: string;
}
const events = (...of: string[]) => service.admin<Event[]>('audit', 'list', '--actor', 'olga', ...of);
const newest = async () => (await events('--limit', '1'))[0];
/** An outcome is recorded after the answer. */
const ended = () =>
  waitFor(async () => {
    const event = await newest();
    return event?.outcome === 'STARTED' ? undefined : event;
  });

describe('an action in the queue dashboard', () => {
  it('is in the audit: who, from where, what, on which queue', async () => {
    expect((await act(`/${queueName}/clean/failed`)).status).toBe(200);
    expect(await ended()).toMatchObject({
      ...{ action: 'queue clean', subject: { queue: queueName, state: 'failed' }, outcome: 'DONE', workspaceId: null },
      ...{ actor: null, claimedActor: 'olga', address: '127.0.0.1', pid: service.webs[0]?.pid },
    });
  });

  it('pauses nothing, because MongoDB says which partitions are paused', async () => {
    for (const path of [`/${queueName}/pause`, `/${queueName}/resume`, '/pause', '/resume']) {
      expect((await act(path)).status, path).toBe(405);
    }
    expect((await queue('waiting')).isPaused).toBe(false);
  });

  it('that fails is told as such, with what it carried', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await ask(`/${queueName}/none/priority`, { method: 'PATCH', headers, body: '{"priority":3}' });
    expect(answer.status).toBe(404);
    const subject = { queue: queueName, job: 'none', body: '{"priority":3}' };
    expect(await ended()).toMatchObject({ action: 'job priority', subject, outcome: 'FAILED' });
    expect((await ask(`/${queueName}/add`, { method: 'POST', headers, body: '{' })).status).toBe(400);
  });

  it('of any kind is not done where its event cannot be written', async () => {
    const refuse = (validator: object) => mongo.db().command({ collMod: 'auditEvents', validator });
    const known = (await events()).length;
    await refuse({ isWritable: true });
    try {
      for (const { method, route } of appRoutes.api) {
        const paths = [route].flat().map((path) => path.replace('/api/queues', '').replace(':queueName', queueName));
        for (const each of [method].flat().filter((name) => name !== 'get')) {
          for (const path of paths) {
            const { status } = await act(
              path.replace(':jobId', jobId).replace(':queueStatus', 'wait'),
              each.toUpperCase(),
            );
            expect([405, 503], `${each} ${path}`).toContain(status);
          }
        }
      }
      expect(await queue('waiting')).toMatchObject({ isPaused: false, jobs: [{ id: jobId }] });
    } finally {
      await refuse({});
    }
    expect((await events()).length).toBe(known);
  });

  it('on a job is in the audit with the job', async () => {
    expect((await act(`/${queueName}/${jobId}/clean`)).status).toBeLessThan(300);
    expect((await queue('waiting')).jobs).toEqual([]);
    const subject = { queue: queueName, job: jobId };
    expect(await ended()).toMatchObject({ action: 'job clean', subject, outcome: 'DONE' });
  });

  it('that the audit has no name for is not done', async () => {
    for (const path of ['pause/', `../${queueName}/pause/now`, 'job-schedulers/x/run'].map(
      (end) => `/${queueName}/${end}`,
    )) {
      expect((await act(path)).status, path).toBe(405);
    }
    expect((await act(`/${queueName}/${'x'.repeat(300)}/clean`)).status).toBe(405);
  });
});
