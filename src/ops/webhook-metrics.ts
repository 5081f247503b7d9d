import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { ownReasons } from '../storage/webhook-backlog.ts';
import type { DeliveryObserver } from '../webhooks/deliver.ts';
import type { ServiceMetrics } from './metrics.ts';
import type { Recent } from './recent.ts';
import type { Webhooks } from './webhooks.ts';

const sendSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const outcomes = ['delivered', 'failed'] as const;

/** What a worker's sending of webhooks looks like; nothing in it grows with the number of endpoints. */
export function createWebhookObserver(registry: Registry, recent: Recent): DeliveryObserver {
  const registers = [registry];
  const attempts = new Counter({
    name: 'transfers_webhook_attempts_total',
    help: 'Webhooks that were sent, by outcome: delivered, or failed, which is tried again.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const duration = new Histogram({
    name: 'transfers_webhook_attempt_duration_seconds',
    help: 'From the look-up of the name to the end of the answer.',
    buckets: sendSeconds,
    registers,
  });
  const setAside = new Counter({
    name: 'transfers_webhook_events_set_aside_total',
    help: 'Events that were tried for three days in vain, at an endpoint.',
    registers,
  });
  const disabled = new Counter({
    name: 'transfers_webhook_endpoints_disabled_total',
    help: 'Endpoints that were disabled because they failed for a day, or said that they are gone.',
    labelNames: ['reason'] as const,
    registers,
  });
  // From zero on: the first of a label would have nothing before it, and no rate would count it.
  for (const outcome of outcomes) attempts.inc({ outcome }, 0);
  for (const reason of ownReasons) disabled.inc({ reason }, 0);
  return {
    attempted(endpointId, isDelivered, durationMs) {
      attempts.inc({ outcome: isDelivered ? 'delivered' : 'failed' });
      duration.observe(durationMs / 1000);
      for (const name of ['sent', `sent ${endpointId}`] as const) recent.add(name, 1);
      if (isDelivered) for (const name of ['delivered', `delivered ${endpointId}`] as const) recent.add(name, 1);
    },
    setAside() {
      setAside.inc();
    },
    endpointDisabled(reason) {
      disabled.inc({ reason });
    },
  };
}

/** What waits, whichever process is asked; nothing in it grows with the number of endpoints. */
export function setWebhooks(metrics: ServiceMetrics, { worst, rest, failing, disabled, unattendedMs }: Webhooks): void {
  // Others were the worst before.
  for (const gauge of [metrics.webhookWaiting, metrics.webhookOldestAge]) gauge.reset();
  for (const { id, waiting, oldestMs } of [...worst, { ...rest, id: 'other' }]) {
    metrics.webhookWaiting.set({ endpoint: id }, waiting);
    metrics.webhookOldestAge.set({ endpoint: id }, oldestMs / 1000);
  }
  metrics.webhookFailing.set(failing);
  for (const reason of ownReasons) {
    metrics.webhookDisabled.set({ reason }, disabled.filter(({ disabledReason }) => disabledReason === reason).length);
  }
  metrics.webhookUnattended.set(unattendedMs / 1000);
}
