import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { bucketOf } from '../../src/domain/bucket.ts';
import { postingQueueName } from '../../src/queue/posting-queue.ts';
import { openBrowser, tooWide, type TestBrowser } from '../support/browser.ts';
import { startService, type RunningService } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const INSTALL_TIMEOUT_MS = 300_000;

let service: RunningService;
let browser: TestBrowser;
let createOrder: (bizId?: string, amount?: string) => Promise<string>;
let workspace: TestWorkspace;
let alice: string;
/** What went wrong in the page, and every request that left this machine. */
const complaints: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  service = await startService();
  workspace = await createWorkspace(service);
  alice = await workspace.wallet('1000');
  const bob = await workspace.wallet();
  createOrder = async (bizId, amount = '1') => {
    const { envelope } = await workspace.client.request<{ transferId: string }>(
      'POST',
      '/api/v1/transfer/command/create',
      {
        body: { sourceWalletId: alice, targetWalletId: bob, amount, currency: 'USD', bizId },
        headers: { Prefer: 'wait=10' },
      },
    );
    return envelope?.data.transferId ?? '';
  };
}, INSTALL_TIMEOUT_MS);
afterAll(async () => {
  await browser.close();
  await service.stop();
  expect(complaints).toEqual([]);
});

/** A page of a test's own. */
async function openPage({ onTestFinished }: TestContext): Promise<Page> {
  const page = await browser.context.newPage();
  onTestFinished(() => page.close());
  page.on('pageerror', (error) => complaints.push(error.message));
  return page;
}

describe('the page, in a browser', () => {
  it('shows its tables, and becomes current by itself', async (context) => {
    const page = await openPage(context);
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(service.opsUrl) && !request.url().startsWith('data:'))
        complaints.push(request.url());
    });
    await page.goto(service.opsUrl);
    const before = await page.locator('footer').textContent();
    const end = Date.now() + 4_000;
    while (Date.now() < end) await createOrder();
    await page.locator('#processes tbody tr', { hasText: 'worker' }).waitFor();
    await expect.poll(() => page.locator('footer').textContent(), { timeout: 20_000 }).not.toBe(before);
    expect(complaints).toEqual([]);
  });

  it.concurrent('follows an order that is typed in', async (context) => {
    const page = await openPage(context);
    const orderId = await createOrder();
    await page.goto(service.opsUrl);
    // The overview reloads itself, so what is typed has a page of its own.
    await page.getByRole('link', { name: 'Find' }).click();
    await page.getByLabel('Id', { exact: true }).fill(orderId);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.locator('#trail tr', { hasText: 'posted by worker' }).waitFor();
    expect(await page.locator('.status').textContent()).toBe('COMPLETED');

    await page.getByLabel('Id', { exact: true }).fill('tr_unknown');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('Nothing has the id tr_unknown').waitFor();
  });

  it.concurrent('finds each thing by its id, all of it linked, and scrolls nowhere sideways', async (context) => {
    const page = await openPage(context);
    const bizId = 'invoice-2026.11-00000000000000000000000000000000000000000042';
    const orderId = await createOrder(bizId);
    const { workspaceId } = workspace;
    const find = async (id: string) => {
      await page.getByLabel('Id', { exact: true }).fill(id);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.waitForLoadState();
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await tooWide(page), `${id} at ${width}`).toBe(0);
      }
      return page.locator('h2').first().textContent();
    };
    const fact = (name: string) => page.locator(`dt:text-is("${name}") + dd`);
    await page.goto(`${service.opsUrl}/search`);
    expect(await find(orderId)).toBe(`Order ${orderId}`);
    expect(await find(bizId)).toBe(`Order ${orderId}`);
    expect(await fact('amount').textContent()).toBe('1.00 USD');
    await fact('from').getByRole('link').click();
    expect(await page.locator('h2').first().textContent()).toBe(`Wallet ${alice}`);
    expect(await find(alice)).toBe(`Wallet ${alice}`);
    expect(await fact('chain').textContent()).toMatch(/^verifies, all \d+ flows$/);
    await page.getByRole('link', { name: orderId }).click();
    await page.locator('#trail tr', { hasText: 'posted by worker' }).waitFor();
    const metadata = { plan: 'basic', note: 'x'.repeat(500) };
    const made = { body: { currency: 'USD', reference: `user:${'7'.repeat(59)}`, metadata } };
    const { envelope } = await workspace.client.request<{ id: string }>('POST', '/api/v1/wallets', made);
    expect(await find(envelope!.data.id)).toBe(`Wallet ${envelope!.data.id}`);
    expect(await fact('metadata').textContent()).toContain('plan: basic, note: x');
    expect(await find(workspaceId)).toBe(`Workspace ${workspaceId}`);
    expect(await fact('accepted').textContent()).toMatch(/^[1-9][\d,]* in the last minute, /);
    const failedId = await createOrder('invoice-2026-1234567', '1000000');
    for (const width of [1280, 1160, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ['/orders', `/orders?workspace=${workspaceId}`, '/orders?status=none']) {
        await page.goto(service.opsUrl + path);
        expect(await tooWide(page), `${path} at ${width}`).toBe(0);
      }
    }
    await page.goto(`${service.opsUrl}/orders`);
    await page.getByLabel('workspace').fill(workspaceId);
    await page.getByRole('button', { name: 'Look' }).click();
    await page.getByRole('link', { name: failedId }).waitFor();
    expect(await find('no-such-bizId')).toBe('Not found');
  });

  it.concurrent('says who made an order that no client asked for', async (context) => {
    const page = await openPage(context);
    await page.goto(`${service.opsUrl}/search?id=${await workspace.wallet('5')}`);
    const funding = page.locator('#flows tr', { hasText: '+5.00' });
    await funding.getByRole('link').first().click();
    await page.locator('#trail tr', { hasText: 'wallet fund by' }).waitFor();
  });
});

describe('the queue dashboard, in a browser', () => {
  it('shows a job under its bucket, and what came of it', async (context) => {
    const page = await openPage(context);
    await createOrder();
    await page.goto(`${service.opsUrl}/queues/queue/${encodeURIComponent(postingQueueName)}?status=completed`);
    const job = page.getByText(new RegExp(`bucket ${bucketOf(workspace.workspaceId)}, \\d+ COMPLETED`));
    await job.first().waitFor();
    expect(await page.getByRole('button', { name: /clean|pause|add job/i }).count()).toBe(0);
  });
});
