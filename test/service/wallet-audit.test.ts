import { expect, it } from 'vitest';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const path = '/api/v1/wallets';

const service = await serviceForTests({ workers: 0 });

const post = async ({ client }: TestWorkspace, rest: string, body: object = {}): Promise<string> => {
  const answer = await client.request<{ id: string } | null>('POST', path + rest, { body });
  return answer.envelope?.data?.id ?? '';
};

interface AuditedEvent {
  action: string;
  actor: string | null;
  claimedActor: string | null;
  address: string | null;
  outcome: string;
  subject: Record<string, unknown>;
}
/** What the audit tells of a workspace's wallets, oldest first. */
const events = (id: string) =>
  service
    .admin<AuditedEvent[]>('audit', 'list', '--workspace', id)
    .then((all) => all.filter(({ action }) => action.startsWith('wallet ')).toReversed());

it('the audit names the key of each change, its values, and what became of it; nothing that changed nothing', async () => {
  const own = await createWorkspace(service);
  const asked = { currency: 'USD', name: 'n', reference: 'r', metadata: { token: 'confidential' }, creditLimit: '3' };
  const id = await post(own, '', asked);
  await post(own, '', asked);
  await post(own, `/${id}/limit`, { creditLimit: '4.5' });
  await post(own, `/${id}/limit`, { creditLimit: '4.50' });
  for (const verb of ['freeze', 'freeze', 'unfreeze', 'unfreeze', 'close', 'close', 'freeze'])
    await post(own, `/${id}/${verb}`);
  await post(own, '/wa_unknown/freeze');
  const told = await events(own.workspaceId);
  expect(told.map(({ action, subject }) => [action, subject])).toEqual([
    ['wallet create', { currency: 'USD', name: 'n', reference: 'r', creditLimit: '3', walletId: id }],
    ['wallet limit', { walletId: id, creditLimit: '4.5', currency: 'USD' }],
    ['wallet freeze', { walletId: id }],
    ['wallet unfreeze', { walletId: id }],
    ['wallet close', { walletId: id }],
  ]);
  const who = { actor: own.apiKey, claimedActor: null, address: '127.0.0.1', outcome: 'DONE' };
  for (const event of told) expect(event).toMatchObject(who);
  expect(JSON.stringify(told)).not.toContain('confidential');
  expect(await service.admin<unknown[]>('audit', 'list', '--actor', own.apiKey)).toHaveLength(told.length);
});

it('what is kept for good counts as ten requests, and what changes nothing as one', async () => {
  const own = await createWorkspace(service);
  await service.admin('key', 'rate', '--key', own.apiKey, '--per-second', '1', '--burst', '25');
  const statusOf = async (rest: string, body: object = {}) =>
    (await own.client.request('POST', path + rest, { body })).status;
  const id = await post(own, '', { currency: 'USD', reference: 'r' });
  expect(await statusOf('', { currency: 'USD', reference: 'r' })).toBe(200);
  expect(await statusOf(`/${id}/freeze`)).toBe(200);
  expect(await statusOf(`/${id}/freeze`)).toBe(200);
  expect(await statusOf(`/${id}/unfreeze`)).toBe(429);
  expect(await statusOf('', { currency: 'USD' })).toBe(429);
  expect(await events(own.workspaceId)).toHaveLength(2);
});

it('the audit says of a wallet that another request made meanwhile that it is that one', async () => {
  const own = await createWorkspace(service);
  const asked = { currency: 'USD', reference: 'same' };
  const [id] = await Promise.all(Array.from({ length: 10 }, () => post(own, '', asked)));
  const told = await events(own.workspaceId);
  expect(told.filter(({ subject }) => subject['isReplay'] !== true)).toHaveLength(1);
  for (const { subject, outcome } of told) expect([subject['walletId'], outcome]).toEqual([id, 'DONE']);
});
