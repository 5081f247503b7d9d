import { countTo } from '../page/words.ts';
import { earliest, ofKnown, type Problem } from './problem.ts';

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
  page: {
    seen: ofKnown('webhooks', ({ unattendedMs }, { at }) =>
      unattendedMs > oldSeconds * 1_000 ? { since: new Date(at.getTime() - unattendedMs) } : undefined,
    ),
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
    seen: ofKnown('webhooks', ({ disabled, isDisabledLowerBound }) => {
      const since = earliest(disabled.map(({ disabledAt }) => disabledAt));
      return since && { figure: countTo(disabled.length, isDisabledLowerBound), since };
    }),
  },
};
