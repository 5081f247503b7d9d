import { Money } from '../../src/domain/money.ts';
import { newOrder } from '../../src/domain/order.ts';
import type { Order, OrderValues } from '../../src/domain/order.ts';

/** An order as a create records it. */
export function pendingOrder(values: Omit<OrderValues, 'amount'> & { amount: string }): Order {
  return newOrder({ ...values, amount: new Money(values.amount) });
}
