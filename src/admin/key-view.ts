import type { ApiKey } from '../storage/api-keys.ts';
import type { Printed } from './output.ts';

/** A key as it is shown: never with a secret, sealed or not. */
export function keyToPrinted(key: ApiKey): Printed {
  return {
    apiKey: key.id,
    workspaceId: key.workspaceId,
    owner: key.ownerId,
    scopes: key.scopes,
    status: key.status,
    ipWhitelist: key.ipWhitelist,
    ratePerSecond: key.rate?.perSecond ?? null,
    rateBurst: key.rate?.burst ?? null,
    createdAt: key.createdAt,
    updatedAt: key.updatedAt,
  };
}
