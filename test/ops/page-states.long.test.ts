import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anchorOf } from '../../src/ops/markdown.ts';
import { openBrowser, tooWide, type TestBrowser } from '../support/browser.ts';
import { lastingProblems, problemStates, servePage } from '../support/page-states.ts';

const installTimeoutMs = 300_000;
const widths = [1280, 390];
const topsOfBoth = `[...document.querySelectorAll('.contents, :target')].map((box) => box.getBoundingClientRect().top)`;
const schemes = ['light', 'dark'] as const;

let browser: TestBrowser;
let served: Awaited<ReturnType<typeof servePage>>;
/** One of each width and scheme: they show a state at the same time. */
let pages: { name: string; page: Page }[];
beforeAll(async () => {
  browser = await openBrowser();
  served = await servePage();
  const kinds = widths.flatMap((width) => schemes.map((colorScheme) => ({ width, colorScheme })));
  pages = await Promise.all(
    kinds.map(async ({ width, colorScheme }) => {
      const page = await browser.context.newPage();
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      return { name: `${width} ${colorScheme}`, page };
    }),
  );
}, installTimeoutMs);
afterAll(async () => {
  await browser.close();
  await served.close();
});

describe.each(Object.entries(problemStates))('the page in the state %s', (_, state) => {
  it('has its banner, first of all, and scrolls nowhere sideways', async () => {
    served.show(state());
    await Promise.all(
      pages.map(async ({ name, page }) => {
        await page.goto(served.url);
        await page.locator('.alarm').first().waitFor();
        expect(await tooWide(page), name).toEqual({ by: 0, wide: [] });
      }),
    );
  });
});

describe('the runbook', () => {
  it('has its contents in view wherever one reads: beside it, and above it on a phone', async () => {
    for (const { name, page } of pages) {
      await page.goto(`${served.url}/docs/operations.md#losing-redis`);
      if (name.startsWith('390')) await page.locator('.contents summary').click();
      const entry = page.locator('.contents').getByRole('link', { name: 'BacklogOld' });
      await entry.click();
      expect(await page.locator(':target').textContent(), name).toBe('BacklogOld');
      const tops = await page.evaluate<number[]>(topsOfBoth);
      for (const top of tops) expect(top, name).toBeGreaterThanOrEqual(0);
      for (const top of tops) expect(top, name).toBeLessThan(900);
      expect((await tooWide(page)).by, name).toBe(0);
    }
  });
});

describe('a banner', () => {
  it('leads to its entry in the runbook, which the page itself shows', async () => {
    const anchors = [
      ...(await readFile(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')).matchAll(/^#+ (.*)$/gm),
    ].map(([, heading = '']) => anchorOf(heading));
    for (const state of Object.values(problemStates)) {
      for (const { name } of lastingProblems(state())) expect(anchors).toContain(anchorOf(name));
    }
    served.show(problemStates.PartitionPaused());
    const [{ page }] = pages as [(typeof pages)[number]];
    await page.goto(served.url);
    await page.locator('#problem-partitionpaused').getByRole('link', { name: 'Runbook' }).click();
    expect(await page.locator(':target').textContent()).toBe('PartitionPaused');
    await page.setViewportSize({ width: 390, height: 900 });
    expect((await tooWide(page)).by).toBe(0);
  });
});
