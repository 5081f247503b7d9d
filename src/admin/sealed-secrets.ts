import type { ApiKey, SealedSecret } from '../storage/keys/api-keys.ts';
import type { Collections } from '../storage/collections.ts';
import { CommandError } from './failures.ts';

/** Anything with secrets that master keys seal: an API key, a webhook. */
export type Sealed = Pick<ApiKey, 'id' | 'workspaceId' | 'secrets' | 'updatedAt'>;

interface SecretStore {
  list(): Promise<readonly Sealed[]>;
  find(one: Sealed): Promise<Sealed | undefined>;
  change(one: Sealed, secrets: readonly SealedSecret[]): Promise<Sealed | undefined>;
}

type Change = (one: Sealed) => readonly SealedSecret[] | undefined;

/** How often a key or webhook is read again that someone else keeps changing. */
const attemptsMax = 5;

/** The stores of everything that has secrets. */
export function secretStores({ apiKeys, webhookEndpoints }: Collections) {
  const keys: SecretStore = {
    list: () => apiKeys.list(),
    find: ({ id }) => apiKeys.find(id),
    change: ({ id, updatedAt }, secrets) => apiKeys.change(id, { secrets }, updatedAt),
  };
  const webhooks: SecretStore = {
    list: () => webhookEndpoints.list(),
    find: ({ workspaceId, id }) => webhookEndpoints.find(workspaceId, id),
    change: (one, secrets) => webhookEndpoints.change(one, { secrets }, one.updatedAt),
  };
  return { keys, webhooks };
}

/**
 * @param change returns the new secrets of one, given what it has; undefined if they stay.
 * @returns those that were changed, as they are now.
 * @throws CommandError somebody else keeps changing one of them; what is done stays done.
 */
export async function changeSecrets(store: SecretStore, change: Change): Promise<Sealed[]> {
  const changed: Sealed[] = [];
  for (const one of await store.list()) changed.push(...(await changeSecretsOf(store, one, change)));
  return changed;
}

async function changeSecretsOf(store: SecretStore, found: Sealed, change: Change): Promise<Sealed[]> {
  let one: Sealed | undefined = found;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const secrets = one === undefined ? undefined : change(one);
    if (one === undefined || secrets === undefined) return [];
    const changed = await store.change(one, secrets);
    if (changed !== undefined) return [changed];
    one = await store.find(one);
  }
  throw new CommandError(`${found.id} is being changed by someone else; run this again, what is done stays done`);
}
