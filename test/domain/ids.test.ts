import { describe, expect, it } from 'vitest';
import {
  externalWalletId,
  flowId,
  hasIdForm,
  isExternalWalletId,
  leastIdAt,
  newId,
  timeOfId,
} from '../../src/domain/ids.ts';

describe('ids', () => {
  it('increase strictly within a process', () => {
    const ids = Array.from({ length: 1_000 }, () => newId('order'));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('still increase where the clock is set back a little, and follow it where it is set back far', () => {
    const [now, aLittle, far] = [0, 30_000, 3_600_000].map((backMs) => new Date(Date.now() + 7_200_000 - backMs));
    const ids = [newId('order', now), newId('order', aLittle), newId('order', far)];
    expect(ids[1]! > ids[0]!).toBe(true);
    expect(timeOfId('order', ids[2]!)).toEqual(far);
    // What other tests of this process make is of its own time again.
    newId('order', new Date());
  });

  it('are of URL-safe characters and begin with what they name', () => {
    expect(newId('order')).toMatch(/^tr_[0-9A-Z]{26}$/);
    expect(newId('wallet')).toMatch(/^wa_[0-9A-Z]{26}$/);
  });

  it('are told by their form from what is none', () => {
    const id = newId('apiKey');
    expect(hasIdForm('apiKey', id)).toBe(true);
    for (const other of [
      newId('order'),
      id.toLowerCase(),
      id.slice(1),
      `${id}0`,
      `${id}\n`,
      '',
      'ak_',
      `ak_${'U'.repeat(26)}`,
    ])
      expect(hasIdForm('apiKey', other)).toBe(false);
  });

  it('are random in all but their time: nearly every character occurs at every place', () => {
    const places = Array.from({ length: 16 }, () => new Set<string>());
    for (let round = 0; round < 400; round += 1) {
      const before = Date.now();
      while (Date.now() === before);
      const random = newId('order').slice(-places.length);
      places.forEach((seen, place) => seen.add(random.charAt(place)));
    }
    expect(Math.min(...places.map((seen) => seen.size))).toBeGreaterThan(24);
  });

  it('carry their time: a range of times is a range of ids', () => {
    const id = newId('order');
    const time = timeOfId('order', id);
    expect(Math.abs(time.getTime() - Date.now())).toBeLessThan(5_000);
    expect(leastIdAt('order', time) <= id).toBe(true);
    expect(leastIdAt('order', new Date(time.getTime() + 1)) > id).toBe(true);
  });
});

describe('flowId', () => {
  it('orders a wallet’s flows by their sequence', () => {
    expect(flowId('wa_X', 9) < flowId('wa_X', 10)).toBe(true);
    expect(flowId('wa_X', 999_999_999) < flowId('wa_X', 1_000_000_000)).toBe(true);
  });

  it('keeps the flows of a wallet together even where one id begins like another', () => {
    const ids = [flowId('ex_1BTC', 1), flowId('ex_1BTC', 2), flowId('ex_1BTC1', 1), flowId('ex_1BTC1', 2)];
    expect([...ids].sort()).toEqual(ids);
  });
});

describe('EXTERNAL wallets', () => {
  it('are told by their id', () => {
    expect(isExternalWalletId(externalWalletId('ws_1', 'USD'))).toBe(true);
    expect(isExternalWalletId(newId('wallet'))).toBe(false);
  });
});
