import { Decimal128 } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';
import { commandLine, masterKeys } from './command-line.ts';

const { uri, db } = testDatabase();
const { url: redisUrl } = await testRedis();
const settings = { MONGODB_URI: uri, MASTER_KEYS: masterKeys, REDIS_URL: redisUrl };
const admin = commandLine(settings);

interface Listed {
  readonly currency: string;
  readonly decimals: number;
}

const set = (currency: string, decimals: number | string) => [
  ...['currencies', 'set', '--currency', currency, '--decimals', String(decimals)],
];
const decimalsOf = async (code: string): Promise<number | undefined> =>
  (await admin.json<Listed[]>('currencies', 'list')).find(({ currency }) => currency === code)?.decimals;

async function expectRefused(message: string, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await admin.run(...args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
}

/** A wallet that holds so much. */
async function hold(currency: string, balance: string): Promise<void> {
  const { workspaceId } = await admin.json<{ workspaceId: string }>('workspace', 'create', '--name', 'Acme');
  const create = ['wallet', 'create', '--workspace', workspaceId, '--currency', currency];
  const { id: _id } = await admin.json<{ id: string }>(...create);
  const wallets = db.collection<{ _id: string }>('wallets');
  await wallets.updateOne({ _id }, { $set: { balance: Decimal128.fromString(balance) } });
}

beforeEach(async () => {
  await Promise.all(['currencies', 'wallets'].map((name) => db.collection(name).deleteMany({})));
});

describe('currencies', () => {
  it('are listed as they are recorded: none before one is used, then those of ISO 4217 too', async () => {
    expect(await admin.json('currencies', 'list')).toEqual([]);
    await hold('BTC', '0');
    const listed = await admin.json<Listed[]>('currencies', 'list');
    expect(listed).toContainEqual({ currency: 'BTC', decimals: 8 });
    expect(listed).toContainEqual({ currency: 'JPY', decimals: 0 });
    expect(listed.map(({ currency }) => currency)).toEqual(listed.map(({ currency }) => currency).sort());
  });

  it('are given more decimals; what is held keeps its digits', async () => {
    await hold('BTC', '0.12345677');
    expect(await admin.json(...set('BTC', 10))).toEqual({ currency: 'BTC', decimals: 10 });
    expect(await decimalsOf('BTC')).toBe(10);
    expect(await admin.json(...set('BTC', 10))).toEqual({ currency: 'BTC', decimals: 10 });
  });

  it('are added for good, once, beside the usual ones', async () => {
    const add = (decimals: number) => ['currencies', 'add', '--currency', 'GEM', '--decimals', String(decimals)];
    expect(await admin.json(...add(3))).toEqual({ currency: 'GEM', decimals: 3 });
    expect(await admin.json(...add(3))).toEqual({ currency: 'GEM', decimals: 3 });
    await expectRefused('the database has GEM with 3 decimals; "currencies set" changes them', ...add(2));
    expect([await decimalsOf('GEM'), await decimalsOf('BTC')]).toEqual([3, 8]);
    for (const wrong of ['gem', 'GE', 'GE M', 'A'.repeat(11)])
      expect((await admin.run('currencies', 'add', '--currency', wrong, '--decimals', '2')).code).toBe(2);
  });

  it('are not given fewer once there is a wallet, whatever it holds by now', async () => {
    await hold('BTC', '0');
    await expectRefused('BTC has wallets, so that its decimals, 8, can only be raised', ...set('BTC', 4));
    expect(await decimalsOf('BTC')).toBe(8);
  });

  it('are given fewer while there is none, so that a mistake can be mended', async () => {
    await hold('USD', '1.25');
    expect(await admin.json(...set('BTC', 4))).toEqual({ currency: 'BTC', decimals: 4 });
    await hold('BTC', '0');
    expect(await decimalsOf('BTC')).toBe(4);
  });

  it('are not given so many that a balance could not be written with them', async () => {
    await hold('BTC', '9'.repeat(17));
    await expectRefused('which has too many digits with 18 decimals', ...set('BTC', 18));
    expect(await admin.json(...set('BTC', 17))).toEqual({ currency: 'BTC', decimals: 17 });
  });

  it('are not given so many that what is reserved on credit could not be given back in them', async () => {
    await hold('BTC', '0');
    await db.collection('wallets').updateMany({}, { $set: { creditLimit: Decimal128.fromString('9'.repeat(17)) } });
    await expectRefused('which has too many digits with 18 decimals', ...set('BTC', 18));
    expect(await decimalsOf('BTC')).toBe(8);
  });

  it('that the database does not have, and more than 18 decimals, are refused', async () => {
    await expectRefused('the database has no currency XYZ; "currencies add" adds it', ...set('XYZ', 2));
    for (const wrong of ['19', '-1', '2.5', 'two']) expect((await admin.run(...set('BTC', wrong))).code).toBe(2);
  });
});
