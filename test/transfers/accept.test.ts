import { pino } from 'pino';
import { TimeoutError } from 'p-timeout';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Money } from '../../src/domain/money.ts';
import type { Collections } from '../../src/storage/collections.ts';
import type { RecordedOrder } from '../../src/storage/orders.ts';
import type { WalletSide } from '../../src/storage/wallets.ts';
import { createAcceptor } from '../../src/transfers/accept.ts';
import type { Acceptor } from '../../src/transfers/accept.ts';
import { waitFor } from '../support/wait-for.ts';

const side: WalletSide = { workspaceId: 'ws', kind: 'STANDARD', status: 'ACTIVE', currency: 'EUR' };
const transfer = {
  workspaceId: 'ws',
  sourceWalletId: 'a',
  targetWalletId: 'b',
  amount: new Money('1'),
  currency: 'EUR',
};

let aheadMs: number;
let timeLeftMs: number;
let recorded: RecordedOrder[][];
let record: (group: readonly RecordedOrder[]) => Promise<boolean[]>;
let lookUp: () => void;
let acceptor: Acceptor;

beforeEach(() => {
  aheadMs = 0;
  timeLeftMs = 14_000;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  recorded = [];
  record = (group) => Promise.resolve(group.map(() => true));
  lookUp = () => undefined;
  const collections = {
    wallets: {
      findSides: (ids: readonly string[]) => {
        lookUp();
        return Promise.resolve(new Map(ids.map((id) => [id, side])));
      },
    },
    orders: {
      insertGroup: (group: RecordedOrder[]) => {
        recorded.push(group);
        return record(group);
      },
    },
  } as unknown as Collections;
  acceptor = createAcceptor({
    collections,
    queue: { enqueue: () => Promise.resolve() } as unknown as Parameters<typeof createAcceptor>[0]['queue'],
    log: pino({ level: 'silent' }),
    checkPressure: () => undefined,
    mayUseExternal: false,
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a create that its client no longer waits for', () => {
  test('is not recorded where its look-ups took too long', async () => {
    lookUp = () => (timeLeftMs = 4_500);
    await expect(acceptor.accept(transfer, () => timeLeftMs)).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
    expect(recorded).toEqual([]);
  });

  test('is not recorded where it waited too long for its turn; those that were sent are', async () => {
    const sent = Promise.withResolvers<undefined>();
    record = (group) => sent.promise.then(() => group.map(() => true));
    const first = acceptor.accept(transfer);
    await waitFor(() => recorded.length === 1);
    const second = acceptor.accept(transfer);
    await waitFor(() => recorded.length === 2);
    const third = acceptor.accept(transfer);
    const refused = expect(third).rejects.toThrow(TimeoutError);
    await new Promise(setImmediate);
    aheadMs = 4_500;
    sent.resolve(undefined);
    await refused;
    expect((await Promise.all([first, second])).map(({ isReplay }) => isReplay)).toEqual([false, false]);
    expect(recorded).toHaveLength(2);
  });

  test('is recorded where it was a little late', async () => {
    lookUp = () => (timeLeftMs = 5_500);
    const { order } = await acceptor.accept(transfer, () => timeLeftMs);
    expect(recorded).toEqual([[order]]);
  });
});
