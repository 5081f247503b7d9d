import { queueNameOf } from '../../queue/queue.ts';
import { html, type Html } from './html.ts';

/** A link to the page of what an id names. */
export function idLink(kind: 'order' | 'wallet' | 'workspace' | 'key', id: string): Html {
  return html`<a href="/${kind}?id=${encodeURIComponent(id)}"><code>${id}</code></a>`;
}

/** A link to a partition's queue in the queue dashboard. */
export function queueLink(partition: number, text = String(partition)): Html {
  return html`<a href="/queues/queue/${encodeURIComponent(queueNameOf(partition))}">${text}</a>`;
}

/** A link to an entry of the runbook. */
export function runbookLink(anchor: string): Html {
  return html`<a href="/docs/operations.md#${anchor}">Runbook</a>`;
}

/** A link to the page that asks whether to release an order. */
export function releaseLink(id: string): Html {
  return html`<a href="/release?id=${encodeURIComponent(id)}">release</a>`;
}

export function releaseAllLink(fault?: string): Html {
  return fault === undefined
    ? html`<a href="/release-all">Release all</a>`
    : html`<a href="/release-all?fault=${encodeURIComponent(fault)}">all with this reason</a>`;
}

/** A link to the page that asks whether to pause or resume a partition. */
export function pauseLink(partition: number, isPaused: boolean): Html {
  const verb = isPaused ? 'resume' : 'pause';
  return html`<a href="/${verb}?partition=${partition}">${verb}</a>`;
}
