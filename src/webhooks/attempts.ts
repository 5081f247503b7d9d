import pLimit from 'p-limit';
import { openSecret, type MasterKeys } from '../auth/secrets.ts';
import type { WebhookEndpoint } from '../storage/webhooks/endpoints.ts';
import type { DeliveryTools } from './deliver.ts';
import type { Fate } from './endpoint-fate.ts';
import type { Message } from './messages.ts';
import type { SendResult } from './send.ts';
import { signWebhook } from './signature.ts';

/** The most requests to one endpoint at once, so that a slow receiver takes no more of the process. */
const requestsInFlightMax = 16;
/** An endpoint that has more to be sent than fits into this time goes to the end of the queue. */
const sliceMs = 20_000;
/** After this many failures in a row nothing more is tried for a while. */
const streakMax = 8;
const gone = 410;

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

/**
 * The attempts of one run of an endpoint, which is limited in time, and what they say about the endpoint.
 * @throws Error a secret cannot be opened.
 */
export function createAttempts(tools: DeliveryTools, endpoint: WebhookEndpoint, signal: AbortSignal) {
  const secrets = validSecrets(endpoint, tools.masterKeys, tools.clock());
  const startedAt = performance.now();
  let delivered = 0;
  let streak = 0;
  let isGone = false;
  let retryAfterMs = 0;
  /** An endpoint that was failing gets one event first, and more only if that is delivered. */
  const isProbing = (): boolean => endpoint.failures > 0 && delivered === 0;
  const isFailing = (): boolean => isGone || streak >= (isProbing() ? 1 : streakMax);
  const isOver = (): boolean =>
    signal.aborted || isFailing() || retryAfterMs > 0 || performance.now() - startedAt > sliceMs;

  return {
    isProbing,
    isOver,
    limit: pLimit(requestsInFlightMax),

    /** @returns undefined if the message was not sent, because the run is over. */
    async send(message: Message, body: string): Promise<SendResult | undefined> {
      if (isOver()) return undefined;
      const timestamp = Math.floor(tools.clock().getTime() / 1000);
      const headers = {
        'Content-Type': 'application/json',
        'User-Agent': 'signed-wallet-transfers',
        'webhook-id': message.eventId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signWebhook(secrets, message.eventId, timestamp, body),
      };
      const result = await tools.sender.send(endpoint.url, headers, body, signal);
      if (result.error === 'CANCELLED') return undefined;
      const isDelivered = result.error === null;
      tools.observe?.attempted(endpoint.id, isDelivered, result.durationMs);
      if (isDelivered) delivered += 1;
      streak = isDelivered ? 0 : streak + 1;
      // It holds for all requests, also if one that was sent before is taken after it.
      retryAfterMs = Math.max(retryAfterMs, result.retryAfterMs);
      isGone ||= result.status === gone;
      return result;
    },

    fate: (): Fate => ({ delivered, isFailing: isFailing() || (streak > 0 && delivered === 0), isGone, retryAfterMs }),
  };
}
