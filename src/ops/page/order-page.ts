import type { Presenter } from '../../orders/present.ts';
import type { Trail, TrailStep } from '../trail.ts';
import { html, type Html } from './html.ts';
import { idLink, releaseLink } from './links.ts';
import { statusMark } from './parts.ts';
import { facts, table } from './table.ts';
import { duration, time } from './words.ts';

/** One order: its values, its way from acceptance to its end, and what operators did about it. */
export function orderPage({ order, steps, jobs, areJobsKnown }: Trail, present: Presenter, canAct: boolean): Html {
  const { id, amount, currency, status, failure, postedBy, request } = order;
  return html`<section>
      <h2>Order <code>${id}</code></h2>
      ${facts({
        status: html`${statusMark(status, failure)} ${canAct && order.stuckSince instanceof Date ? releaseLink(id) : ''}`,
        amount: `${present.money(amount, currency)} ${currency}`,
        from: idLink('wallet', order.sourceWalletId),
        to: idLink('wallet', order.targetWalletId),
        workspace: idLink('workspace', order.workspaceId),
        bizId: html`<code>${order.bizId}</code>`,
        'made by': request === undefined ? 'an operator' : idLink('key', request.keyId),
        worker: postedBy === undefined ? 'none yet' : html`<code>${postedBy.worker}</code>`,
        attempts: postedBy?.attempts ?? order.fault?.attempts ?? 0,
      })}
    </section>
    <section>
      <h2>Its way</h2>
      ${trailTable(steps, order.createdAt)}
      <p class="nothing">${jobs.length > 0 ? html`Jobs: ${jobs.map(jobLink)}` : jobsMissing(areJobsKnown)}</p>
    </section>`;
}

function trailTable(steps: readonly TrailStep[], begunAt: Date): Html {
  return table<TrailStep>({
    id: 'trail',
    columns: {
      time: ({ at }) => time(at),
      after: ({ at }) => `+${duration(Math.max(0, at.getTime() - begunAt.getTime()))}`,
      what: ({ what }) => what,
    },
    rows: steps,
    nothing: 'Nothing is known.',
  });
}

function jobLink({ id, queue }: Trail['jobs'][number]): Html {
  return html`<a href="/queues/queue/${encodeURIComponent(queue)}/${encodeURIComponent(id)}">${id}</a> `;
}

function jobsMissing(areJobsKnown: boolean): string {
  if (!areJobsKnown) return 'Redis does not answer: its jobs are not known.';
  return 'None of its jobs is kept any more: newer ones have pushed them out, or Redis was emptied.';
}
