import { Money } from '../../src/domain/money.ts';
import { newOrder, type Order, type OrderValues } from '../../src/domain/order.ts';

/** An order as a create records it. */
export function pendingOrder(values: Omit<OrderValues, 'amount'> & { amount: string }): Order {
  return newOrder({ ...values, amount: new Money(values.amount) });
}
