import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FuzzRequest } from './build.ts';
import { createDrafts } from './drafts/all.ts';
import { kinds } from './drafts/draft.ts';
import { buildExchange, deliveries, planExchanges } from './plan.ts';
import type { Rights, World } from './world.ts';

const rights: Rights[] = ['everything', 'reading', 'nothing', 'nothing'];
const world: World = {
  keys: rights.map((each, index) => ({ apiKey: `ak_${index}`, apiSecret: `secret ${index}`, rights: each })),
  wallets: ['wa_1', 'wa_2', 'wa_3'],
  refusedWallets: ['wa_4', 'ex_1'],
  orders: ['tr_1'],
  runId: 'run',
};
const requests = 3_000;

/** Every request of a seed, and the bodies of the creates that may be made, by nonce. */
function requestsOf(seed: number) {
  const drafts = createDrafts(world);
  const signed = new Map<string, string>();
  const context = { world, onSignedCreate: (nonce: string, body: Buffer) => signed.set(nonce, body.toString()) };
  const built = [...planExchanges(seed, requests)].flatMap((each) => buildExchange(each, drafts, context));
  return { all: built.flat(), connections: built, signed };
}

beforeAll(() => vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date'] }));
afterAll(() => vi.useRealTimers());

describe('the requests of a seed', () => {
  it('are the same each time, and others for another seed', () => {
    const bytesOf = ({ all }: { all: FuzzRequest[] }) => all.map(({ bytes }) => bytes.toString('latin1'));
    const [first, again, other] = [requestsOf(1), requestsOf(1), requestsOf(2)].map(bytesOf);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('are numbered without a gap, of every kind, and sent in every way', () => {
    const { all } = requestsOf(3);
    expect(all.map(({ number }) => number)).toEqual(Array.from({ length: requests }, (_, index) => index));
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set([...kinds, 'repeated']));
    const ways = [...planExchanges(3, 100_000)].map(({ delivery }) => delivery);
    expect(new Set(ways)).toEqual(new Set(deliveries));
  });

  it('share a connection only up to the first that may be taken for more or less than one', () => {
    const { connections } = requestsOf(4);
    for (const each of connections) expect(each.slice(0, -1).every(({ isFramed }) => isFramed)).toBe(true);
    expect(Math.max(...connections.map(({ length }) => length))).toBeGreaterThan(3);
  });

  it('are rightly signed in part, and what may be made is what was signed', () => {
    const { all, signed } = requestsOf(5);
    const share = (kind: FuzzRequest['kind']): number => {
      const same = all.filter((request) => request.kind === kind);
      return same.filter(({ isRight }) => isRight()).length / same.length;
    };
    expect(share('valid')).toBe(1);
    expect(share('signing')).toBeLessThan(0.2);
    expect(share('mutated')).toBeGreaterThan(0.1);
    expect(share('mutated')).toBeLessThan(0.6);
    const creates = all.filter(({ kind, bytes }) => kind === 'valid' && bytes.toString().startsWith('POST'));
    for (const { nonce, bytes } of creates)
      expect(bytes.toString()).toMatch(signed.get(nonce) ?? 'a body that was signed');
  });
});
