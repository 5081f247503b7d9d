import { MongoClient, type Collection, type Document } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestServer, type TestServer } from './server.ts';

interface Task extends Document {
  _id: string;
  owner: string;
  state: string;
}

const perState = 50;
const owners = ['a', 'b', 'c', 'd', 'e'];
const states = ['DONE', 'OPEN', 'PARKED'];
const hint = 'unfinished';
let server: TestServer;
let client: MongoClient;
let tasks: Collection<Task>;
let all: Task[];

beforeAll(async () => {
  server = await openTestServer();
  client = await MongoClient.connect(server.uri);
  tasks = client.db('contract_ranges').collection('tasks');
  const unfinishedOnly = { partialFilterExpression: { state: { $gte: 'OPEN' } } };
  await tasks.createIndexes([{ key: { owner: 1, state: 1, _id: 1 }, name: hint, ...unfinishedOnly }]);
  all = owners.flatMap((owner, at) =>
    Array.from({ length: perState * states.length }, (_, row) => ({
      _id: String(1_000 + ((row * 7 + at) % 1_000)) + owner,
      owner,
      state: states[row % states.length] ?? '',
    })),
  );
  await tasks.insertMany(all);
});
afterAll(async () => {
  await tasks.db.dropDatabase();
  await client.close();
  await server.close();
});

const unfinished = (passes: (task: Task) => boolean) => all.filter((task) => task.state >= 'OPEN' && passes(task));
const idsOf = (found: readonly Task[]) => found.map(({ _id }) => _id);
const byId = (a: Task, b: Task) => (a._id < b._id ? -1 : 1);

async function examined(filter: Document, sort: Record<string, 1 | -1>, limit = 0) {
  const result = await tasks.find(filter).hint(hint).sort(sort).limit(limit).explain('executionStats');
  const { queryPlanner, executionStats } = result as { queryPlanner: Document; executionStats: Document };
  return { plan: JSON.stringify(queryPlanner['winningPlan']), keys: executionStats['totalKeysExamined'] as number };
}

it('a list of values before the fields of a sort is read value by value, and merged, forward and backward', async () => {
  const filter = { owner: 'b', state: { $in: ['OPEN', 'PARKED'] } };
  const expected = unfinished(({ owner }) => owner === 'b').toSorted(byId);
  expect(idsOf(await tasks.find(filter).hint(hint).sort({ _id: 1 }).toArray())).toEqual(idsOf(expected));
  const backward = tasks.find(filter).hint(hint).sort({ _id: -1 });
  expect(idsOf(await backward.clone().toArray())).toEqual(idsOf(expected.toReversed()));
  expect(idsOf(await backward.skip(7).limit(9).toArray())).toEqual(idsOf(expected.toReversed().slice(7, 16)));
  const { plan, keys } = await examined(filter, { _id: -1 }, 10);
  expect(plan).toContain('SORT_MERGE');
  expect(plan).not.toContain('"SORT"');
  expect(keys).toBeLessThan(15);
});

it.each([1, -1] as const)('behind a range of a field its followers bind the scan (direction %i)', async (direction) => {
  const filter = { owner: { $gt: 'a' }, state: 'OPEN', _id: { $lt: '1050' } };
  const sort = { owner: direction, state: direction, _id: direction } as const;
  const order = (a: Task, b: Task) => direction * (a.owner === b.owner ? byId(a, b) : a.owner < b.owner ? -1 : 1);
  const expected = unfinished(({ owner, state, _id }) => owner > 'a' && state === 'OPEN' && _id < '1050');
  expect(expected.length).toBeGreaterThan(0);
  expect(idsOf(await tasks.find(filter).hint(hint).sort(sort).toArray())).toEqual(idsOf(expected.toSorted(order)));
  const { plan, keys } = await examined(filter, sort);
  expect(plan).not.toContain('SORT');
  // What is found, and a look for each owner's first key.
  expect(keys).toBe(expected.length + owners.length - 1);
});

it('a transaction sees its own changes there too', async () => {
  await client.withSession(async (session) => {
    session.startTransaction();
    await tasks.updateOne({ _id: '1000a' }, { $set: { state: 'PARKED' } }, { session });
    await tasks.insertOne({ _id: '0999z', owner: 'z', state: 'PARKED' }, { session });
    const parked = await tasks
      .find({ owner: { $gte: 'a' }, state: 'PARKED', _id: { $lt: '1001' } }, { session, hint })
      .toArray();
    expect(idsOf(parked)).toEqual(['1000a', '0999z']);
    await session.abortTransaction();
  });
});

it('the explanation of a pipeline ends with its limit', async () => {
  const pipeline = [{ $match: { owner: { $gt: 'a' }, state: 'OPEN' } }, { $limit: 5 }, { $group: { _id: '$owner' } }];
  const { executionStats } = await tasks.aggregate(pipeline, { hint }).explain('executionStats');
  expect(executionStats).toMatchObject({ totalKeysExamined: 6 });
});
