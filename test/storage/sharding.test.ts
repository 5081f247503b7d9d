import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ensureSchema, schema } from '../../src/storage/schema/schema.ts';
import { anyOf } from '../../src/storage/shared/commands.ts';
import { isSharded, shardCollections, ShardingError, shardKeys } from '../../src/storage/schema/sharding.ts';
import { commandLine, masterKeys } from '../admin/command-line.ts';
import { testDatabase } from '../support/database.ts';
import { playRouter, type PlayedRouter } from '../support/router.ts';

const { uri, name, db } = testDatabase();
const rest = ['keyBudgets', 'orders', 'flows', 'webhookOutbox', 'webhookDeliveries'];
beforeEach(() => db.dropDatabase());
afterEach(() => vi.restoreAllMocks());

describe('a server that is no router', () => {
  it('is not taken for one, and divides nothing', async () => {
    expect(await isSharded(db)).toBe(false);
    await expect(shardCollections(db)).rejects.toThrow(ShardingError);
  });

  it('is refused by the command, with what to do', async () => {
    const admin = commandLine({ MONGODB_URI: uri, MASTER_KEYS: masterKeys });
    const { code, stderr } = await admin.run('schema', 'shard');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: this MongoDB is no sharded cluster: MONGODB_URI has to name its routers (mongos)\n',
    });
  });
});

describe('a router', () => {
  let router: PlayedRouter;
  beforeEach(() => {
    router = playRouter();
  });

  it('is asked to divide each collection by its workspace, once', async () => {
    await ensureSchema(db);
    expect(await isSharded(db)).toBe(true);
    expect(await shardCollections(db)).toEqual(['wallets', ...rest]);
    expect(router.sent).toEqual([
      { enableSharding: name },
      ...['wallets', ...rest].map((each) => ({
        shardCollection: `${name}.${each}`,
        key: { workspaceId: 1 },
      })),
    ]);
    router.sent.length = 0;
    expect(await shardCollections(db)).toEqual([]);
    expect(router.sent).toEqual([{ enableSharding: name }]);
  });

  it('is asked for what was left, where an earlier run was cut short', async () => {
    router.divided.push({ _id: `${name}.wallets`, key: { workspaceId: 1 } });
    expect(await shardCollections(db)).toEqual(rest);
  });

  it('is asked again for a collection that was dropped', async () => {
    router.divided.push({ _id: `${name}.wallets`, key: { other: 1 }, dropped: true });
    expect(await shardCollections(db)).toContain('wallets');
  });

  it('where a collection is divided by another key, says by which', async () => {
    router.divided.push({ _id: `${name}.orders`, key: { _id: 'hashed' } });
    await expect(shardCollections(db)).rejects.toThrow('orders is sharded by {"_id":"hashed"}');
  });
});

describe.each(Object.entries(shardKeys))('what a shard of %s needs', (collection, shardKey) => {
  const fields = Object.keys(shardKey);
  const startsWithKey = ({ key }: { key: object }) => Object.keys(key).slice(0, fields.length).join() === fields.join();
  const indexes = schema[collection] ?? [];

  it('is an index of all documents that begins with the key, for it has to find the ones that move', () => {
    const whole = indexes.filter(({ partialFilterExpression }) => partialFilterExpression === undefined);
    expect(whole.some(startsWithKey)).toBe(true);
  });

  it('is the key at the beginning of each index that is unique, for it knows of no other shard', () => {
    for (const index of indexes.filter(({ unique }) => unique === true)) expect(startsWithKey(index)).toBe(true);
  });
});

it('one value that is told several times is that value, and no list', () => {
  expect(anyOf(['ws_1', 'ws_1'])).toBe('ws_1');
  expect(anyOf(['ws_1', 'ws_2', 'ws_1'])).toEqual({ $in: ['ws_1', 'ws_2'] });
  expect(anyOf([])).toEqual({ $in: [] });
});
