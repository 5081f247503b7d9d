import { describe, expect, it } from 'vitest';
import { timeOfId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import { newOrder } from '../../src/orders/order.ts';

const sides = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2' };
const values = { type: 'TRANSFER' as const, workspaceId: 'ws_1', ...sides, amount: new Money('1.10'), currency: 'USD' };

describe('a new order', () => {
  it('is PENDING, of what was asked for, and begins when its id says', () => {
    const order = newOrder({ ...values, bizId: 'invoice-42' });
    const at = timeOfId('order', order.id);
    expect(order).toEqual({
      ...{ ...values, id: order.id, bizId: 'invoice-42', status: 'PENDING', failure: null },
      ...{ createdAt: at, updatedAt: at, completedAt: null },
    });
  });

  it('has its id for a bizId where none is given, and what else is told of it', () => {
    const request = { keyId: 'ak_1', timestamp: 1_767_225_600, nonce: 'n' };
    const [order, next] = [newOrder({ ...values, request }), newOrder(values)];
    expect(order).toMatchObject({ bizId: order.id, request });
    expect(next.id).not.toBe(order.id);
  });
});
