import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAcceptor } from '../../src/accepting/accept.ts';
import { createBatchAcceptor, type AcceptedBatch, type BatchLine } from '../../src/accepting/batch.ts';
import { createOrderEnqueuer } from '../../src/accepting/order-enqueuer.ts';
import type { WaitingFrom } from '../../src/queue/posting-queue.ts';
import { createPreviewer } from '../../src/accepting/preview.ts';
import { createRecorder } from '../../src/accepting/record.ts';
import { createWalletCheck } from '../../src/accepting/wallet-check.ts';
import { systemClockOf } from '../../src/clock.ts';
import { createCurrencies } from '../../src/domain/currency.ts';
import { scopes } from '../../src/domain/scopes.ts';
import { ServiceError } from '../../src/errors.ts';
import { createThroughFailover } from '../../src/waiting/failover.ts';
import { newOrder, type CreateOrderInput } from '../../src/orders/order.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { isTransientFault, IndeterminateError } from '../../src/storage/shared/transaction.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();
const collections = openCollections(db);
const { orders, wallets } = collections;
const currencies = createCurrencies(new Map());
const woken: string[] = [];
const pressed: number[] = [];
/** Asked after each batch is recorded together: whether its answer is lost. */
let isAnswerLost = (): boolean => false;
/** Asked of each order that is looked up: whether that was before it was recorded. */
let isTooEarly: (bizId: string) => boolean = () => false;

const queue = {
  wake: (waiting: readonly WaitingFrom[]) => {
    woken.push(...new Set(waiting.map(({ workspaceId }) => workspaceId)));
    return Promise.resolve();
  },
};
const recorder = createRecorder(
  {
    ...orders,
    findMany: async (references) =>
      (await orders.findMany(references)).map((order) => (order && isTooEarly(order.bizId) ? undefined : order)),
    async insertTogether(batch) {
      const isNew = await orders.insertTogether(batch);
      if (isAnswerLost()) throw new IndeterminateError('lost');
      return isNew;
    },
  },
  createOrderEnqueuer(queue, pino({ enabled: false })),
);
const throughFailover = createThroughFailover(isTransientFault);
const checkPressure = (_: string, batchOf = 1) => void pressed.push(batchOf);
const acceptor = createAcceptor({
  ...{ recorder, walletCheck: createWalletCheck(wallets), throughFailover },
  ...{ checkPressure, checkScheduled: () => Promise.resolve(), currencies, clockOf: systemClockOf },
});
const batches = createBatchAcceptor({ acceptor, recorder, throughFailover, checkPressure, clockOf: systemClockOf });
const previewer = createPreviewer(acceptor, collections, currencies, systemClockOf);

let workspaceId: string;
let alice: string;
let bob: string;

beforeAll(() => ensureSchema(db));
beforeEach(async () => {
  workspaceId = (await collections.workspaces.create('test')).id;
  const wallet = async (name: string) => (await wallets.create({ workspaceId, name, currency: 'EUR' })).id;
  [alice, bob] = [await wallet('alice'), await wallet('bob')];
  woken.length = 0;
  pressed.length = 0;
  isAnswerLost = () => false;
  isTooEarly = () => false;
});

const sides = () => ({ sourceWalletId: alice, targetWalletId: bob, currency: 'EUR' });
const line = (more: Partial<CreateOrderInput> & { value?: string } = {}): BatchLine => {
  const { value = '1', ...given } = more;
  return {
    input: {
      ...{ type: 'TRANSFER', ...sides(), amount: value },
      ...given,
    },
  };
};
const malformed: BatchLine = { refusal: new ServiceError('FIELD_MISSING', { field: 'amount' }) };
const caller = () => ({ workspaceId, scopes: new Set(scopes) });
const each = (lines: readonly BatchLine[]) => batches.acceptEach(caller(), lines, () => Infinity);
const together = (lines: readonly BatchLine[]) => batches.acceptTogether(caller(), lines, () => Infinity);
const stored = () => db.collection('orders').countDocuments({ workspaceId });

/** Of each item why it is refused, or whether it repeats an order. */
const ends = ({ items }: AcceptedBatch) =>
  items.map((item) => {
    if (item instanceof ServiceError)
      return item.field === undefined ? item.errorName : `${item.errorName} ${item.field}`;
    return item.isReplay ? 'repeated' : 'made';
  });
const ids = ({ items }: AcceptedBatch) =>
  items.map((item) => (item instanceof ServiceError ? undefined : item.order.id));

