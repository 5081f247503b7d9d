import { MongoNetworkError } from 'mongodb';
import { pino } from 'pino';
import { TimeoutError } from 'p-timeout';
import { beforeEach, describe, expect, test } from 'vitest';
import { systemClockOf } from '../../src/clock.ts';
import { externalWalletId } from '../../src/domain/ids.ts';
import { ServiceError } from '../../src/errors.ts';
import { newOrder, type Order } from '../../src/orders/order.ts';
import { attemptMinMs, createThroughFailover } from '../../src/waiting/failover.ts';
import { isTransientFault, IndeterminateError } from '../../src/storage/shared/transaction.ts';
import type { OrderReference } from '../../src/storage/orders/orders.ts';
import type { WalletReference, TransferWallet } from '../../src/storage/wallets/wallets.ts';
import { createCurrencies } from '../../src/domain/currency.ts';
import { createAcceptor, type Acceptor } from '../../src/accepting/accept.ts';
import { createOrderEnqueuer } from '../../src/accepting/order-enqueuer.ts';
import type { WaitingFrom } from '../../src/queue/posting-queue.ts';
import { createRecorder } from '../../src/accepting/record.ts';
import { createWalletCheck } from '../../src/accepting/wallet-check.ts';
import { waitFor } from '../support/wait-for.ts';

const side: TransferWallet = { workspaceId: 'ws', kind: 'STANDARD', status: 'ACTIVE', currency: 'EUR' };
const transfer = {
  type: 'TRANSFER',
  workspaceId: 'ws',
  sourceWalletId: 'a',
  targetWalletId: 'b',
  amount: '1',
  currency: 'EUR',
};
/** An order of it. */
const made = { ...transfer, amount: transfer.amount };

let timeLeftMs: number;
let recorded: Order[][];
let woken: string[];
let record: (group: readonly Order[]) => Promise<boolean[]>;
let find: (references: readonly OrderReference[]) => (Order | undefined)[];
let findByRequest: () => Order | undefined;
let lookUp: () => void;
let checkScheduled: () => Promise<void>;
let acceptor: Acceptor;

beforeEach(() => {
  timeLeftMs = 14_000;
  recorded = [];
  woken = [];
  record = (group) => Promise.resolve(group.map(() => true));
  find = (references) => references.map(() => undefined);
  findByRequest = () => undefined;
  lookUp = () => undefined;
  checkScheduled = () => Promise.resolve();
  const wallets = {
    findForTransfer: (references: readonly WalletReference[]) => {
      lookUp();
      return Promise.resolve(new Map(references.map(({ id }) => [id, side])));
    },
  };
  const orders = {
    insertBatch: (group: readonly Order[]) => {
      recorded.push([...group]);
      return record(group);
    },
    findMany: (references: readonly OrderReference[]) => Promise.resolve(find(references)),
    findByRequest: () => Promise.resolve(findByRequest()),
    insertTogether: () => Promise.reject(new Error('there is no batch')),
  };
  const queues = {
    wake: (waiting: readonly WaitingFrom[]) => {
      woken.push(...new Set(waiting.map(({ workspaceId }) => workspaceId)));
      return Promise.resolve();
    },
  };
  acceptor = createAcceptor({
    recorder: createRecorder(orders, createOrderEnqueuer(queues, pino({ level: 'silent' }))),
    walletCheck: createWalletCheck({ ...wallets, ensureExternal: () => Promise.reject(new Error('none is named')) }),
    throughFailover: createThroughFailover(isTransientFault),
    checkPressure: () => undefined,
    checkScheduled: () => checkScheduled(),
    currencies: createCurrencies(new Map()),
    clockOf: systemClockOf,
  });
});

describe('a create whose currency has changed since', () => {
  const known = newOrder({ ...made, bizId: 'once' });
  const repeated = { ...transfer, bizId: 'once' };
  const changed = new ServiceError('TOO_MANY_DECIMALS');
  beforeEach(() => {
    find = (references) => references.map(({ idOrBizId }) => (idOrBizId === 'once' ? known : undefined));
  });

  test('is answered with its order where an order has its bizId and values; nothing is recorded', async () => {
    expect(await acceptor.accept(repeated, undefined, changed)).toEqual({ order: known, isReplay: true });
    expect([recorded, woken]).toEqual([[], []]);
  });

  test('repeats nothing with other values, another bizId, none, or an EXTERNAL wallet', async () => {
    const others = [
      { type: 'WITHDRAWAL' as const },
      { amount: '2' },
      { currency: 'USD' },
      { bizId: 'twice' },
      { sourceWalletId: 'ex_a' },
    ];
    for (const other of others)
      await expect(acceptor.accept({ ...repeated, ...other }, undefined, changed)).rejects.toBe(changed);
    await expect(acceptor.accept(transfer, undefined, changed)).rejects.toBe(changed);
  });
});

