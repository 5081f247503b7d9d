import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { parseMetrics } from '../support/metrics-text.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const token = 'token-of-the-posting-pages-test';
const authorization = `Basic ${Buffer.from(`olga:${token}`).toString('base64')}`;
const partitionCount = 2;
const stopTimeoutMs = 20_000;

let service: RunningService;
let workspace: TestWorkspace;
let wallets: { sourceWalletId: string; targetWalletId: string };

beforeAll(async () => {
  const env = { OPS_DASHBOARD_ACTIONS: 'true', OPS_TOKEN: token, POSTING_PARTITIONS: String(partitionCount) };
  service = await startService({ workers: 2, env });
  workspace = await createWorkspace(service);
  wallets = { sourceWalletId: await workspace.wallet('100'), targetWalletId: await workspace.wallet() };
});
afterAll(() => service.stop());

const ask = (path: string, headers: object = {}) =>
  fetch(service.opsUrl + path, { headers: { authorization, ...headers } });
const textOf = async (path: string) => (await (await ask(path)).text()).replaceAll(/\s+/g, ' ');
/** What a page says of one fact, without its markup. */
const factOf = (html: string, name: string) =>
  (html.split(`<dt>${name}</dt> <dd>`)[1]?.split('</dd>')[0] ?? '').replaceAll(/<[^>]*>/g, '').trim();

async function confirm(path: string, reason: string): Promise<string> {
  const fields = (await textOf(path)).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g);
  const form = Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
  const body = new URLSearchParams({ ...form, reason });
  const headers = { authorization };
  return (await fetch(service.opsUrl + (path.split('?')[0] ?? ''), { method: 'POST', body, headers })).text();
}

async function create(wait: number): Promise<string | undefined> {
  const { envelope } = await workspace.client.request<{ status: string }>('POST', '/api/v1/transfer/command/create', {
    body: { ...wallets, amount: '1', currency: 'USD' },
    headers: { Prefer: `wait=${wait}` },
  });
  return envelope?.data.status;
}

/** The pages of the workers that are alive, by what of their ids is theirs alone. */
async function workerPages(): Promise<string[]> {
  const [, table = ''] = (await textOf('/')).split('<table id="processes">');
  const links = table.split('</table>')[0]?.matchAll(/<span[^>]*>worker.*?<a href="(\/worker\?id=[^"]+)"/g) ?? [];
  return [...links].map(([, path = '']) => path);
}
const pageOf = (ownId = '') =>
  waitFor(async () => (await workerPages()).find((path) => decodeURIComponent(path).includes(ownId)));
const partitionsOf = async (path: string) => factOf(await textOf(path), 'partitions');

async function unowned(): Promise<number | undefined> {
  const families = parseMetrics(await (await ask('/metrics')).text());
  return families.get('transfers_partitions_unowned')?.samples[0]?.value;
}

