import { describe, expect, it } from 'vitest';
import { titleOf } from '../../src/ops/dashboard.ts';
import { html } from '../../src/ops/page/html.ts';
import { shortId, withLinks } from '../../src/ops/page/parts.ts';
import { countTo, duration } from '../../src/ops/page/words.ts';

describe('the page', () => {
  it('escapes every text', () => {
    expect(html`<b title="${'"\'&'}">${'<script>'}</b>`.markup).toBe('<b title="&quot;&#39;&amp;">&lt;script&gt;</b>');
  });

  it('shows the ends of an id, and has all of it as text', () => {
    const id = 'tr_01M7YFX2NQTRGWP2B5WKRJWTM8';
    const { markup } = shortId(id);
    expect(markup).toContain('>tr_<i>01M7YFX2NQTRGWP2B5WK</i>RJWTM8<');
    expect(markup.replaceAll(/<[^>]*>/g, '')).toBe(id);
    expect(shortId('ordinary').markup).toBe('<code>ordinary</code>');
  });

  it('links each id in a text, and nothing else', () => {
    const [order, wallet, webhook] = ['tr_', 'ex_', 'wh_'].map((prefix) => `${prefix}01M7YFX2NQTRGWP2B5WKRJWTM8`);
    const { markup } = withLinks(`<b> ${order}, ${wallet}USD ${webhook} & tr_1`);
    expect([...markup.matchAll(/href="([^"]*)"/g)].map(([, path]) => path)).toEqual([
      `/search?id=${order}`,
      `/search?id=${wallet}USD`,
      `/search?id=${webhook}`,
    ]);
    expect(markup.replaceAll(/<[^>]*>/g, '')).toBe(`&lt;b&gt; ${order}, ${wallet}USD ${webhook} &amp; tr_1`);
  });

  it('says durations as people do', () => {
    expect([undefined, 0, 850, 1_500, 59_000, 200_000, 7_500_000].map(duration)).toEqual([
      ...['–', '0 ms', '850 ms', '1.5 s', '59 s', '3 min 20 s', '2 h 5 min'],
    ]);
  });

  it('says where a number is only the least it may be', () => {
    expect([countTo(undefined, false), countTo(49_999, false), countTo(50_000, true)]).toEqual([
      ...['–', '49,999', '50,000 or more'],
    ]);
  });

  it('titles a job with its bucket, and with what became of the orders', () => {
    expect(titleOf({ bucket: 7 })).toBe('bucket 7');
    const result = { completed: 2, failed: 2, skipped: 3, setAside: 1 };
    expect(titleOf({ bucket: 7 }, result)).toBe('bucket 7, 2 COMPLETED, 2 FAILED, 1 set aside');
    // Whoever may write to Redis can have added it.
    expect(titleOf(null)).toBe('bucket ?');
  });
});
