import { eventIdOf } from '../domain/webhook.ts';
import type { Collections } from '../storage/collections.ts';
import type { TrailOrder } from '../storage/orders/documents.ts';
import { operatorMaxMs } from '../storage/shared/commands.ts';

type Related = Awaited<ReturnType<typeof findRelated>>;
/** What became of an order's event at a webhook that was to be told. */
export type OrderDelivery = Related['deliveries'][number];

/**
 * What an order's page shows beside it: its wallets, the orders that refer to it, and what its webhooks were told. Three
 * commands at once, and one after them if the workspace has webhooks. @throws if MongoDB is away.
 */
export async function findRelated(
  { id, workspaceId, sourceWalletId, targetWalletId }: TrailOrder,
  {
    orderSearch,
    wallets,
    webhookDeliveries,
    webhookEndpoints,
  }: Pick<Collections, 'orderSearch' | 'wallets' | 'webhookDeliveries' | 'webhookEndpoints'>,
) {
  const [named, children, endpoints] = await Promise.all([
    wallets.findByIds([sourceWalletId, targetWalletId], [workspaceId]),
    orderSearch.page({ workspaceId, parentId: id }),
    webhookEndpoints.list(workspaceId, { maxTimeMS: operatorMaxMs }),
  ]);
  const hosts = new Map(endpoints.map((endpoint) => [endpoint.id, URL.parse(endpoint.url)?.host ?? '']));
  const deliveries =
    hosts.size === 0 ? [] : await webhookDeliveries.ofEvent(workspaceId, [...hosts.keys()], eventIdOf(id));
  return {
    /** Names of its wallets, by their ids. */
    names: new Map([...named.values()].map((wallet) => [wallet.id, wallet.name])),
    children,
    deliveries: deliveries.map((delivery) => ({ ...delivery, host: hosts.get(delivery.endpointId) ?? '' })),
  };
}
