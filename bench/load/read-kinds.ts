import { flowId, sequenceMax } from '../../src/domain/ids.ts';
import { encodeCursor, type Cursor } from '../../src/http/lists/cursor.ts';
import type { RequestParts } from './requests.ts';

/** What there is to be read: of each, any one. */
export interface Readable {
  readonly workspaceId: string;
  readonly anyOrderId: () => string;
  readonly anyWalletId: () => string;
}

type Target = Pick<RequestParts, 'path' | 'query'>;

const ordersPath = '/api/v1/transfer/query/orders';
const pageSize = 20;

/** Each kind of read by itself. Of lists the first page, with its total, and one further down, by cursor. */
export const readKinds = {
  order: ({ anyOrderId }: Readable): Target => ({ path: `${ordersPath}/${anyOrderId()}` }),
  completed: ({ anyOrderId }: Readable): Target => ({ path: `${ordersPath}/${anyOrderId()}/completed` }),
  balance: ({ anyWalletId }: Readable): Target => ({ path: `/api/v1/wallets/${anyWalletId()}/balance` }),
  "wallet's orders": ({ anyWalletId }: Readable): Target => ({ path: `${ordersPath}/wallet/${anyWalletId()}` }),
  "wallet's orders, by cursor": ({ anyWalletId, anyOrderId }: Readable): Target => {
    const id = anyWalletId();
    return byCursor(`${ordersPath}/wallet/${id}`, { list: `wallet-orders ${id}`, below: anyOrderId() });
  },
  "workspace's orders": (): Target => ({ path: ordersPath }),
  "workspace's orders, by cursor": ({ workspaceId, anyOrderId }: Readable): Target =>
    byCursor(ordersPath, { list: `orders ${workspaceId}`, below: anyOrderId() }),
  flows: ({ anyWalletId }: Readable): Target => ({ path: `/api/v1/wallets/${anyWalletId()}/flows` }),
  'flows, by cursor': ({ anyWalletId }: Readable): Target => {
    const id = anyWalletId();
    return byCursor(`/api/v1/wallets/${id}/flows`, { list: `flows ${id}`, below: flowId(id, sequenceMax) });
  },
  wallets: (): Target => ({ path: '/api/v1/wallets' }),
  'wallets, by cursor': ({ workspaceId, anyWalletId }: Readable): Target =>
    byCursor('/api/v1/wallets', { list: `wallets ${workspaceId}`, below: anyWalletId() }),
} as const;

export type ReadKind = keyof typeof readKinds;

/** What clients look at, by turns. */
export const mixedReads: readonly ReadKind[] = ['order', 'completed', 'balance', "wallet's orders"];

export function isList(kind: ReadKind): boolean {
  return kind !== 'order' && kind !== 'completed' && kind !== 'balance';
}

function byCursor(path: string, { list, below }: Pick<Cursor, 'list' | 'below'>): Target {
  const cursor = encodeCursor({ list, below, total: pageSize, size: pageSize, filters: {} });
  return { path, query: `?cursor=${cursor}` };
}
