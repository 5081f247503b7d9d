import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openBrowser } from '../test/support/browser.ts';

// Pictures of the operator's pages under load, for the documentation:
//
//   script/start                                   in one shell
//   script/node script/screenshots.ts [OPS_URL [DATA_DIR]]     in another

const [opsUrl = 'http://127.0.0.1:3001', dataDir = '.data'] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const images = join(root, 'docs/images');
const loadSeconds = 50;

const load = spawn(join(root, 'script/demo'), ['--transfers', '150000', '--concurrency', '192', '--data', dataDir], {
  stdio: 'inherit',
  detached: true,
});
const browser = await openBrowser();
try {
  await mkdir(images, { recursive: true });
  const page = await browser.context.newPage();
  await page.goto(opsUrl);
  await setTimeout(loadSeconds * 1000);
  await page.screenshot({ path: join(images, 'operations.png') });
  await page.goto(`${opsUrl}/queues/queue/transfers?status=completed`);
  await page.getByText(/tr_/).first().waitFor();
  const title =
    (await page
      .getByText(/tr_[0-9A-Z]{26}/)
      .first()
      .textContent()) ?? '';
  await page.screenshot({ path: join(images, 'queue.png') });
  await page.goto(`${opsUrl}/order?id=${/tr_[0-9A-Z]{26}/.exec(title)?.[0] ?? ''}`);
  await page.screenshot({ path: join(images, 'order.png'), clip: { x: 0, y: 0, width: 1280, height: 420 } });
} finally {
  await browser.close();
  if (load.pid !== undefined) process.kill(-load.pid, 'SIGTERM');
}
