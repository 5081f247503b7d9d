import { describe, expect, it } from 'vitest';
import { timeOfId } from '../../src/domain/ids.ts';
import { refuseTime } from '../../src/orders/body.ts';
import { newOrder } from '../../src/orders/order.ts';

const sides = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2' };
const values = { type: 'TRANSFER' as const, workspaceId: 'ws_1', ...sides, amount: '1.10', currency: 'USD' };

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

describe('a time that has to lie ahead', () => {
  const now = new Date('2026-01-01T00:00:00.000Z');
  const after = (ms: number) => new Date(now.getTime() + ms);

  it.each([1, 1_000])('is taken %s ms ahead of now, up to the furthest moment', (ms) => {
    expect(refuseTime('executeAt', after(ms), now, 1_000)).toBeUndefined();
  });

  it.each([-1, 0])('is refused %s ms ahead of now, and the answer says what time it is', (ms) => {
    expect(refuseTime('executeAt', after(ms), now, 1_000)).toEqual({
      ...{ reason: 'TIME_NOT_AHEAD', field: 'executeAt', value: now.toISOString() },
    });
  });

  it('is refused beyond the furthest moment, which the answer names', () => {
    expect(refuseTime('executeAt', after(1_001), now, 1_000)).toEqual({
      reason: 'FIELD_OUT_OF_RANGE',
      field: 'executeAt',
      value: after(1_000).toISOString(),
    });
  });
});