describe('a create that its client no longer waits for', () => {
  test('is not recorded where its look-ups took too long', async () => {
    lookUp = () => (timeLeftMs = 3_900);
    await expect(acceptor.accept(transfer, () => timeLeftMs)).rejects.toThrow(TimeoutError);
    expect(recorded).toEqual([]);
  });

  test('is not recorded where it waited too long for its turn; those that were sent are', async () => {
    const sent = Promise.withResolvers<undefined>();
    record = (group) => sent.promise.then(() => group.map(() => true));
    const first = acceptor.accept(transfer);
    await waitFor(() => recorded.length === 1);
    const second = acceptor.accept(transfer);
    await waitFor(() => recorded.length === 2);
    const third = acceptor.accept(transfer, () => timeLeftMs);
    const refused = expect(third).rejects.toThrow(TimeoutError);
    await new Promise(setImmediate);
    timeLeftMs = 3_900;
    sent.resolve(undefined);
    await refused;
    expect((await Promise.all([first, second])).map(({ isReplay }) => isReplay)).toEqual([false, false]);
    expect(recorded).toHaveLength(2);
  });

  test('is recorded where it was a little late', async () => {
    lookUp = () => (timeLeftMs = 4_100);
    const { order } = await acceptor.accept(transfer, () => timeLeftMs);
    expect(recorded).toEqual([[order]]);
  });
});

test('one for a later time is not recorded where its workspace has too many of those; what is for now is', async () => {
  const full = new ServiceError('SCHEDULED_FULL');
  checkScheduled = () => Promise.reject(full);
  const executeAt = new Date(Date.now() + 3_600_000);
  await expect(acceptor.accept({ ...transfer, executeAt })).rejects.toBe(full);
  expect(recorded).toEqual([]);
  expect((await acceptor.accept(transfer)).order.status).toBe('PENDING');
});

const signed = { ...transfer, request: { keyId: 'ak', timestamp: 1, nonce: 'n' } };

describe('an order that refers to another', () => {
  // Each is at fault by whatever the later ones are at fault by, too.
  const parent = { ...made, id: 'tr_1', bizId: 'tr_1', status: 'FAILED' };
  test.each([
    ['TRANSFER_NOT_FOUND', undefined, '1.001'],
    ['SCOPE_MISSING', { ...parent, type: 'WITHDRAWAL', targetWalletId: externalWalletId('ws', 'EUR') }, '1.001'],
    ['TOO_MANY_DECIMALS', { ...parent, type: 'HOLD' }, '1.001'],
    ['NOT_REVERSIBLE', { ...parent, type: 'HOLD' }, '1.01'],
    ['ORDER_STATE_CONFLICT', parent, '1.01'],
    ['EXCEEDS_REMAINING', { ...parent, status: 'COMPLETED' }, '1.01'],
  ])('is refused with %s before all that follows', async (errorName, found, amount) => {
    find = (references) => references.map(() => found as Order | undefined);
    const reversal = { type: 'REVERSAL', workspaceId: 'ws', parent: 'tr_1', amount };
    await expect(acceptor.accept(reversal)).rejects.toMatchObject({ errorName });
    expect(recorded).toEqual([]);
  });
});

test('one that repeats an order is answered with it, also with its nonce; the very request is not', async () => {
  const request = { ...signed.request, timestamp: 1_000 };
  const other = { ...made, id: 'tr_other', bizId: 'invoice-1', status: 'COMPLETED', request } as unknown as Order;
  record = (group) => Promise.resolve(group.map(() => false));
  find = (references) => references.map(() => other);
  expect(await acceptor.accept({ ...signed, bizId: 'invoice-1' })).toEqual({ order: other, isReplay: true });
  const again = acceptor.accept({ ...signed, request, bizId: 'invoice-1' });
  await expect(again).rejects.toMatchObject({ errorName: 'NONCE_REUSED' });
});

