import { openSecret } from '../auth/secrets.ts';
import type { MasterKeys } from '../auth/secrets.ts';
import type { WebhookEndpoint } from '../storage/webhook-endpoints.ts';

/**
 * The secrets of an endpoint that are valid at a moment, the newest first: after a rotation two, until the overlap is over.
 * @throws Error one of them cannot be opened: its master key is not configured.
 */
export function secretsOf({ id, secrets }: WebhookEndpoint, now: Date, masterKeys: MasterKeys): string[] {
  return secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map((secret) => openSecret(secret, id, masterKeys));
}
