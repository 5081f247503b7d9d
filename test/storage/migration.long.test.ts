import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Document } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '../../bench/load/random.ts';
import { isTotalsId } from '../../src/domain/ids.ts';
import { schemaVersion } from '../../src/storage/schema/schema-version.ts';
import { readTotals } from '../../src/storage/wallets/totals.ts';
import { masterKeys } from '../admin/command-line.ts';
import { openLedger, walletNames, type Ledger, type Transfer } from '../posting/posting-ways.ts';
import { runAdminJson } from '../support/admin.ts';
import { makeOlder } from '../support/older-database.ts';
import { testRedis } from '../support/redis.ts';

const given = process.env['MIGRATED_ORDERS'];
const orderCount = given === undefined ? 6_000 : Number(given);
const groupSize = 250;
/** Of so many groups one waits, and one is set aside. */
const groupsOfKind = 12;
const pollMs = 5;
const seed = 1;
const timeoutMs = 1_800_000;
const program = join(import.meta.dirname, '../../src/admin/main.ts');

const { url: redisUrl } = await testRedis();
let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.close());

const collection = (name: string) => ledger.db.collection<Document & { _id: string }>(name);
/** Whether the first or the last document that is changed has a field already. */
const has = async (name: string, field: string, which: 'first' | 'last'): Promise<boolean> => {
  const found = await collection(name).findOne({}, { sort: { _id: which === 'first' ? 1 : -1 } });
  return found?.[field] !== undefined;
};

async function recordOrders(): Promise<void> {
  const random = createRandom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  for (let group = 0; group * groupSize < orderCount; group += 1) {
    const transfers = Array.from({ length: groupSize }, (): Transfer => {
      const source = below(walletNames.length);
      const target = (source + 1 + below(walletNames.length - 1)) % walletNames.length;
      return [walletNames[source]!, walletNames[target]!, String(1 + below(source === 0 ? 300 : 900))];
    });
    const recorded = await ledger.record(transfers);
    if (group % groupsOfKind === 1) continue;
    if (group % groupsOfKind === 2) {
      const faults = recorded.map(({ workspaceId, id }) => ({ workspaceId, orderId: id, reason: 'test' }));
      await ledger.collections.stuckOrders.recordFaults(faults, 1);
    } else await ledger.post(recorded);
  }
}

/** All but the totals, of which migrated ones are in another part. */
async function books(): Promise<unknown> {
  const stored = (name: string) => collection(name).find().sort({ _id: 1 }).toArray();
  const totals = await readTotals(ledger.db, ledger);
  return {
    wallets: (await stored('wallets')).filter(({ _id }) => !isTotalsId(_id)),
    flows: await stored('flows'),
    orders: await stored('orders'),
    totals: [totals.orders('COMPLETED'), totals.orders('FAILED'), totals.wallets()],
  };
}

it(
  'a database of the release before, with orders in every state, is brought along by a command that was killed twice',
  { timeout: timeoutMs },
  async () => {
    const env = { ...process.env, MONGODB_URI: ledger.uri, REDIS_URL: redisUrl, MASTER_KEYS: masterKeys };
    await recordOrders();
    const states = await collection('orders').distinct('status');
    expect(states.toSorted()).toEqual(['COMPLETED', 'FAILED', 'PENDING', 'SET_ASIDE']);
    const before = await books();
    await makeOlder(ledger.db);

    /** Kills it once it has begun with a collection, which it then has not ended. */
    const killedAt = async (name: string, field: string): Promise<void> => {
      const applying = spawn(process.execPath, [program, 'schema', 'apply'], { env, stdio: 'ignore' });
      const exited = once(applying, 'exit');
      while (applying.exitCode === null && !(await has(name, field, 'first'))) await sleep(pollMs);
      applying.kill('SIGKILL');
      expect(await exited).toEqual([null, 'SIGKILL']);
      expect(await has(name, field, 'last')).toBe(false);
      await expect(runAdminJson(['verify'], env)).rejects.toThrow('schema apply');
    };
    await killedAt('orders', 'type');
    await killedAt('flows', 'debits');
    expect(await has('orders', 'type', 'last')).toBe(true);
    expect(await runAdminJson(['schema', 'apply'], env)).toEqual({ schemaVersion });
    expect(await books()).toEqual(before);
    expect(await runAdminJson(['verify'], env)).toMatchObject({
      breaches: 0,
      orders: await collection('orders').countDocuments(),
    });
  },
);
