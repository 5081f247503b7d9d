import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { exchangeRaw, signedHeaders } from '../support/raw-http.ts';
import { serviceForTests } from '../support/service.ts';
import { allScopes, createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const orders = '/api/v1/transfer/query/orders';

/** The nine endpoints of the contract: scope, method, path. Ids need not exist: what is asked is how far a request gets. */
const routes = [
  ['wallet:read', 'GET', '/api/v1/wallets'],
  ['wallet:read', 'GET', '/api/v1/wallets/wa_0'],
  ['wallet:read', 'GET', '/api/v1/wallets/wa_0/balance'],
  ['wallet:read', 'GET', '/api/v1/wallets/wa_0/flows'],
  ['transfer:read', 'GET', orders],
  ['transfer:read', 'GET', `${orders}/wallet/wa_0`],
  ['transfer:read', 'GET', `${orders}/tr_0`],
  ['transfer:read', 'GET', `${orders}/tr_0/completed`],
  ['transfer:create', 'POST', '/api/v1/transfer/command/create'],
] as const;

/** What a request for no such wallet, order or body gets once it has passed every step. */
const beyondTheSteps = ['2000', 'WA4041', 'TR4041', 'RQ4002'];

type Key = Pick<TestWorkspace, 'apiKey' | 'apiSecret'>;

const byScope = new Map<string, Key>();

const service = await serviceForTests({ workers: 0 });
const home = await createWorkspace(service);
const key = (...more: string[]): Promise<Key> =>
  service.admin<Key & Record<string, unknown>>('key', 'create', '--workspace', home.workspaceId, ...more);
for (const scope of allScopes) byScope.set(scope, await key('--owner', 'owner', '--scope', scope));
const all = allScopes.flatMap((scope) => ['--scope', scope]);
const disabled = await key('--owner', 'owner', ...all);
await service.admin('key', 'disable', '--key', disabled.apiKey);
const elsewhere = await key('--owner', 'owner', ...all, '--ip', '203.0.113.9');
await service.admin('member', 'add', '--workspace', home.workspaceId, '--user', 'gone');
const expelled = await key('--owner', 'gone', ...all);
await service.admin('member', 'remove', '--workspace', home.workspaceId, '--user', 'gone', '--yes');
const closed = await createWorkspace(service);
const orphaned = closed;
await service.admin('workspace', 'delete', '--workspace', closed.workspaceId, '--yes');

async function codeOf(method: string, path: string, headers: readonly string[]): Promise<string> {
  const answer = await exchangeRaw(service.baseUrl, { method, target: path, headers });
  return answer.envelope?.code ?? 'no envelope';
}

describe.each(routes)('%s: %s %s', (scope, method, path) => {
  const own = (): Key => byScope.get(scope)!;
  const seconds = (offset: number): string => String(Math.floor(Date.now() / 1000) + offset);

  it.each([
    ['no key', 'GA2001', () => []],
    ['an unknown key', 'GA2011', () => signedHeaders({ ...own(), apiKey: 'ak_0' }, { method, path })],
    ['a disabled key', 'GA2021', () => signedHeaders(disabled, { method, path })],
    ['a deleted workspace', 'GA2032', () => signedHeaders(orphaned, { method, path })],
    ['an owner who is no member', 'GA2034', () => signedHeaders(expelled, { method, path })],
    ['a stale timestamp', 'GA2013', () => signedHeaders(own(), { method, path, timestamp: seconds(-65) })],
    ['a timestamp too far ahead', 'GA2013', () => signedHeaders(own(), { method, path, timestamp: seconds(65) })],
    ['a signature for another path', 'GA2012', () => signedHeaders(own(), { method, path: `${path}x` })],
    ['a signature for another method', 'GA2012', () => signedHeaders(own(), { method: 'PUT', path })],
    ['a signature by another secret', 'GA2012', () => signedHeaders({ ...own(), apiSecret: 'x' }, { method, path })],
    ['an address that is not whitelisted', 'GA2022', () => signedHeaders(elsewhere, { method, path })],
  ] as const)('%s is answered %s', async (_, code, headers) => {
    expect(await codeOf(method, path, headers())).toBe(code);
  });

  it('a used nonce is answered GA2013', async () => {
    const nonce = randomUUID();
    expect(beyondTheSteps).toContain(await codeOf(method, path, signedHeaders(own(), { method, path, nonce })));
    expect(await codeOf(method, path, signedHeaders(own(), { method, path, nonce }))).toBe('GA2013');
  });

  it.each(allScopes)('a key of %s gets through only where that is its scope', async (held) => {
    const code = await codeOf(method, path, signedHeaders(byScope.get(held)!, { method, path }));
    if (held === scope) expect(beyondTheSteps).toContain(code);
    else expect(code).toBe('GA2024');
  });
});
