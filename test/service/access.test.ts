import { describe, expect, it } from 'vitest';
import { createClient } from '../support/api-client.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

const service = await serviceForTests({ workers: 1, webs: 2 });
let workspace = await createWorkspace(service);
const path = `/api/v1/wallets/${await workspace.wallet()}`;

/** The code that each API process answers. */
async function codes({ apiKey, apiSecret }: { apiKey: string; apiSecret: string } = workspace): Promise<unknown[]> {
  const answers = await Promise.all(
    service.webs.map(async (web) => {
      const { port } = await web.ready;
      const client = createClient({ baseUrl: `http://127.0.0.1:${port ?? 0}`, apiKey, apiSecret });
      const { envelope } = await client.request('GET', path);
      client.close();
      return envelope?.code;
    }),
  );
  return [...new Set(answers)];
}

const { workspaceId, apiKey } = workspace;
const ofKey = ['--key', apiKey];
const ofMember = ['--workspace', workspaceId, '--user', 'owner'];

/** What the administrator changes, and what each API process answers to the next request. */
const changes: [string[], string][] = [
  [['key', 'disable', ...ofKey], 'GA2021'],
  [['key', 'enable', ...ofKey], '2000'],
  [['member', 'remove', ...ofMember, '--yes'], 'GA2034'],
  [['member', 'add', ...ofMember], '2000'],
  [['key', 'scopes', ...ofKey, '--scope', 'transfer:read'], 'GA2024'],
  [['key', 'scopes', ...ofKey, '--scope', 'wallet:read'], '2000'],
  [['key', 'whitelist', ...ofKey, '--ip', '203.0.113.0/24'], 'GA2022'],
  [['key', 'whitelist', ...ofKey, '--ip', '127.0.0.0/8'], '2000'],
  [['key', 'whitelist', ...ofKey, '--clear'], '2000'],
];

describe('a change by the administrator holds from the next request on, on every API process', () => {
  it.each(changes)('%j: %s', async (args, code) => {
    await service.admin(...args);
    expect(await codes()).toEqual([code]);
  });

  it('rotating the secret: both are valid during the overlap, the old one is not without', async () => {
    const rotated = await service.admin<{ apiSecret: string }>('key', 'rotate', ...ofKey, '--overlap', '1h');
    expect(await codes()).toEqual(['2000']);
    expect(await codes({ ...workspace, ...rotated })).toEqual(['2000']);
    const again = await service.admin<{ apiSecret: string }>('key', 'rotate', ...ofKey, '--yes');
    expect(await codes()).toEqual(['GA2012']);
    workspace = { ...workspace, ...again };
    expect(await codes()).toEqual(['2000']);
  });

  it('deleting the workspace', async () => {
    await service.admin('workspace', 'delete', '--workspace', workspaceId, '--yes');
    expect(await codes()).toEqual(['GA2032']);
  });
});
