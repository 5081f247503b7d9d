import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { MongoClient, type Document } from 'mongodb';
import { expect, it } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { watchConnecting, watchWorkspaces } from '../support/workspace-watch.ts';

const { uri } = testDatabase();

/** Whether a command, as the driver sends it, is one that no router can send to one shard. */
function isNamed(command: Document): boolean {
  const client = Object.assign(new EventEmitter(), { options: {} });
  const complaints: string[] = [];
  watchWorkspaces(client as unknown as MongoClient, (each) => complaints.push(each));
  client.emit('commandStarted', { commandName: Object.keys(command)[0], command });
  return complaints.length > 0;
}

const find = (filter: Document) => ({ find: 'wallets', filter });
const aggregate = (filter: Document) => ({ aggregate: 'wallets', pipeline: [{ $match: filter }] });
const update = (q: Document, multi: boolean) => ({ update: 'wallets', updates: [{ q, u: {}, multi }] });
const pending = { workspaceId: { $gt: '' }, status: 'PENDING' };
const ofOrders = (more: Document) => ({ ...aggregate(pending), aggregate: 'orders', ...more });

it.each<[string, Document]>([
  ['a find by one workspace', find({ workspaceId: 'ws', _id: 'wa' })],
  ['a find by several', find({ workspaceId: { $in: ['ws', 'wt'] } })],
  ['every branch', find({ $or: [{ workspaceId: 'ws' }, { workspaceId: 'wt', name: 'x' }] })],
  ['a count', aggregate({ workspaceId: 'ws' })],
  ['an insert', { insert: 'wallets', documents: [{ _id: 'wa', workspaceId: 'ws' }] }],
  ['an update of one', update({ workspaceId: 'ws', _id: 'wa' }, false)],
  ['an update of many', update({ workspaceId: { $in: ['ws', 'wt'] } }, true)],
  ['a collection that is never divided', { find: 'members', filter: { userId: 'u' } }],
  ['what waits of all workspaces, by its own index', ofOrders({ hint: 'unsettled_orders' })],
  ['wallets by currency', aggregate({ currency: 'USD' })],
  ['wallets by currencies', aggregate({ $or: [{ currency: 'USD' }, { currency: { $nin: ['USD', 'EUR'] } }] })],
])('%s is let pass', (_, command) => {
  expect(isNamed(command)).toBe(false);
});

it.each<[string, Document]>([
  ['a find by id', { find: 'flows', filter: { _id: 'fl' } }],
  ['a list of ids', find({ _id: { $in: ['wa'] } })],
  ['one branch of two', find({ $or: [{ workspaceId: 'ws' }, { name: 'x' }] })],
  ['a range of workspaces', find({ workspaceId: { $gt: 'ws' } })],
  ['an aggregation of all', { aggregate: 'wallets', pipeline: [{ $group: { _id: '$name' } }] }],
  ['a count of all', { count: 'wallets' }],
  ['an insert without', { insert: 'orders', documents: [{ _id: 'tr' }] }],
  ['an update of one by a list', update({ workspaceId: { $in: ['ws'] }, _id: 'wa' }, false)],
  ['an update of many by id', update({ _id: 'wa' }, true)],
  ['a find and change', { findAndModify: 'wallets', query: { _id: 'wa' } }],
  ['a delete', { delete: 'wallets', deletes: [{ q: { _id: 'wa' }, limit: 0 }] }],
  ['what waits of all workspaces, by another index', ofOrders({})],
  ['wallets by currency in one branch of two', aggregate({ $or: [{ currency: 'USD' }, { name: 'x' }] })],
])('%s is named', (_, command) => {
  expect(isNamed(command)).toBe(true);
});

it('inside this process, a client is watched by what connects it, and the tests’ own are not', async () => {
  const said: string[] = [];
  const work = new AsyncLocalStorage<(command: string) => void>();
  watchConnecting(() => work.getStore());
  const [inside, outside] = [new MongoClient(uri), new MongoClient(uri)];
  const insert = (client: MongoClient, _id: string) =>
    client.db().collection<{ _id: string }>('orders').insertOne({ _id });
  try {
    await work.run(
      (command) => said.push(command),
      () => inside.connect(),
    );
    await outside.connect();
    await insert(outside, 'outside');
    await insert(inside, 'inside');
    expect(said).toEqual([expect.stringContaining('"_id":"inside"')]);
  } finally {
    await Promise.all([inside.close(), outside.close()]);
  }
});
