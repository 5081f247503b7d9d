import { Collection, MongoServerError } from 'mongodb';
import { beforeEach, expect, it, vi } from 'vitest';
import { ensureSchema, schema } from '../../src/storage/schema/schema.ts';
import { IndexConflictError, IndexNotAllowedError } from '../../src/storage/schema/indexes.ts';
import { commandLine, masterKeys } from '../admin/command-line.ts';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { uri, db } = testDatabase();
const { url: redisUrl } = await testRedis();
const wallets = db.collection('wallets');

beforeEach(async () => {
  await db.dropDatabase();
});

const refusal = async (): Promise<Error> => {
  const error: unknown = await ensureSchema(db).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(IndexConflictError);
  return error as Error;
};

it('an index of a declared name with other keys is named, with what differs and what to do', async () => {
  await wallets.createIndexes([{ key: { workspaceId: 1, _id: 1 }, name: 'wallets_of_workspace' }]);
  const { message } = await refusal();
  expect(message).toContain('the index wallets_of_workspace of wallets cannot be built');
  expect(message).toContain('in the database: wallets_of_workspace {"key":{"workspaceId":1,"_id":1}}');
  expect(message).toContain('this code wants: wallets_of_workspace {"key":{"workspaceId":1,"_id":-1}}');
  expect(message).toContain('db.wallets.dropIndex("wallets_of_workspace")');
  expect((await wallets.indexes()).map(({ key }) => key)).toEqual([{ _id: 1 }, { workspaceId: 1, _id: 1 }]);

  const admin = commandLine({ MONGODB_URI: uri, REDIS_URL: redisUrl, MASTER_KEYS: masterKeys });
  expect(await admin.run('schema', 'apply')).toEqual({ code: 1, stdout: '', stderr: `error: ${message}\n` });

  await wallets.dropIndex('wallets_of_workspace');
  expect(await admin.run('schema', 'apply')).toMatchObject({ code: 0 });
});

it('as is one that is not unique where it has to be, or holds other documents', async () => {
  const members = db.collection('members');
  await members.createIndexes([{ key: { workspaceId: 1, userId: 1 }, name: 'member_once' }]);
  expect((await refusal()).message).toContain(
    'this code wants: member_once {"key":{"workspaceId":1,"userId":1},"unique":true}',
  );
  await members.dropIndexes();

  const completed = { name: 'unsettled_orders', partialFilterExpression: { status: 'COMPLETED' } };
  await db.collection('orders').createIndexes([{ key: { workspaceId: 1, status: 1, _id: 1 }, ...completed }]);
  expect((await refusal()).message).toContain('"partialFilterExpression":{"status":"COMPLETED"}');
});

it('as is one of the declared keys under another name', async () => {
  await wallets.createIndexes([{ key: { workspaceId: 1, _id: -1 }, name: 'by_hand' }]);
  const { message, cause } = await refusal();
  expect(message).toContain('db.wallets.dropIndex("by_hand")');
  expect(cause).toMatchObject({ code: 85 });
});

it('a user who may build none goes on if all are there, and is told of one that is missing', async () => {
  await ensureSchema(db);
  const refused = new MongoServerError({ message: 'not authorized on transfers to execute command', code: 13 });
  const building = vi.spyOn(Collection.prototype, 'createIndexes').mockRejectedValue(refused);
  try {
    await ensureSchema(db);
    await wallets.dropIndex('wallets_of_workspace');
    const error: unknown = await ensureSchema(db).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(IndexNotAllowedError);
    expect((error as Error).message).toContain('the index wallets_of_workspace of wallets is missing');
  } finally {
    building.mockRestore();
  }
});

it('one that is listed may be under way: whoever starts meanwhile waits until the server says that it is built', async () => {
  await ensureSchema(db);
  const building = Promise.withResolvers<string[]>();
  const asked = vi.spyOn(Collection.prototype, 'createIndexes').mockReturnValueOnce(building.promise);
  let isUp = false;
  const up = ensureSchema(db).then(() => {
    isUp = true;
  });
  await waitFor(() => asked.mock.calls.length === 1);
  // Another process's start in full is time enough for one that does not wait.
  asked.mockRestore();
  const all = vi.spyOn(Collection.prototype, 'createIndexes');
  await ensureSchema(db);
  expect(isUp).toBe(false);
  const named = all.mock.calls.flatMap(([specs]) => specs.map(({ name }) => name));
  expect(named).toEqual(Object.values(schema).flatMap((indexes) => indexes.map(({ name }) => name)));
  all.mockRestore();
  building.resolve([]);
  await up;
});
