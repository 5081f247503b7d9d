import type { Overview } from '../overview.ts';
import type { DisabledStatus, EndpointStatus, Webhooks } from '../webhooks.ts';
import { html, type Html } from './html.ts';
import { idLink, shortId, table } from './parts.ts';
import { count, countTo, duration, time } from './words.ts';

const disabledShownMax = 20;

/** The events that wait, the endpoints where they wait longest, and those that the service disabled lately. */
export function webhookSection({ webhooks, at }: Overview): Html {
  return html`<section id="webhooks">
    <h2>Webhooks</h2>
    ${webhooks === undefined ? html`<p class="nothing">MongoDB does not answer.</p>` : statuses(webhooks, at)}
  </section>`;
}

function statuses(webhooks: Webhooks, at: Date): Html {
  const { worst, rest, sentPerSecond, deliveredPerSecond, isLowerBound } = webhooks;
  const waiting = worst.reduce((sum, endpoint) => sum + endpoint.waiting, rest.waiting);
  const behind = countTo(worst.length + rest.endpoints, isLowerBound);
  const backlog =
    worst.length === 0
      ? 'No event is known to wait'
      : `${countTo(waiting, isLowerBound)} events wait at ${behind} webhooks`;
  const failedPerSecond = sentPerSecond - deliveredPerSecond;
  return html`<p>
      ${backlog}. Delivered ${count(deliveredPerSecond)} a second, failed ${count(failedPerSecond)} a second.
    </p>
    ${worst.length === 0 ? '' : endpointTable(webhooks, at)} ${disabledTable(webhooks)}`;
}

/** The worst endpoints one by one, and all others in one row. */
function endpointTable({ worst, rest, isLowerBound }: Webhooks, at: Date): Html {
  type Row = Pick<EndpointStatus, 'waiting' | 'oldestMs'> & Partial<EndpointStatus>;
  const others = `${countTo(rest.endpoints, isLowerBound)} others`;
  return table<Row>({
    id: 'webhook',
    columns: {
      webhook: ({ id }) => (id === undefined ? others : shortId(id)),
      workspace: ({ workspaceId }) => (workspaceId === undefined ? '' : idLink('workspace', workspaceId)),
      receiver: ({ host = '' }) => host,
      waiting: ({ id, waiting }) => countTo(waiting, id === undefined && isLowerBound),
      oldest: ({ oldestMs }) => duration(oldestMs),
      state: (row) => stateOf(row, at),
    },
    rows: rest.endpoints === 0 ? worst : [...worst, rest],
    key: ({ id }) => id ?? 'others',
  });
}

function stateOf({ failures = 0, failingSince }: Partial<EndpointStatus>, at: Date): Html | string {
  if (failures === 0 || !failingSince) return '';
  return html`<b class="status FAILED">fails</b> for ${duration(at.getTime() - failingSince.getTime())}`;
}

function disabledTable({ disabled, isDisabledLowerBound }: Webhooks): Html | string {
  if (disabled.length === 0) return '';
  return html`<p>${countTo(disabled.length, isDisabledLowerBound)} disabled by the service in the last 24 h:</p>
    ${table<DisabledStatus>({
      id: 'webhook-disabled',
      columns: {
        webhook: ({ id }) => shortId(id),
        workspace: ({ workspaceId }) => idLink('workspace', workspaceId),
        receiver: ({ host }) => host,
        disabled: ({ disabledAt }) => time(disabledAt),
        because: ({ disabledReason }) => (disabledReason === 'GONE' ? 'it answered 410' : 'it failed for a day'),
      },
      rows: disabled.slice(0, disabledShownMax),
      key: ({ id }) => id,
    })}`;
}
