import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { signedHeaders } from '../support/raw-http.ts';
import { startService, type Credentials, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { allScopes, createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const createPath = '/api/v1/transfer/command/create';
const ordersPath = '/api/v1/transfer/query/orders';

let service: RunningService;
let workspace: TestWorkspace;
let transfer: object;

beforeAll(async () => {
  service = await startService({ workers: 0 });
  workspace = await createWorkspace(service);
  const [sourceWalletId, targetWalletId] = await Promise.all([workspace.wallet(), workspace.wallet()]);
  transfer = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
});
afterAll(async () => {
  await service.stop();
});

/** A key of its own for each test, and a client that signs with it. */
async function createKey() {
  const key = await service.admin<Credentials>(
    ...['key', 'create', '--workspace', workspace.workspaceId, '--owner', 'owner'],
    ...allScopes.flatMap((scope) => ['--scope', scope]),
  );
  return { ...key, client: service.client(key) };
}
type Key = Awaited<ReturnType<typeof createKey>>;

/** Sends a create without its last byte, once the process is known to have judged its headers. */
async function beginCreate(key: Key) {
  const body = JSON.stringify(transfer);
  const headers = [
    ...['Host: test', 'Connection: close', 'Content-Type: application/json', 'Expect: 100-continue'],
    ...signedHeaders(key, { method: 'POST', path: createPath, body }),
  ];
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (data: Buffer) => (received += data.toString()));
  socket.on('error', () => undefined);
  socket.write(`POST ${createPath} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body.slice(0, -1)}`);
  // The body is asked for once its headers have passed.
  await waitFor(() => received.startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
  return async function finish(): Promise<string> {
    socket.write(body.slice(-1));
    await once(socket, 'close');
    return (JSON.parse(received.slice(received.indexOf('{'))) as { code: string }).code;
  };
}

/** The code of a read that is sent now. */
async function codeNow({ client }: Key): Promise<string | undefined> {
  return (await client.request('GET', ordersPath)).envelope?.code;
}

const keyOption = ({ apiKey }: Key): string[] => ['--key', apiKey];
const workspaceOption = (): string[] => ['--workspace', workspace.workspaceId];

it('a create whose key still stands passes, however late its last byte comes', async () => {
  const key = await createKey();
  const finish = await beginCreate(key);
  await service.admin('key', 'rate', ...keyOption(key), '--per-second', '100', '--burst', '100');
  expect(await codeNow(key)).toBe('2000');
  expect(await finish()).toBe('2000');
});

// The last two end all keys of the workspace.
it.each<[string, string, (key: Key) => string[]]>([
  ['is disabled', 'GA2021', (key) => ['key', 'disable', ...keyOption(key)]],
  ['has another secret', 'GA2012', (key) => ['key', 'rotate', ...keyOption(key), '--overlap', '0', '--yes']],
  ['has a whitelist', 'GA2022', (key) => ['key', 'whitelist', ...keyOption(key), '--ip', '203.0.113.9']],
  ['lacks the scope', 'GA2024', (key) => ['key', 'scopes', ...keyOption(key), '--scope', 'wallet:read']],
  ['has lost its owner', 'GA2034', () => ['member', 'remove', ...workspaceOption(), '--user', 'owner', '--yes']],
  ['has lost its workspace', 'GA2032', () => ['workspace', 'delete', ...workspaceOption(), '--yes', '--force']],
])('a create whose last byte comes once its key %s is answered %s', async (_, code, revoke) => {
  if (code === 'GA2032') await service.admin('member', 'add', ...workspaceOption(), '--user', 'owner');
  const key = await createKey();
  const finish = await beginCreate(key);
  await service.admin(...revoke(key));
  await waitFor(async () => (await codeNow(key)) === code);
  expect(await finish()).toBe(code);
});
