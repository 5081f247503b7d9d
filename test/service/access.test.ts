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

describe('a change by the administrator holds from the next request on, on every API process', () => {
  it('disabling and enabling a key', async () => {
    expect(await codes()).toEqual(['2000']);
    await service.admin('key', 'disable', '--key', workspace.apiKey);
    expect(await codes()).toEqual(['GA2021']);
    await service.admin('key', 'enable', '--key', workspace.apiKey);
    expect(await codes()).toEqual(['2000']);
  });

  it('removing and adding a member', async () => {
    const member = ['--workspace', workspace.workspaceId, '--user', 'owner'];
    await service.admin('member', 'remove', ...member, '--yes');
    expect(await codes()).toEqual(['GA2034']);
    await service.admin('member', 'add', ...member);
    expect(await codes()).toEqual(['2000']);
  });

  it('replacing the scopes', async () => {
    await service.admin('key', 'scopes', '--key', workspace.apiKey, '--scope', 'transfer:read');
    expect(await codes()).toEqual(['GA2024']);
    await service.admin('key', 'scopes', '--key', workspace.apiKey, '--scope', 'wallet:read');
    expect(await codes()).toEqual(['2000']);
  });

  it('replacing and clearing the whitelist', async () => {
    await service.admin('key', 'whitelist', '--key', workspace.apiKey, '--ip', '203.0.113.0/24');
    expect(await codes()).toEqual(['GA2022']);
    await service.admin('key', 'whitelist', '--key', workspace.apiKey, '--ip', '127.0.0.0/8');
    expect(await codes()).toEqual(['2000']);
    await service.admin('key', 'whitelist', '--key', workspace.apiKey, '--clear');
    expect(await codes()).toEqual(['2000']);
  });

  it('rotating the secret: both are valid during the overlap, the old one is not without', async () => {
    const rotated = await service.admin<{ apiSecret: string }>(
      ...['key', 'rotate', '--key', workspace.apiKey, '--overlap', '1h'],
    );
    expect(await codes()).toEqual(['2000']);
    expect(await codes({ ...workspace, apiSecret: rotated.apiSecret })).toEqual(['2000']);
    const again = await service.admin<{ apiSecret: string }>('key', 'rotate', '--key', workspace.apiKey, '--yes');
    expect(await codes()).toEqual(['GA2012']);
    expect(await codes({ ...workspace, apiSecret: again.apiSecret })).toEqual(['2000']);
    workspace = { ...workspace, apiSecret: again.apiSecret };
  });

  it('deleting the workspace', async () => {
    await service.admin('workspace', 'delete', '--workspace', workspace.workspaceId, '--yes');
    expect(await codes()).toEqual(['GA2032']);
  });
});
