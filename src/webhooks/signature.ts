import { createHmac, randomBytes } from 'node:crypto';

const secretPrefix = 'whsec_';
const secretBytes = 32;

/** A new secret of an endpoint: shown once, when it is made. Source: Standard Webhooks, "Signature scheme". */
export function newWebhookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}

/**
 * The `webhook-signature` of a message: one signature a secret, so that a receiver that has either verifies it.
 * @param timestamp Unix time in seconds, of this attempt. Source: Standard Webhooks, "Webhook headers".
 */
export function signWebhook(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  };
  return secrets.map(sign).join(' ');
}
