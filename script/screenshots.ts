import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from '../test/support/browser.ts';
import { problemStates, servePage } from '../test/support/page-states.ts';

// Pictures of the operator's pages, for the documentation: under load, of a running stack, and of one problem, with made-up
// figures.
//
//   script/start                                   in one shell
//   script/node script/screenshots.ts [OPS_URL [DATA_DIR]]     in another; without a stack: script/screenshots.ts states

const [opsUrl = 'http://127.0.0.1:3001', dataDir = '.data'] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const images = join(root, 'docs/images');
/** Until the figures are those of a steady load. */
const loadMs = 20_000;

const browser = await openBrowser();
try {
  const page = await browser.context.newPage();
  await pictureStates(page);
  if (opsUrl !== 'states') await pictureStack(page);
} finally {
  await browser.close();
}

async function pictureStates(page: Page): Promise<void> {
  const served = await servePage();
  served.show(problemStates.ServerDown());
  await page.setViewportSize({ width: 1280, height: 420 });
  await page.goto(served.url);
  await page.screenshot({ path: join(images, 'banner.png') });
  await served.close();
}

async function pictureStack(page: Page): Promise<void> {
  const load = spawn(join(root, 'script/demo'), ['--transfers', '150000', '--concurrency', '192', '--data', dataDir], {
    stdio: 'inherit',
    detached: true,
  });
  try {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(opsUrl);
    await page.waitForTimeout(loadMs);
    await page.screenshot({ path: join(images, 'operations.png') });
  } finally {
    if (load.pid !== undefined) process.kill(-load.pid, 'SIGTERM');
  }
}
