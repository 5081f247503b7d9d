import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, tooWide, type TestBrowser } from '../support/browser.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

let service: RunningService;
let workspace: TestWorkspace;
let browser: TestBrowser;
let page: Page;
/** Errors of the page, violations of its policy among them, and requests that left for elsewhere. */
const complaints: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  service = await startService();
  workspace = await createWorkspace(service);
  page = await browser.context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(service.baseUrl) && !request.url().startsWith('data:'))
      complaints.push(request.url());
  });
  await page.goto(service.baseUrl);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** Opens an endpoint, fills it in and sends it; gives what the page shows of the answer. */
async function execute(id: string, fill: () => Promise<void>): Promise<string> {
  const operation = page.locator(`[id$="-${id}"].opblock`);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await fill();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const status = operation.locator('.live-responses-table .response-col_status').last();
  await status.waitFor();
  return operation.locator('.live-responses-table').innerText();
}

describe('the reference, in a browser', () => {
  it('is where / leads, and shows every endpoint with its text rendered', async () => {
    await page.locator('.opblock').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs');
    const { paths, webhooks } = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as {
      paths: Record<string, object>;
      webhooks: Record<string, object>;
    };
    const count = Object.values({ ...paths, ...webhooks }).flatMap((methods) => Object.keys(methods)).length;
    expect(await page.locator('.opblock').count()).toBe(count);
    expect(await page.locator('.information-container code').count()).toBeGreaterThan(2);
    expect(await page.locator('.information-container').innerText()).not.toContain('`');
  });

  it('asks for key and secret before it sends anything, and then goes on', async () => {
    let sent = 0;
    const count = () => {
      sent += 1;
    };
    page.on('request', count);
    const operation = page.locator('[id$="-getKey"].opblock');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const execute = operation.getByRole('button', { name: 'Execute' });
    await execute.click();
    expect(await page.locator('#warning').innerText()).toBe('Enter key and secret first.');
    expect(await page.evaluate('document.activeElement.id')).toBe('key');
    await page.keyboard.type(workspace.apiKey);
    await execute.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('secret');
    page.off('request', count);
    expect([sent, await operation.locator('.live-responses-table').count()]).toEqual([0, 0]);

    await page.keyboard.type(workspace.apiSecret);
    expect(await page.locator('#warning').innerText()).toBe('');
    await execute.press('Enter');
    const answered = operation.locator('.live-responses-table');
    await answered.waitFor();
    expect(await answered.innerText()).toContain(workspace.apiKey);
    expect(await operation.locator('.spent').innerText()).toContain('used up');
    const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
    expect(await page.evaluate(kept)).not.toContain(workspace.apiSecret);
  });

  it('sends a signed read, and shows what was signed', async () => {
    const listed = await execute('listWallets', async () => {
      await page.locator('[data-param-name="size"] input').fill('1');
    });
    expect(listed).toContain('"size": 1');
    expect(await page.locator('#signed').textContent()).toMatch(/^GET\n\/api\/v1\/wallets\n\d+\n/);
  });

  it('sends the example of a create as it stands, between wallets of the key that is entered meanwhile', async () => {
    const [source, target] = [await workspace.wallet('10'), await workspace.wallet()];
    const created = await execute('createTransfer', async () => {
      const body = page.locator('textarea.body-param__text');
      expect(await body.inputValue()).not.toContain(source);
      await page.locator('[data-param-name="Prefer"] input').fill('wait=10');
      for (const entered of ['', workspace.apiSecret]) {
        await page.fill('#secret', entered);
        await page.press('#secret', 'Tab');
      }
      await waitFor(async () => (await body.inputValue()).includes(source));
      expect(await body.inputValue()).toContain(target);
    });
    expect(created).toContain('"status": "COMPLETED"');
    expect(created).not.toContain(workspace.apiSecret);
  });

  it.each([390, 1280])(
    'opens at an operation that a link names, %i pixels wide, without a scroll bar below',
    async (width) => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('about:blank');
      await page.goto(`${service.baseUrl}/docs#/Transfers/createTransfer`);
      const opened = page.locator('.opblock.is-open');
      await opened.locator('.samples').waitFor();
      await page.waitForFunction(
        "Math.abs(document.querySelector('.opblock.is-open').getBoundingClientRect().top) < 40",
      );
      const box = await opened.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect(box?.height).toBeLessThan(6_000);
      expect(await opened.locator('.responses-table').innerText()).toContain('AMOUNT_ZERO');
      expect(await opened.locator('.responses-table').innerText()).not.toContain('PAGE_TOO_DEEP');
      for (const path of [
        '/docs',
        '/docs/api',
        '/docs/orders',
        '/docs/webhooks',
        '/docs/errors',
        '/docs/signing-vectors',
      ]) {
        if (path !== '/docs') await page.goto(service.baseUrl + path);
        expect((await tooWide(page)).by, path).toBe(0);
      }
    },
  );

  it('breaks nothing of its policy, and asks nobody else', () => {
    expect(complaints).toEqual([]);
  });
});
