import pLimit from 'p-limit';
import { openSecret, type MasterKeys } from '../auth/secrets.ts';
import type { WebhookEndpoint } from '../storage/webhook-endpoints.ts';
import type { DeliveryTools } from './deliver.ts';
import type { Fate } from './endpoint-fate.ts';
import type { Message } from './messages.ts';
import type { SendResult } from './send.ts';
import { signWebhook } from './signature.ts';

/** Requests to one endpoint at once: a slow one takes no more of the process than that. */
const requestsInFlightMax = 16;
/** An endpoint that has more to be sent than this time allows goes to the end of the queue. */
const sliceMs = 20_000;
/** Failures in a row after which nothing more is tried for a while. */
const streakMax = 8;
const gone = 410;

/**
 * The secrets of an endpoint that are valid now, the newest first: after a rotation two, until the overlap is over.
 * @throws Error one of them cannot be opened, as its master key is not configured; or there is none any more.
 */
function validSecrets({ id, secrets }: WebhookEndpoint, masterKeys: MasterKeys): string[] {
  const now = new Date();
  const valid = secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map((secret) => openSecret(secret, id, masterKeys));
  if (valid.length === 0) throw new Error(`webhook ${id} has no secret; its owner can rotate it`);
  return valid;
}

/**
 * The attempts of one slice of an endpoint's time, and what they say of it.
 * @throws Error a secret cannot be opened.
 */
export function createAttempts(tools: DeliveryTools, endpoint: WebhookEndpoint, signal: AbortSignal) {
  const secrets = validSecrets(endpoint, tools.masterKeys);
  const startedAt = performance.now();
  let delivered = 0;
  let streak = 0;
  let isGone = false;
  /** One that has failed is asked with one event before it gets more. */
  const isProbing = (): boolean => endpoint.failures > 0 && delivered === 0;
  const isFailing = (): boolean => isGone || streak >= (isProbing() ? 1 : streakMax);
  const isOver = (): boolean => signal.aborted || isFailing() || performance.now() - startedAt > sliceMs;

  return {
    isProbing,
    isOver,
    limit: pLimit(requestsInFlightMax),

    /** @returns undefined where the message was not sent, because the slice is over. */
    async send(message: Message, body: string): Promise<SendResult | undefined> {
      if (isOver()) return undefined;
      const timestamp = Math.floor(Date.now() / 1000);
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
      isGone ||= result.status === gone;
      return result;
    },

    fate: (): Fate => ({ delivered, isFailing: isFailing() || (streak > 0 && delivered === 0), isGone }),
  };
}