describe('lines, each for itself', () => {
  test('end as if each came alone', async () => {
    const batch = await each([
      line({ bizId: 'a' }),
      malformed,
      line({ sourceWalletId: 'wa_none' }),
      line({ targetWalletId: alice }),
      line({ sourceWalletId: 'ex_1' }),
      line(),
      line({ bizId: 'a' }),
      line({ bizId: 'a', value: '2' }),
      line({ currency: 'USD' }),
    ]);
    expect(ends(batch)).toEqual([
      'made',
      'FIELD_MISSING amount',
      'WALLET_NOT_FOUND sourceWalletId',
      'SAME_WALLET targetWalletId',
      'WALLET_NOT_FOUND sourceWalletId',
      'made',
      'repeated',
      'BIZ_ID_CONFLICT bizId',
      'CURRENCY_MISMATCH sourceWalletId',
    ]);
    expect(batch.items[6]).toMatchObject({ order: { id: ids(batch)[0], batchId: batch.batchId } });
    // The malformed one brings nothing to the workers.
    expect([await stored(), pressed]).toEqual([2, [8]]);
    expect(new Set(woken)).toEqual(new Set([workspaceId]));
  });

  test('keep the batch that they came in first; those that were refused are tried again', async () => {
    const first = await each([line({ bizId: 'a' }), line({ bizId: 'b', targetWalletId: 'wa_none' })]);
    const again = await each([line({ bizId: 'a' }), line({ bizId: 'b' })]);
    expect([ends(first), ends(again)]).toEqual([
      ['made', 'WALLET_NOT_FOUND targetWalletId'],
      ['repeated', 'made'],
    ]);
    expect(again.items).toMatchObject([{ order: { batchId: first.batchId } }, { order: { batchId: again.batchId } }]);
  });

  test('a refusal for the currency gives way to an order of the bizId', async () => {
    const refusal = new ServiceError('TOO_MANY_DECIMALS', { field: 'amount' });
    await each([line({ bizId: 'a' })]);
    const batch = await each([
      { ...line({ bizId: 'a' }), refusal },
      { ...line({ bizId: 'b' }), refusal },
    ]);
    expect(ends(batch)).toEqual(['repeated', 'TOO_MANY_DECIMALS amount']);
  });
});

describe('lines together', () => {
  test('are recorded as one unit, and wake their workspace once', async () => {
    const batch = await together([line({ bizId: 'a' }), line(), line({ bizId: 'c' })]);
    const [first, ...others] = ids(batch);
    expect([ends(batch), woken]).toEqual([['made', 'made', 'made'], [workspaceId]]);
    const found = await db.collection('orders').find({ workspaceId }).sort({ _id: 1 }).toArray();
    expect(found).toMatchObject([
      { _id: first, status: 'PENDING', otherIds: others, batchId: batch.batchId },
      { _id: others[0], status: 'PENDING', firstId: first, batchId: batch.batchId },
      { _id: others[1], status: 'PENDING', firstId: first, batchId: batch.batchId },
    ]);
  });

  test.each([
    ['is malformed', () => malformed, 'FIELD_MISSING amount'],
    ['has a time', () => line({ executeAt: new Date(Date.now() + 60_000) }), 'FIELD_UNKNOWN executeAt'],
    ['names an unknown wallet', () => line({ targetWalletId: 'wa_none' }), 'WALLET_NOT_FOUND targetWalletId'],
    ['names an EXTERNAL wallet', () => line({ targetWalletId: 'ex_1' }), 'WALLET_NOT_FOUND targetWalletId'],
    ['has the bizId of another line', () => line({ bizId: 'a' }), 'BIZ_ID_CONFLICT bizId'],
  ])('none is recorded where one %s', async (_, fault, why) => {
    const batch = await together([line({ bizId: 'a' }), fault(), line()]);
    expect([ends(batch), await stored(), woken]).toEqual([['BATCH_FAILED', why, 'BATCH_FAILED'], 0, []]);
  });

  test('repeat the batch of the same lines alone', async () => {
    const lines = ['a', 'b'].map((bizId) => line({ bizId }));
    const first = await together(lines);
    const again = await together(lines);
    expect([again.batchId, ids(again), ends(again)]).toEqual([first.batchId, ids(first), ['repeated', 'repeated']]);
    const [a, b] = lines as [BatchLine, BatchLine];
    const conflict = 'BIZ_ID_CONFLICT bizId';
    for (const [others, wanted] of [
      [
        [b, a],
        [conflict, conflict],
      ],
      [[a], [conflict]],
      [
        [a, b, line()],
        [conflict, conflict, 'BATCH_FAILED'],
      ],
      [
        [a, line({ bizId: 'c' })],
        [conflict, 'BATCH_FAILED'],
      ],
      [
        [a, line({ bizId: 'b', value: '2' })],
        [conflict, conflict],
      ],
      [
        [a, malformed],
        [conflict, 'FIELD_MISSING amount'],
      ],
      [
        [a, line({ targetWalletId: 'wa_none' })],
        [conflict, 'WALLET_NOT_FOUND targetWalletId'],
      ],
    ] as const)
      expect(ends(await together(others))).toEqual(wanted);
    expect(await stored()).toBe(2);
  });

  test('repeat a batch that is recorded while their bizIds are looked up', async () => {
    const lines = ['a', 'b'].map((bizId) => line({ bizId }));
    const first = await together(lines);
    let looks = 0;
    isTooEarly = (bizId) => bizId === 'a' && (looks += 1) === 1;
    const again = await together(lines);
    expect([again.batchId, ends(again)]).toEqual([first.batchId, ['repeated', 'repeated']]);
  });

  test('repeat it also where a line has no bizId, if it asks for the same', async () => {
    const [a, c] = [line({ bizId: 'a' }), line({ bizId: 'c' })];
    const first = await together([line({ value: '2' }), a, c]);
    const again = await together([line({ value: '2' }), a, c]);
    expect([ids(again), ends(again)]).toEqual([ids(first), ['repeated', 'repeated', 'repeated']]);
    const conflict = 'BIZ_ID_CONFLICT bizId';
    expect(ends(await together([line({ value: '3' }), a, c]))).toEqual(['BATCH_FAILED', conflict, conflict]);
  });

  test('do not repeat orders that were made each for itself', async () => {
    await each([line({ bizId: 'a' }), line({ bizId: 'b' })]);
    expect(ends(await together(['a', 'b'].map((bizId) => line({ bizId }))))).toEqual([
      'BIZ_ID_CONFLICT bizId',
      'BIZ_ID_CONFLICT bizId',
    ]);
    expect(ends(await together([line({ bizId: 'a' })]))).toEqual(['BIZ_ID_CONFLICT bizId']);
  });

  test('are recorded once however many come at once', async () => {
    const lines = ['a', 'b', 'c'].map((bizId) => line({ bizId }));
    const all = await Promise.all(Array.from({ length: 8 }, () => together(lines)));
    expect(new Set(all.map((batch) => ids(batch).join())).size).toBe(1);
    expect(all.filter((batch) => ends(batch).includes('made')).length).toBe(1);
    expect(await stored()).toBe(3);
  });

  test('are those of the attempt whose answer was lost', async () => {
    let lost = 0;
    isAnswerLost = () => (lost += 1) === 1;
    const batch = await together([line(), line({ bizId: 'b' })]);
    expect([ends(batch), await stored(), woken.at(-1)]).toEqual([['made', 'made'], 2, workspaceId]);
  });
});

