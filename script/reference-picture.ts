import { join } from 'node:path';
import { openBrowser } from '../test/support/browser.ts';

// A picture of the API's reference, for the documentation: script/start in one shell, and in another
//
//   script/node script/reference-picture.ts [API_URL]

const [apiUrl = 'http://127.0.0.1:3000'] = process.argv.slice(2);
const browser = await openBrowser();
try {
  const page = await browser.context.newPage();
  await page.goto(`${apiUrl}/docs`);
  const create = page.locator('.opblock-post').first();
  await create.locator('.opblock-summary-control').click();
  await create.getByRole('button', { name: 'Try it out' }).click();
  await create.getByRole('button', { name: 'Execute' }).waitFor();
  await page.evaluate("scrollBy(0, document.querySelector('.opblock-post').getBoundingClientRect().top - 10)");
  await page.screenshot({ animations: 'disabled', path: join(import.meta.dirname, '../docs/images/reference.png') });
} finally {
  await browser.close();
}
