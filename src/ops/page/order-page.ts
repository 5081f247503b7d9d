import type { Trail } from '../trail.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { duration, time } from './words.ts';

/** One order, from its acceptance to its end. */
export function orderPage({ order, steps, jobIds, areJobsKnown }: Trail): Html {
  const begunAt = order.createdAt.getTime();
  const rows = steps.map(
    ({ at, what }) =>
      html`<tr>
        <td>${time(at)}</td>
        <td>+${duration(Math.max(0, at.getTime() - begunAt))}</td>
        <td>${what}</td>
      </tr>`,
  );
  return html`<section>
    <h2>Order <code>${order._id}</code></h2>
    <p>
      <b class="status ${order.status}">${order.status}</b> bizId <code>${order.bizId}</code>, workspace
      <code>${order.workspaceId}</code>
    </p>
    <table id="trail">
      <thead>
        <tr>
          <th>time</th>
          <th>after</th>
          <th>what</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
    ${jobIds.length > 0 ? html`<p>Jobs: ${jobIds.map(jobLink)}</p>` : html`<p>${jobsMissing(areJobsKnown)}</p>`}
  </section>`;
}

function jobLink(id: string): Html {
  return html`<a href="/queues/queue/transfers/${id}">${id}</a> `;
}

function jobsMissing(areJobsKnown: boolean): string {
  if (!areJobsKnown) return 'Redis does not answer: its jobs are not known.';
  return 'None of its jobs is kept any more: newer ones have pushed them out, or Redis was emptied.';
}

/** What is said where no order is found. */
export function orderNotFoundPage(id: string): Html {
  return html`<section>
    <h2>No such order</h2>
    <p>
      There is no order with the id <code>${id}</code>. An order's id is its <code>transferId</code> and begins with
      <code>tr_</code>; a <code>bizId</code> is not looked up here.
    </p>
  </section>`;
}