describe('the page of a worker', () => {
  it('says what it does, what it takes, and which release it is', async () => {
    const path = await pageOf(service.workers[0]?.ownId);
    const html = await waitFor(async () => {
      const text = await textOf(path);
      return factOf(text, 'CPU').startsWith('–') ? undefined : text;
    });
    expect(factOf(html, 'state')).toBe('runs pause');
    expect(factOf(html, 'release')).toBe(packageJson.version);
    expect(factOf(html, 'process')).toBe(String(process.pid));
    expect(factOf(html, 'CPU')).toMatch(/^[\d.]+ % of a processor; its event loop is busy [\d.]+ % of the time$/);
    expect(factOf(html, 'memory')).toMatch(/^[\d,]+ MB, of which heap [\d,]+ MB$/);
    expect(factOf(html, 'clock')).toMatch(/^\d+ ms (?:ahead of|behind) MongoDB/);
  });

  it('is not there for one that is not alive', async () => {
    for (const id of ['', 'vm:1:00000000', '<script>']) {
      const answer = await ask(`/worker?id=${encodeURIComponent(id)}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain('<script>');
    }
  });
});

it('a worker that is paused hands its partitions over at once, with who and why in the audit', async () => {
  const [first, second] = [await pageOf(service.workers[0]?.ownId), await pageOf(service.workers[1]?.ownId)];
  await waitFor(async () => (await partitionsOf(second)).length === 1);
  const pauseOf = (path: string, verb = 'pause') => path.replace('/worker?id=', `/${verb}?worker=`);
  expect(await confirm(pauseOf(first), 'a debugger')).toContain('The worker is paused');
  await waitFor(async () => (await partitionsOf(second)) === '0 1' && (await partitionsOf(first)) === 'none');
  expect(await create(10)).toBe('COMPLETED');
  const html = await textOf(first);
  expect(factOf(html, 'state')).toBe('paused resume');
  expect(html).toContain('olga from 127.0.0.1');
  expect(html).toContain('reason a debugger');

  expect(await confirm(pauseOf(second), 'both')).toContain('The worker is paused');
  await waitFor(async () => (await unowned()) === partitionCount);
  expect(await create(0)).toBe('PENDING');
  const waiting = await waitFor(async () => {
    const pages = [await textOf('/partition?number=0'), await textOf('/partition?number=1')];
    return pages.find((text) => factOf(text, 'backlog') === '1 orders of 1 workspaces wait');
  });
  expect(factOf(waiting, 'owner')).toBe('none');
  expect(factOf(waiting, 'lease')).toBe('nobody has it');
  expect(factOf(waiting, 'oldest')).toMatch(/^waits for /);
  expect(waiting).toContain(`/workspace?id=${workspace.workspaceId}`);

  // A restart ends a pause.
  await service.workers[0]?.stop(stopTimeoutMs);
  const restarted = await service.startWorker();
  const third = await pageOf(restarted.ownId);
  await waitFor(async () => (await partitionsOf(third)) === '0 1');
  expect(await confirm(pauseOf(second, 'resume'), 'it is over')).toContain('The worker is resumed');
  await waitFor(async () => (await partitionsOf(second)).length === 1 && (await partitionsOf(third)).length === 1);
  expect(await confirm('/pause?worker=nobody', 'x')).toContain(
    'There is no such worker, or it is of an earlier release',
  );
  expect(await service.admin('audit', 'list', '--limit', '1')).toMatchObject([{ action: 'workers resume' }]);
});

describe('the page of a partition', () => {
  it('says whose it is and since when, and who paused it and why', async () => {
    const html = await waitFor(async () => {
      const text = await textOf('/partition?number=1');
      return factOf(text, 'lease').includes('has it since') ? text : undefined;
    });
    expect(factOf(html, 'lease')).toMatch(/ has it since \d{4}-.* UTC, and prolongs it$/);
    expect(html).toContain('/queues/queue/%7Bposting-1%7D');
    await confirm('/pause?partition=1', 'a migration');
    const paused = await waitFor(async () => {
      const text = await textOf('/partition?number=1');
      return factOf(text, 'state') === 'paused resume' ? text : undefined;
    });
    expect(factOf(paused, 'paused by')).toMatch(/^olga from 127\.0\.0\.1, .* UTC: a migration$/);
    expect(factOf(paused, 'set aside')).toBe('0 orders of all partitions: which');
    await confirm('/resume?partition=1', 'it is over');
  });

  it.each(['2', '-1', 'x', '', '<script>'])('is not there for %s', async (number) => {
    const answer = await ask(`/partition?number=${encodeURIComponent(number)}`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('<script>');
  });
});

describe('/scaling', () => {
  it('is a page for a browser, and JSON for whoever does not ask for one', async () => {
    const page = await ask('/scaling', { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('vary')).toBe('Accept');
    expect(await page.text()).toContain('suggestedWorkers');
    for (const accept of ['*/*', 'application/json', 'application/json, */*']) {
      expect((await ask('/scaling', { accept })).headers.get('content-type'), accept).toContain('application/json');
    }
  });
});

it('the queue dashboard has a way back', async () => {
  expect(await textOf('/queues/')).toMatch(/<a href="\/"[^>]*>← Operations<\/a ?>/);
});
