import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../local/executables.ts';
import type { Answer } from '../support/api-client.ts';
import { description } from '../support/described-api.ts';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { allScopes, createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { startReceiver } from '../webhooks/delivering.ts';

interface Block {
  readonly language: string;
  readonly code: string;
}
const blocksOf = (page: string): Block[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
const exchangesOf = (blocks: readonly Block[]) =>
  blocks.flatMap(({ language, code }, at): [string, string, string][] =>
    language === 'http' ? [[code.split('\n')[0] ?? '', code, blocks[at + 1]?.code ?? '']] : [],
  );
const root = join(import.meta.dirname, '../..');
const blocks = blocksOf('docs/api.md');
const programOf = (language: string): string => blocks.find((block) => block.language === language)?.code ?? '';

/** Ids that requests on the page name. */
const [aliceOfPage, bobOfPage] = ['wa_01M7Y8R1S5A8C3E6G9J2M4P7QR', 'wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS'];

/** What an answer on the page leaves out, because another shows it. */
const left = /^ *\/\/ … and the rest of an? \w+$/gm;

interface Made {
  readonly id?: string;
}

/** A time that lies ahead there, and one that lies ahead here. */
const [laterOfPage, later] = ['2026-02-01T09:00:00Z', new Date(Date.now() + 24 * 3_600_000).toISOString()];
/** There, a time between the first deposit and the first transfer, and one after both. */
const [betweenOfPage, afterOfPage] = ['2026-01-01T09:15:00Z', '2026-01-01T09:31:00Z'];

/** A workspace with the wallets of a page. */
interface Scene {
  readonly workspace: TestWorkspace;
  /** By what stands on the page, what stands for it here: ids and times. */
  readonly here: Map<string, string>;
  /** Whether all answers of the page are shortened, and all requests wait. */
  readonly isShort?: true;
}

const receiver = await startReceiver();
afterAll(() => receiver.close());
const service = await serviceForTests({ env: { WEBHOOK_ALLOW_LOCAL: 'true' } });

async function setScene(): Promise<Scene & { readonly alice: string; readonly bob: string }> {
  const workspace = await createWorkspace(service);
  const options = ['--workspace', workspace.workspaceId, '--currency', 'USD', '--name'];
  const { id: alice } = await service.admin<{ id: string }>('wallet', 'create', ...options, 'Alice');
  const { id: bob } = await service.admin<{ id: string }>('wallet', 'create', ...options, 'Bob');
  const here = new Map([
    [aliceOfPage, alice],
    [bobOfPage, bob],
    [laterOfPage, later],
  ]);
  return { workspace, alice, bob, here };
}

/** Its wallets have names on the page. */
async function setSceneOfJournals(): Promise<Scene> {
  const workspace = await createWorkspace(service);
  const wallets = {
    buyer: '500',
    seller: '0',
    fees: '0',
    tax: '0',
    shop: '400',
    anna: '0',
    ben: '0',
    buyer_eur: '0',
    shop_eur: '100',
  };
  const named = Object.entries(wallets).map(async ([name, funds]): Promise<[string, string]> => {
    const id = await workspace.wallet(funds, name.endsWith('_eur') ? 'EUR' : 'USD');
    return [`"wa_${name}"`, `"${id}"`];
  });
  return { workspace, here: new Map(await Promise.all(named)), isShort: true };
}

/**
 * Of a card, and of an agent whose key has the budgets that the page's commands give it; tomorrow at noon, so that no window ends
 * meanwhile.
 */
async function setSceneOfLimits(): Promise<Scene> {
  const workspace = await createWorkspace(service, allScopes, '--test');
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10);
  await workspace.post('test/clock', { to: `${tomorrow}T12:00:00Z` });
  const [commands = ''] = blocksOf('docs/limits.md').flatMap(({ language, code }) => (language === 'sh' ? code : []));
  for (const [, given = ''] of commands.matchAll(/^admin (.*)$/gm))
    await service.admin(...given.replace('"$KEY"', workspace.apiKey).split(' '));
  await workspace.post('webhooks', { url: receiver.url, events: ['wallet.alert'] });
  const wallets = { card: ['2000', 'USD'], shop: ['0', 'USD'], agent: ['85', 'EUR'], tools: ['0', 'EUR'] };
  const here = new Map<string, string>();
  for (const [name, [funds, currency]] of Object.entries(wallets)) {
    const id = await workspace.wallet(funds, currency);
    here.set(`"wa_${name}"`, `"${id}"`).set(`/wa_${name}/`, `/${id}/`);
  }
  return { workspace, here, isShort: true };
}

/** By the service's clock. */
function timeOf({ envelope }: Answer): string {
  return new Date(envelope!.timestamp).toISOString();
}

async function expectAnswered({ workspace, here, isShort }: Scene, request: string, answered: string): Promise<void> {
  let asked = request;
  for (const [ofPage, ofHere] of here) asked = asked.replaceAll(ofPage, ofHere);
  const [head = '', body] = asked.trim().split('\n\n');
  const [line = '', ...headers] = head.split('\n');
  const [method = '', target = ''] = line.split(' ');
  const [path = '', query] = target.split('?');
  const answer = await workspace.client.request(method, path, {
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: {
      ...(isShort && { Prefer: 'wait=10' }),
      ...Object.fromEntries(headers.map((header) => header.split(': ') as [string, string])),
    },
    ...(body === undefined ? {} : { body }),
  });
  expect(answer.status).toBe(200);
  here.set(afterOfPage, timeOf(answer));
  const told = answered.replaceAll(left, '');
  const [data, ofPage] = [answer.envelope!.data, JSON.parse(told)] as [Made, Made];
  const shown = [...here].reduce((text, [page, id]) => text.replaceAll(id, page), JSON.stringify(data));
  const whole = comparable(JSON.parse(shown));
  if (told === answered && !isShort) expect(whole).toEqual(comparable(ofPage));
  else expect(whole).toMatchObject(comparable(ofPage));
  // What is made here is asked for under its own id.
  if (ofPage.id !== undefined && data.id !== undefined) here.set(ofPage.id, data.id);
}

const [ofApi, ofOrders, ofJournals] = [await setScene(), await setScene(), await setSceneOfJournals()];
const ofLimits = await setSceneOfLimits();
await service.admin('wallet', 'fund', '--wallet', ofApi.alice, '--amount', '100');
ofApi.here.set(betweenOfPage, timeOf(await ofApi.workspace.client.request('GET', '/api/v1/key')));
const folder = await mkdtemp(join(tmpdir(), 'api-page-'));
await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
afterAll(() => rm(folder, { recursive: true }));

describe.each([
  ['api.md', ofApi],
  ['orders.md', ofOrders],
  ['journals.md', ofJournals],
  ['limits.md', ofLimits],
  ['webhooks.md', ofApi],
])('each request of %s is answered as the page says', (page, scene) => {
  // What is sent to a receiver is answered by nobody here.
  const exchanges = exchangesOf(blocksOf(`docs/${page}`)).filter(([line]) => !line.endsWith(' HTTP/1.1'));

  it('and there are some', () => {
    expect(exchanges.length).toBeGreaterThan(0);
  });

  it.each(exchanges)('%s', async (_, request, answered) => {
    await expectAnswered(scene, request, answered);
  });
});

it('the message of an alert arrives as the page of limits says, and no other', async () => {
  const message = blocksOf('docs/limits.md').find(({ code }) => code.includes('"type": "wallet.alert"'))?.code ?? '';
  await waitFor(() => receiver.received.length > 0, { timeoutMs: 20_000 });
  expect(receiver.received).toHaveLength(1);
  const told = [...ofLimits.here].reduce(
    (text, [ofPage, id]) => text.replaceAll(id, ofPage),
    receiver.received[0]!.body,
  );
  expect(comparable(JSON.parse(told))).toEqual(comparable({ ...(JSON.parse(message) as object), test: true }));
});

it('the message of a test, on the page of webhooks, is that of the description', () => {
  const [message] = description.components.schemas['WebhookTestMessage']?.examples ?? [];
  expect(readFileSync('docs/webhooks.md', 'utf8')).toContain(JSON.stringify(message));
});

describe('each program of the page runs', () => {
  const envOf = ({ workspace, alice, bob }: typeof ofApi) => ({
    ...process.env,
    BASE_URL: service.baseUrl,
    API_KEY: workspace.apiKey,
    API_SECRET: workspace.apiSecret,
    SOURCE: alice,
    TARGET: bob,
    PYTHONPATH: join(root, 'packages/client-python/src'),
  });
  const answerOf = (line = '') => (JSON.parse(line) as { data: object }).data;

  it('in sh', async () => {
    const file = join(folder, 'request.sh');
    const program = programOf('sh');
    const names = [...new Set([...program.matchAll(/\b([a-z_]+)=/g)].map(([, name = '']) => name))];
    const [kept, shown] = [names.map((name) => `${name}=kept`), names.map((name) => `$${name}`)].map((each) =>
      each.join(' '),
    );
    await writeFile(file, `${kept}\n${program}\necho ${shown}\n`);
    const [listed, created, variables] = (await run('sh', [file], envOf(ofApi))).trim().split('\n');
    expect([listed, created].map(answerOf)).toMatchObject([{ size: 2 }, { amount: '0.01', status: 'COMPLETED' }]);
    expect(variables, 'of who calls the function').toBe(names.map(() => 'kept').join(' '));
  });

  it.each([
    ['ts', process.execPath, 'client.ts'],
    ['python', 'python3', 'client.py'],
  ])('in %s', async (language, command, name) => {
    const file = join(folder, name);
    await writeFile(file, programOf(language));
    expect(await run(command, [file], envOf(ofApi))).toBe('COMPLETED\n');
  });
});

/** What differs from run to run, ids, times and cursors, is left with its kind alone. */
function comparable(value: unknown): object {
  const text = JSON.stringify(value)
    .replaceAll(/_[0-9A-HJKMNP-TV-Z]{26}/g, '_')
    .replaceAll(/whsec_[\w+/]+=*/g, 'secret')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/"nextCursor":"[\w-]+"/g, '"nextCursor":"cursor"');
  return JSON.parse(text) as object;
}
