import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type BrowserContext, type Page } from 'playwright-core';

export interface TestBrowser {
  context: BrowserContext;
  close(): Promise<void>;
}

const run = promisify(execFile);
const CHROMIUM = '/usr/bin/chromium';
const INSTALL_TIMEOUT_MS = 240_000;

/**
 * Opens the system's Chromium with a profile of its own. Where it is missing, Debian's package is installed first, as root
 * or with a sudo that asks for no password; where that cannot be, this throws, saying what is missing.
 */
export async function openBrowser(): Promise<TestBrowser> {
  await installChromium();
  const profile = await mkdtemp(join(tmpdir(), 'test-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    viewport: { width: 1280, height: 900 },
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync'],
    ],
  });
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** By how many pixels a page is wider than its window. What scrolls by itself, as tables do, does not count. */
export function tooWide(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

async function installChromium(): Promise<void> {
  if (existsSync(CHROMIUM)) return;
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const packages = ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'];
  try {
    await aptGet([...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'update']);
    await aptGet([...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...packages]);
  } catch (cause) {
    throw new Error(
      `The browser tests need ${CHROMIUM}, and apt-get could not install it: sudo apt-get install chromium`,
      {
        cause,
      },
    );
  }
}

async function aptGet([command = '', ...args]: string[]): Promise<void> {
  // Someone else may be installing something: the lock is waited for.
  const lockWait = ['-o', 'DPkg::Lock::Timeout=120'];
  await run(command, [...args, ...lockWait], { timeout: INSTALL_TIMEOUT_MS });
}
