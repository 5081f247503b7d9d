import { pino } from 'pino';
import { Decimal128 } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SettingsError } from '../../src/settings/config.ts';
import { createCurrencies } from '../../src/domain/currency.ts';
import { newId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { agreeOnCurrencies, followCurrencies } from '../../src/accepting/currencies.ts';
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
const agree = (wanted?: ReadonlyMap<string, number>) => agreeOnCurrencies(record, wanted);

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
  test('are those of ISO 4217 and three more where nobody says otherwise', async () => {
    const agreed = await agree();
    expect(agreed).toEqual(createCurrencies(settings({ USDT: 6, USDC: 6, BTC: 8 })));
    expect(await record.all()).toEqual(agreed);
  });

  test('are the same for all processes, however many start at once', async () => {
    const lists = [undefined, settings({ GEM: 0 }), settings({ ORE: 3 }), settings({ GEM: 0, BTC: 8 })];
    await Promise.all([...lists, ...lists].map(agree));
    const recorded = await record.all();
    expect(['GEM', 'ORE', 'BTC', 'USDT', 'JPY'].map((code) => recorded.get(code))).toEqual([0, 3, 8, 6, 0]);
  });

  test('that one process gives other decimals than another are those of one of them; the other is refused', async () => {
    const settled = await Promise.allSettled([3, 4, 5, 6].map((decimals) => agree(settings({ GEM: decimals }))));
    const decimals = (await record.all()).get('GEM');
    for (const [index, wanted] of [3, 4, 5, 6].entries()) {
      expect(settled[index]?.status).toBe(wanted === decimals ? 'fulfilled' : 'rejected');
    }
  });

  test('that are recorded stay known where a list no longer names them, with the decimals that they have', async () => {
    await agree(settings({ GEM: 3, JPY: 2 }));
    const later = await agree(settings({ ORE: 1 }));
    expect(['GEM', 'JPY', 'ORE'].map((code) => later.get(code))).toEqual([3, 2, 1]);
    expect((await agree()).get('JPY')).toBe(2);
  });

  test('are refused with other decimals than are recorded, with what differs and what to do; nothing is recorded', async () => {
    await agree(settings({ BTC: 8 }));
    const fewer = agree(settings({ BTC: 4, GEM: 0 }));
    await expect(fewer).rejects.toThrow(SettingsError);
    await expect(fewer).rejects.toThrow('CURRENCIES gives BTC 4 decimals, but this database has it with 8');
    await expect(fewer).rejects.toThrow('take it out of the setting (');
    const more = agree(settings({ BTC: 10, GEM: 0 }));
    await expect(more).rejects.toThrow('admin currencies set --currency BTC --decimals 10');
    expect((await record.all()).has('GEM')).toBe(false);
  });

  test('keep their decimals where the list of ISO 4217 has others by now', async () => {
    await db.collection<{ _id: string; decimals: number }>('currencies').insertOne({ _id: 'ISK', decimals: 2 });
    expect((await agree()).get('ISK')).toBe(2);
  });
});

describe('a process', () => {
  const follow = () => followCurrencies(record, log, AbortSignal.timeout(10_000), lookEveryMs);

  test('follows what others add, and decimals that are changed', async () => {
    await agree(settings({ BTC: 8 }));
    const own = await follow();
    expect([own.known.get('BTC'), own.known.get('GEM')]).toEqual([8, undefined]);
    await agree(settings({ GEM: 2 }));
    await waitFor(() => own.known.get('GEM') === 2);
    expect(await record.change('BTC', { from: 8, to: 10 })).toBe(true);
    await waitFor(() => own.known.get('BTC') === 10);
    await own.close();
  });

  test('is told at once of a currency that was added a moment ago, if it asks', async () => {
    const own = await follow();
    await record.add(settings({ GEM: 2 }));
    await own.readAgain();
    expect(own.known.get('GEM')).toBe(2);
    await own.close();
  });
});

test('a change is made only to the decimals that were read', async () => {
  await agree(settings({ BTC: 8 }));
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
