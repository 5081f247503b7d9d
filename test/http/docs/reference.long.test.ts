import { afterAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../../support/browser.ts';
import { serviceForTests } from '../../support/service.ts';
import { createWorkspace } from '../../support/workspace.ts';

/** Errors of the page, violations of its policy among them, and requests that left for elsewhere. */
const complaints: string[] = [];

const browser = await openBrowser();
const service = await serviceForTests();
const workspace = await createWorkspace(service);
const page = await browser.context.newPage();
page.on('pageerror', (error) => complaints.push(error.message));
page.on('console', (message) => {
  if (message.type() === 'error') complaints.push(message.text());
});
page.on('request', (request) => {
  if (!request.url().startsWith(service.baseUrl) && !request.url().startsWith('data:')) complaints.push(request.url());
});
await page.goto(service.baseUrl);
afterAll(() => browser.close());

/** Opens an endpoint, fills it in and sends it; gives what the page shows of the answer. */
async function execute(id: string, fill: () => Promise<void>): Promise<string> {
  const operation = page.locator(`[id$="-${id}"].opblock`);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await fill();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  await answer.waitFor();
  return answer.innerText();
}

describe('the reference, in a browser', () => {
  it('is where / leads, and shows every endpoint', async () => {
    await page.locator('.opblock').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs');
    const { paths, webhooks } = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as {
      paths: Record<string, object>;
      webhooks: Record<string, object>;
    };
    const count = Object.values({ ...paths, ...webhooks }).flatMap((methods) => Object.keys(methods)).length;
    expect(await page.locator('.opblock').count()).toBe(count);
  });

  it('sends a signed create for whoever has key and secret, and keeps neither', async () => {
    const [sourceWalletId, targetWalletId] = [await workspace.wallet('10'), await workspace.wallet()];
    await page.fill('#key', workspace.apiKey);
    await page.fill('#secret', workspace.apiSecret);
    const created = await execute('createTransfer', async () => {
      await page.locator('[data-param-name="Prefer"] input').fill('wait=10');
      const body = { sourceWalletId, targetWalletId, amount: '1.50', currency: 'USD' };
      await page.locator('textarea.body-param__text').fill(JSON.stringify(body));
    });
    expect(created).toContain('"status": "COMPLETED"');
    expect(created).not.toContain(workspace.apiSecret);
    expect(await page.locator('#signed').textContent()).toMatch(/^POST\n\/api\/v1\/transfer\/command\/create\n\d+\n/);
    const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
    expect(await page.evaluate(kept)).not.toContain(workspace.apiSecret);
  });

  it('breaks nothing of its policy, and asks nobody else', () => {
    expect(complaints).toEqual([]);
  });

  it('sends nothing without a secret, and says so', async () => {
    await page.fill('#secret', '');
    let sent = 0;
    page.on('request', () => (sent += 1));
    const operation = page.locator('[id$="-getKey"].opblock');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await page.locator('#warning', { hasText: 'Enter key and secret first.' }).waitFor();
    expect(sent).toBe(0);
  });
});
