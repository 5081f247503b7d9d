import { Money } from '../../src/domain/money.ts';
import { isExternalWalletId } from '../../src/domain/ids.ts';
import { newOrder, type Order, type OrderValues } from '../../src/orders/order.ts';

/** An order as a create records it, or the administrator's command if a wallet is EXTERNAL. */
export function pendingOrder(values: Omit<OrderValues, 'amount' | 'type'> & { amount: string }): Order {
  const { sourceWalletId, targetWalletId } = values;
  return newOrder({
    ...values,
    type: isExternalWalletId(sourceWalletId)
      ? 'DEPOSIT'
      : isExternalWalletId(targetWalletId)
        ? 'WITHDRAWAL'
        : 'TRANSFER',
    amount: new Money(values.amount),
  });
}