describe('a preview', () => {
  const preview = ({ input, refusal }: BatchLine) =>
    previewer.preview({ ...(input as CreateOrderInput), workspaceId }, refusal).then(
      ({ end: { status, failure } }) => [status, failure],
      (error: unknown) => (error as ServiceError).errorName,
    );

  test('tells how an order would end, or how the one stands that it repeats, and records nothing', async () => {
    const external = await wallets.ensureExternal(workspaceId, 'EUR');
    await each([line({ bizId: 'known' })]);
    expect(await preview(line({ value: '3' }))).toEqual(['FAILED', 'INSUFFICIENT_BALANCE']);
    expect(await preview(line({ bizId: 'known' }))).toEqual(['PENDING', null]);
    expect(await preview(line({ targetWalletId: 'wa_none' }))).toBe('WALLET_NOT_FOUND');
    const refusal = new ServiceError('CURRENCY_UNKNOWN', { field: 'currency' });
    expect(await preview({ ...line(), refusal })).toBe('CURRENCY_UNKNOWN');
    const funds = line({ type: 'DEPOSIT', sourceWalletId: external.id, targetWalletId: alice, value: '5' });
    // Only the service itself names an EXTERNAL wallet.
    expect(await preview(funds)).toBe('WALLET_NOT_FOUND');
    const { sourceWalletId: _, ...input } = funds.input as CreateOrderInput;
    const { end, target } = await previewer.preview({ ...input, workspaceId });
    expect([end.status, target!.balance.toString()]).toEqual(['COMPLETED', '5']);
    expect(await stored()).toBe(1);
  });

  test('is asked again where wallets are read after another order has used the hold', async () => {
    const parent = newOrder({ type: 'HOLD', workspaceId, ...sides(), amount: '1' });
    const order = newOrder({ type: 'CAPTURE', workspaceId, ...sides(), amount: '1', parentId: parent.id });
    const dryRun = () => Promise.resolve({ order, isReplay: false, parent });
    const ofNow = createPreviewer({ dryRun }, collections, currencies, systemClockOf).preview({
      type: 'CAPTURE',
      workspaceId,
    });
    await expect(ofNow).rejects.toThrow(IndeterminateError);
  });

  test('of an order for a later time tells how it would end now', async () => {
    const later = line({ executeAt: new Date(Date.now() + 60_000) });
    expect(await preview(later)).toEqual(['FAILED', 'INSUFFICIENT_BALANCE']);
    expect(await preview(line({ executeAt: new Date(Date.now() - 1) }))).toBe('TIME_NOT_AHEAD');
  });
});
