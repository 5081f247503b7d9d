import { newId, timeOfId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import type { RecordedOrder } from '../../src/storage/orders.ts';

/** An order as a create records it. */
export function pendingOrder(
  values: Pick<RecordedOrder, 'workspaceId' | 'sourceWalletId' | 'targetWalletId' | 'currency'> & { amount: string },
): RecordedOrder {
  const id = newId('order');
  const createdAt = timeOfId('order', id);
  return {
    ...values,
    ...{ id, bizId: id, amount: new Money(values.amount), status: 'PENDING', failure: null },
    ...{ createdAt, updatedAt: createdAt, completedAt: null },
  };
}