describe('a create that MongoDB calls a duplicate, although no majority has the order that it repeats', () => {
  /** As the old primary of an election says it, of what the new one does not show yet, or has lost. */
  const callDuplicate = (times: number): void => {
    let calls = 0;
    record = (group) => Promise.resolve(group.map(() => (calls += 1) > times));
  };

  test.each([['with', 'invoice-1'] as const, ['without', undefined] as const])(
    '%s a bizId is recorded by a further attempt, where the other order was lost with its primary',
    async (_, bizId) => {
      callDuplicate(1);
      const { order, isReplay } = await acceptor.accept({ ...signed, ...(bizId === undefined ? {} : { bizId }) });
      expect(recorded.map((group) => group.map(({ id }) => id))).toEqual([[order.id], [order.id]]);
      expect([isReplay, woken]).toEqual([false, [order.workspaceId]]);
    },
  );

  test('is answered as the replay that it is, once the new primary shows the order', async () => {
    callDuplicate(Infinity);
    const other = { ...made, id: 'tr_other', bizId: 'invoice-1', status: 'COMPLETED' } as unknown as Order;
    let looks = 0;
    find = (references) => references.map(() => ((looks += 1) < 3 ? undefined : other));
    expect(await acceptor.accept({ ...signed, bizId: 'invoice-1' })).toEqual({ order: other, isReplay: true });
  });

  test('is unsettled, and no reused nonce, for as long as none shows it', async () => {
    callDuplicate(Infinity);
    timeLeftMs = attemptMinMs;
    find = (references) => {
      timeLeftMs -= 1;
      return references.map(() => undefined);
    };
    await expect(acceptor.accept(signed, () => timeLeftMs)).rejects.toThrow(IndeterminateError);
    expect(recorded).toHaveLength(1);
  });

  test('is a reused nonce once an order of its signed request is found', async () => {
    callDuplicate(Infinity);
    let looks = 0;
    findByRequest = () =>
      (looks += 1) < 2 ? undefined : ({ ...signed, id: 'tr_other', bizId: 'tr_other' } as unknown as Order);
    await expect(acceptor.accept(signed)).rejects.toMatchObject({ errorName: 'NONCE_REUSED' });
    expect(recorded).toHaveLength(2);
  });
});

describe('a create whose recording broke off', () => {
  /** Recorded, and the answer to that is lost: from then on its own unique keys are in its way. */
  const breakOff = (): void => {
    record = () => {
      record = (group) => Promise.resolve(group.map(() => false));
      return Promise.reject(new MongoNetworkError('connection closed'));
    };
  };
  const stored = ({ idOrBizId }: OrderReference) =>
    recorded[0]?.find(({ id, bizId }) => idOrBizId === id || idOrBizId === bizId);

  test.each([['with', 'invoice-1'] as const, ['without', undefined] as const])(
    '%s a bizId is attempted again as the same order, which is neither refused nor a replay',
    async (_, bizId) => {
      breakOff();
      find = (references) => references.map(stored);
      const { order, isReplay } = await acceptor.accept({ ...signed, ...(bizId === undefined ? {} : { bizId }) });
      expect(new Set(recorded.flat().map(({ id }) => id))).toEqual(new Set([order.id]));
      expect(recorded).toHaveLength(2);
      expect(isReplay).toBe(false);
      expect(woken).toEqual([order.workspaceId]);
    },
  );

  test('is not taken for a reused nonce, where a majority gets it after it was looked for by its bizId', async () => {
    breakOff();
    let looks = 0;
    find = (references) => references.map((reference) => ((looks += 1) < 2 ? undefined : stored(reference)));
    findByRequest = () => recorded[0]?.[0];
    const { order, isReplay } = await acceptor.accept(signed);
    expect([order.id, isReplay]).toEqual([recorded[0]?.[0]?.id, false]);
  });

  test('is not answered for as long as no majority holds it', async () => {
    breakOff();
    let looks = 0;
    find = (references) => references.map((reference) => ((looks += 1) < 3 ? undefined : stored(reference)));
    const { order } = await acceptor.accept(signed);
    expect([looks, recorded.length]).toEqual([3, 4]);
    expect(order.id).toBe(recorded[0]?.[0]?.id);
  });

  test('is recorded by a further attempt, once, where the first one was lost', async () => {
    record = () => {
      record = (group) => Promise.resolve(group.map(() => true));
      return Promise.reject(new MongoNetworkError('connection closed'));
    };
    const { order, isReplay } = await acceptor.accept(signed);
    expect(recorded.map((group) => group.map(({ id }) => id))).toEqual([[order.id], [order.id]]);
    expect([isReplay, woken]).toEqual([false, [order.workspaceId]]);
  });

  test('of a bizId that another order has is what that says', async () => {
    breakOff();
    const other = { ...made, id: 'tr_other', bizId: 'invoice-1', status: 'COMPLETED' } as unknown as Order;
    find = (references) => references.map(() => other);
    expect(await acceptor.accept({ ...signed, bizId: 'invoice-1' })).toEqual({ order: other, isReplay: true });
  });
});
