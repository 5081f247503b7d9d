import { runsReadMax } from '../../storage/processes/runs.ts';
import type { Overview } from '../overview.ts';
import type { LostProcess } from '../runs.ts';
import { html, type Html } from './html.ts';
import { table } from './parts.ts';
import { countTo, duration, time } from './words.ts';

const shownMax = 10;

/** Which processes started and were lost in the last hour; nothing if none was lost. */
export function lostProcesses({ runs, at }: Overview): Html {
  const [last] = runs?.lost ?? [];
  if (runs === undefined || last === undefined) return html``;
  const { lost, started } = runs;
  const isLowerBound = lost.length + started.length >= runsReadMax;
  const summary = html`In the last hour ${countTo(lost.length, isLowerBound)} fell silent without having stopped, and
    ${countTo(started.length, isLowerBound)} started. The last one: ${last.kind} <code>${last.id}</code>, last heard of
    ${duration(Math.max(0, at.getTime() - last.lostAt.getTime()))} ago.`;
  return html`<details id="lost">
    <summary>${summary}</summary>
    ${table<LostProcess>({
      id: 'lost-process',
      columns: {
        kind: ({ kind }) => kind,
        'host and process': ({ id }) => html`<code>${id}</code>`,
        'last heard of': ({ lostAt }) => time(lostAt),
        'was up for': ({ startedAt, lostAt }) => duration(startedAt && lostAt.getTime() - startedAt.getTime()),
      },
      rows: lost.slice(0, shownMax),
      key: ({ id }) => id,
    })}
    ${lost.length > shownMax ? html`<p class="nothing">The last ${shownMax} are shown.</p>` : ''}
  </details>`;
}
