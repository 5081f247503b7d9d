import type { Overview } from '../overview.ts';
import { countTo } from '../page/words.ts';
import { earliest, type Problem } from './problem.ts';

/** A worker comes to each webhook once a minute, and within 12 minutes where its receiver fails. */
const oldSeconds = 900;

export const webhooksBehind: Problem = {
  name: 'WebhooksBehind',
  severity: 'page',
  what: 'No worker has come to a webhook',
  follows: 'Events wait there and are not lost; orders are posted all the same.',
  toDo: 'See that workers are alive and have the MASTER_KEYS of the web processes; then add workers.',
  alert: {
    expr: `max(transfers_webhook_unattended_seconds) > ${oldSeconds}`,
    for: '15s',
    figure: 'for {{ $value | humanizeDuration }}',
  },
  page: { seen: ({ at, webhooks }) => longAgo(at, webhooks?.unattendedMs) },
};

export const receiverFails: Problem = {
  name: 'ReceiverFails',
  severity: 'ticket',
  what: 'An event has waited for its receiver',
  follows: 'It is tried again for three days; the other webhooks are not delayed.',
  toDo: 'Tell the owner of the workspace that the page names.',
  alert: { never: 'it is for the owner of the receiver to mend, and an operator can do nothing' },
  page: {
    seen: ({ at, webhooks }) =>
      longAgo(at, webhooks?.unattendedMs) === undefined ? longAgo(at, webhooks?.worst[0]?.oldestMs) : undefined,
  },
};

export const webhookEndpointDisabled: Problem = {
  name: 'WebhookEndpointDisabled',
  severity: 'ticket',
  what: 'Webhooks were disabled by the service in the last 24 h',
  follows: 'Their receivers failed for a day, or said that they are gone; nothing is sent to them any more.',
  toDo: 'Tell the owners of the workspaces; once a receiver is right again, enable its webhook and replay.',
  alert: { expr: 'sum(max by (reason) (transfers_webhook_disabled_endpoints)) > 0', figure: '{{ $value }}' },
  page: {
    seen({ webhooks }) {
      const { disabled = [], isDisabledLowerBound = false } = webhooks ?? {};
      const since = earliest(disabled.map(({ disabledAt }) => disabledAt));
      return since && { figure: countTo(disabled.length, isDisabledLowerBound), since };
    },
  },
};

/** Undefined unless it is long. */
function longAgo(at: Overview['at'], ms = 0) {
  return ms > oldSeconds * 1_000 ? { since: new Date(at.getTime() - ms) } : undefined;
}
