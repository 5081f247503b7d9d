import { pino } from 'pino';
import { Decimal128 } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCurrencies } from '../../src/domain/currency.ts';
import { newId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { followCurrencies, recordUsualCurrencies } from '../../src/accepting/currencies.ts';
import { openCurrencyRecord } from '../../src/storage/currencies.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const record = openCurrencyRecord(db);
const { wallets } = openCollections(db);
const log = pino({ enabled: false });
const lookEveryMs = 50;

const settings = (list: Record<string, number>) => new Map(Object.entries(list));

beforeAll(() => ensureSchema(db));
beforeEach(async () => {
  await db.collection('currencies').deleteMany({});
  await db.collection('wallets').deleteMany({});
});

async function hold(currency: string, balance: string): Promise<void> {
  const { id: _id } = await wallets.create({ workspaceId: newId('workspace'), name: 'some', currency });
  await db
    .collection<{ _id: string }>('wallets')
    .updateOne({ _id }, { $set: { balance: Decimal128.fromString(balance) } }, { bypassDocumentValidation: true });
}

describe('the currencies', () => {
  test('are those of ISO 4217 and three more from the first process on, however many start at once', async () => {
    const agreed = await Promise.all(Array.from({ length: 8 }, () => recordUsualCurrencies(record)));
    expect(agreed[0]).toEqual(createCurrencies(settings({ USDT: 6, USDC: 6, BTC: 8 })));
    expect(await record.all()).toEqual(agreed[0]);
  });

  test('that are recorded keep the decimals that they have, also where ISO 4217 has others by now', async () => {
    await record.add(settings({ ISK: 2, BTC: 10, GEM: 3 }));
    const known = await recordUsualCurrencies(record);
    expect(['ISK', 'BTC', 'GEM', 'USDT'].map((code) => known.get(code))).toEqual([2, 10, 3, 6]);
  });
});

describe('a process', () => {
  const follow = () => followCurrencies(record, log, AbortSignal.timeout(10_000), lookEveryMs);

  test('follows what others add, and decimals that are changed', async () => {
    await record.add(settings({ BTC: 8 }));
    const own = await follow();
    expect([own.current.get('BTC'), own.current.get('GEM')]).toEqual([8, undefined]);
    await record.add(settings({ GEM: 2 }));
    await waitFor(() => own.current.get('GEM') === 2);
    expect(await record.change('BTC', { from: 8, to: 10 })).toBe(true);
    await waitFor(() => own.current.get('BTC') === 10);
    await own.close();
  });

  test('is told at once of a currency that was added a moment ago, if it asks', async () => {
    const own = await follow();
    await record.add(settings({ GEM: 2 }));
    await own.readAgain();
    expect(own.current.get('GEM')).toBe(2);
    await own.close();
  });
});

test('a change is made only to the decimals that were read', async () => {
  await record.add(settings({ BTC: 8 }));
  expect(await record.change('BTC', { from: 7, to: 9 })).toBe(false);
  expect(await record.change('GEM', { from: 8, to: 9 })).toBe(false);
  expect((await record.all()).get('BTC')).toBe(8);
});

test('the largest amount of a currency is the one farthest from zero, of its wallets alone', async () => {
  await hold('BTC', '5');
  await hold('BTC', '-7.5');
  await hold('USD', '900');
  expect(await record.largestAmount('BTC')).toEqual(new Money('7.5'));
  expect(await record.largestAmount('GEM')).toBeUndefined();
});
