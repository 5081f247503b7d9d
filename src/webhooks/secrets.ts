import { openSecret } from '../auth/secrets.ts';
import type { MasterKeys } from '../auth/secrets.ts';
import type { WebhookEndpoint } from '../storage/webhook-endpoints.ts';

/**
 * The secrets of an endpoint that are valid at a moment, the newest first: after a rotation two, until the overlap is over.
 * @throws Error one of them cannot be opened, as its master key is not configured; or there is none any more.
 */
export function secretsOf({ id, secrets }: WebhookEndpoint, now: Date, masterKeys: MasterKeys): string[] {
  const valid = secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map((secret) => openSecret(secret, id, masterKeys));
  if (valid.length === 0) throw new Error(`webhook ${id} has no secret; its owner can rotate it`);
  return valid;
}
