import { describe, expect, it } from 'vitest';
import { titleOf } from '../../src/ops/dashboard.ts';
import { html } from '../../src/ops/page/html.ts';
import { countTo, duration } from '../../src/ops/page/words.ts';

describe('the page', () => {
  it('escapes every text', () => {
    expect(html`<b title="${'"\'&'}">${'<script>'}</b>`.markup).toBe('<b title="&quot;&#39;&amp;">&lt;script&gt;</b>');
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

  it('titles a job with its orders', () => {
    expect(titleOf([{ workspaceId: 'ws_1', orderIds: ['tr_1'] }])).toBe('tr_1');
    const batches = [
      ['tr_1', 'tr_2'],
      ['tr_3', 'tr_4', 'tr_5'],
    ].map((orderIds) => ({ workspaceId: 'ws', orderIds }));
    expect(titleOf(batches)).toBe('tr_1 tr_2 tr_3 and 2 more');
  });
});
