import pLimit from 'p-limit';
import { openSecret, type MasterKeys } from '../auth/secrets.ts';
import type { Clock } from '../clock.ts';
import type { Delivery } from '../storage/webhooks/deliveries.ts';
import type { WebhookEndpoint } from '../storage/webhooks/endpoints.ts';
import { afterAttempt } from './delivery.ts';
import type { WebhookSender } from './send.ts';
import { signWebhook } from './signature.ts';

/** The most requests to one endpoint at once, so that a slow receiver takes no more of the process. */
const requestsInFlightMax = 16;
/** An endpoint that has more to be sent than fits into this time goes to the end of the queue. */
const sliceMs = 20_000;
/** After this many failures in a row nothing more is tried for a while. */
const streakMax = 8;
const gone = 410;

/** Hears what delivery does, for the operator. */
export interface DeliveryObserver {
  attempted(isDelivered: boolean): void;
  setAside(): void;
}

/** What the attempts of a run say about an endpoint. */
export interface AttemptsResult {
  readonly delivered: number;
  readonly isFailing: boolean;
  /** Its receiver answered 410: gone for good. */
  readonly isGone: boolean;
  /** How long it asks not to be sent anything; 0 if it does not. */
  readonly retryAfterMs: number;
}

/** The attempts of one run of an endpoint, which is limited in time. */
export interface Attempts {
  /** An endpoint that was failing gets one event first, and more only if that is delivered. */
  isProbing(): boolean;
  isOver(): boolean;
  /** @returns the delivery after the attempt; undefined if none was made, because the run is over. */
  send(delivery: Delivery, body: string): Promise<Delivery | undefined>;
  result(): AttemptsResult;
}

/** @throws Error a secret cannot be opened. */
export type StartAttempts = (endpoint: WebhookEndpoint, signal: AbortSignal) => Attempts;

/** Makes attempts, signed with the secrets of their endpoint. */
export function createAttempts(
  sender: Pick<WebhookSender, 'send'>,
  masterKeys: MasterKeys,
  clock: Clock,
  observe: Pick<DeliveryObserver, 'attempted' | 'setAside'>,
): StartAttempts {
  return (endpoint, signal) => {
    const secrets = validSecrets(endpoint, masterKeys, clock());
    const startedAt = performance.now();
    const limit = pLimit(requestsInFlightMax);
    let delivered = 0;
    let streak = 0;
    let isGone = false;
    let retryAfterMs = 0;
    const isProbing = (): boolean => endpoint.failures > 0 && delivered === 0;
    const isFailing = (): boolean => isGone || streak >= (isProbing() ? 1 : streakMax);
    const isOver = (): boolean =>
      signal.aborted || isFailing() || retryAfterMs > 0 || performance.now() - startedAt > sliceMs;

    async function send(delivery: Delivery, body: string): Promise<Delivery | undefined> {
      if (isOver()) return undefined;
      const { eventId } = delivery;
      const timestamp = Math.floor(clock().getTime() / 1000);
      const headers = {
        'Content-Type': 'application/json',
        'User-Agent': 'signed-wallet-transfers',
        'webhook-id': eventId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signWebhook(secrets, eventId, timestamp, body),
      };
      const result = await sender.send(endpoint.url, headers, body, signal);
      if (result.error === 'CANCELLED') return undefined;
      const isDelivered = result.error === null;
      observe.attempted(isDelivered);
      if (isDelivered) delivered += 1;
      streak = isDelivered ? 0 : streak + 1;
      // It holds for all requests, also if one that was sent before is taken after it.
      retryAfterMs = Math.max(retryAfterMs, result.retryAfterMs);
      isGone ||= result.status === gone;
      const after = afterAttempt(delivery, result, clock());
      if (after.state === 'SET_ASIDE') observe.setAside();
      return after;
    }

    return {
      isProbing,
      isOver,
      send: (delivery, body) => limit(send, delivery, body),
      result: () => ({
        delivered,
        isFailing: isFailing() || (streak > 0 && delivered === 0),
        isGone,
        retryAfterMs,
      }),
    };
  };
}

/**
 * The secrets of an endpoint that are valid now, the newest first. After a rotation there are two, until the overlap ends.
 * @throws Error one of them cannot be opened, because its master key is not configured; or there is none.
 */
function validSecrets({ id, secrets }: WebhookEndpoint, masterKeys: MasterKeys, now: Date): string[] {
  const valid = secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map((secret) => openSecret(secret, id, masterKeys));
  if (valid.length === 0) throw new Error(`webhook ${id} has no secret; its owner can rotate it`);
  return valid;
}
