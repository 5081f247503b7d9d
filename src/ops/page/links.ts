import { queueNameOf } from '../../queue/queue.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';

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
