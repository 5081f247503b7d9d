import type { Redis } from 'ioredis';

/**
 * A nonce is remembered this long: a timestamp may lie 60 s ahead of the server's clock and stay valid until 60 s after
 * it. Source: decisions, "Nonce".
 */
const rememberedMs = 125_000;

export interface Nonces {
  /** Records a nonce of a key. Of any number of callers at once exactly one gets true. Throws where Redis is away. */
  spend(keyId: string, nonce: string): Promise<boolean>;
  /** Whether a nonce of a key was spent already; records nothing. Throws where Redis is away. */
  isSpent(keyId: string, nonce: string): Promise<boolean>;
}

/** Nonces in Redis, each scoped to its key; one round trip a call, shared with other calls of the same moment. */
export function createNonces(redis: Redis, prefix: string): Nonces {
  // A key's id has a fixed form without a colon, so no two (key, nonce) pairs share a name.
  const name = (keyId: string, nonce: string): string => `${prefix}:nonce:${keyId}:${nonce}`;
  return {
    spend: async (keyId, nonce) => (await redis.set(name(keyId, nonce), '', 'PX', rememberedMs, 'NX')) === 'OK',
    isSpent: async (keyId, nonce) => (await redis.exists(name(keyId, nonce))) === 1,
  };
}
