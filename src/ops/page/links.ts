import { queueNameOf } from '../../queue/queue.ts';
import { html, type Html } from './html.ts';

/** To the page of what an id names. */
export function idLink(kind: 'order' | 'wallet' | 'workspace' | 'key', id: string): Html {
  return html`<a href="/${kind}?id=${encodeURIComponent(id)}"><code>${id}</code></a>`;
}

/** To a partition's queue in the queue dashboard. */
export function queueLink(partition: number, text = String(partition)): Html {
  return html`<a href="/queues/queue/${encodeURIComponent(queueNameOf(partition))}">${text}</a>`;
}

/** To an entry of the runbook. */
export function runbookLink(anchor: string): Html {
  return html`<a href="/docs/operations.md#${anchor}">Runbook</a>`;
}

/** To what asks whether to release one order, all that were set aside for one reason, or all. */
export function releaseLink(id: string): Html {
  return html`<a href="/release?id=${encodeURIComponent(id)}">release</a>`;
}

export function releaseAllLink(fault?: string): Html {
  return fault === undefined
    ? html`<a href="/release-all">Release all</a>`
    : html`<a href="/release-all?fault=${encodeURIComponent(fault)}">all with this reason</a>`;
}

/** To what asks whether to pause a partition, or to resume it. */
export function pauseLink(partition: number, isPaused: boolean): Html {
  const verb = isPaused ? 'resume' : 'pause';
  return html`<a href="/${verb}?partition=${partition}">${verb}</a>`;
}
