import type { ApiKey, SealedSecret } from '../storage/api-keys.ts';
import type { Collections } from '../storage/collections.ts';
import type { WebhookEndpoint } from '../storage/webhook-endpoints.ts';
import { CommandError } from './failures.ts';

/** Whatever has secrets that master keys seal: an API key, a webhook. */
export type SecretHolder = Pick<ApiKey, 'id' | 'workspaceId' | 'secrets' | 'updatedAt'>;

type Change = (holder: SecretHolder) => readonly SealedSecret[] | undefined;

/** How often one that someone else changes meanwhile is read again. */
const attemptsMax = 5;

/** Everything that has secrets. */
export function secretStores({ apiKeys, webhookEndpoints }: Collections) {
  return {
    keys: {
      list: (): Promise<readonly SecretHolder[]> => apiKeys.list(),
      find: ({ id }: SecretHolder): Promise<ApiKey | undefined> => apiKeys.find(id),
      change: ({ id, updatedAt }: SecretHolder, secrets: readonly SealedSecret[]): Promise<ApiKey | undefined> =>
        apiKeys.change(id, { secrets }, updatedAt),
    },
    webhooks: {
      list: (): Promise<readonly SecretHolder[]> => webhookEndpoints.list(),
      find: ({ workspaceId, id }: SecretHolder): Promise<WebhookEndpoint | undefined> =>
        webhookEndpoints.find(workspaceId, id),
      change: (holder: SecretHolder, secrets: readonly SealedSecret[]): Promise<WebhookEndpoint | undefined> =>
        webhookEndpoints.change(holder, { secrets }, holder.updatedAt),
    },
  };
}

type SecretStore = ReturnType<typeof secretStores>['keys' | 'webhooks'];

/**
 * @param change the secrets that one has from now on, worked out from what it has; undefined where they stay.
 * @returns those that were changed, as they are now.
 * @throws CommandError somebody else keeps changing one of them; what is done stays done.
 */
export async function changeSecrets(store: SecretStore, change: Change): Promise<SecretHolder[]> {
  const changed: SecretHolder[] = [];
  for (const holder of await store.list()) changed.push(...(await changeSecretsOf(store, holder, change)));
  return changed;
}

async function changeSecretsOf(store: SecretStore, found: SecretHolder, change: Change): Promise<SecretHolder[]> {
  let holder: SecretHolder | undefined = found;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const secrets = holder === undefined ? undefined : change(holder);
    if (holder === undefined || secrets === undefined) return [];
    const changed = await store.change(holder, secrets);
    if (changed !== undefined) return [changed];
    holder = await store.find(holder);
  }
  throw new CommandError(`${found.id} is being changed by someone else; run this again, what is done stays done`);
}
