import type { Db } from 'mongodb';
import { toDocument, type OrderDocument } from '../../src/storage/orders/documents.ts';
import { isExternalWalletId } from '../../src/domain/ids.ts';
import { newOrder, type Order, type OrderValues } from '../../src/orders/order.ts';

/**
 * Stores a hold that expired a minute ago, as if it had been posted: nothing is reserved for it, so an order has to wait
 * that refers to it. @returns its id.
 */
export async function insertExpiredHold(db: Db, values: Omit<OrderValues, 'amount' | 'type'>): Promise<string> {
  const expiresAt = new Date(Date.now() - 60_000);
  const order = newOrder({ ...values, type: 'HOLD', amount: '1', expiresAt });
  const completed = { ...toDocument(order), status: 'COMPLETED' as const, completedAt: order.createdAt };
  await db.collection<OrderDocument>('orders').insertOne(completed);
  return order.id;
}

/** An order as a create records it, or the administrator's command if a wallet is EXTERNAL. */
export function pendingOrder(values: Omit<OrderValues, 'amount' | 'type'> & { amount: string }): Order {
  const { sourceWalletId = '', targetWalletId = '' } = values;
  return newOrder({
    ...values,
    type: isExternalWalletId(sourceWalletId)
      ? 'DEPOSIT'
      : isExternalWalletId(targetWalletId)
        ? 'WITHDRAWAL'
        : 'TRANSFER',
    amount: values.amount,
  });
}

/**
 * Stores a SCHEDULED order whose time has come, and that cannot be started, because its document is at fault.
 * @returns its id.
 */
export async function insertFaultyScheduled(db: Db, values: Omit<OrderValues, 'amount' | 'type'>): Promise<string> {
  const executeAt = new Date(Date.now() - 60_000);
  const order = newOrder({ ...values, type: 'TRANSFER', amount: '1', executeAt });
  const faulty = { ...toDocument(order), reference: 1 as unknown as string };
  await db.collection<OrderDocument>('orders').insertOne(faulty, { bypassDocumentValidation: true });
  return order.id;
}
