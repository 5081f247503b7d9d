import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { startBackPressure } from '../../src/accepting/back-pressure.ts';
import { openBooks } from '../../src/storage/books.ts';
import { openBacklog, oldMax, stuckCountedMax } from '../../src/storage/orders/backlog.ts';
import type { StoredStatus } from '../../src/storage/orders/documents.ts';
import { openStuckOrders } from '../../src/storage/orders/stuck-orders.ts';
import { openWatchedBooks, orderRow, timeOf } from '../reading/watched-books.ts';
import { refusalBy } from '../support/refusal-by.ts';
import { waitFor } from '../support/wait-for.ts';

const countMax = 3_000;
/** As many as a page of a look has, but for one. */
const perWorkspaceMax = 1_000;
const limits = { countMax, perWorkspaceMax };
const { plain, db, insert: insertRows } = openWatchedBooks();
const backlog = openBacklog(db);
const read = async () => backlog.read(await backlog.snapshot(limits), countMax);
const nothing = { pending: 0, isLowerBound: false, oldestPendingAt: undefined };
let inserted = 0;

beforeEach(async () => {
  await plain.collection('orders').deleteMany({});
  inserted = 0;
});

/** A second between each and the next. */
async function insert(
  count: number,
  workspaceId: string,
  status: StoredStatus = 'PENDING',
  more = {},
): Promise<string[]> {
  const aside = status === 'SET_ASIDE' ? { stuckSince: new Date(), fault: { attempts: 4, reason: 'odd' } } : {};
  const values = { workspaceId, status, wallets: ['wa_1', 'wa_2'], ...aside, ...more };
  const group = Array.from({ length: count }, () => orderRow(inserted++, values));
  await insertRows('orders', group);
  return group.map(({ _id }) => _id);
}

it('of nothing', async () => {
  expect(await read()).toEqual({ ...nothing, stuck: 0 });
});

it('leaves out what is set aside, however much that is', async () => {
  await insert(stuckCountedMax + 5, 'ws_', 'SET_ASIDE');
  expect(await read()).toEqual({ ...nothing, stuck: stuckCountedMax });
  await insert(3, 'ws_');
  const oldestPendingAt = timeOf(stuckCountedMax + 5);
  expect(await read()).toEqual({ ...nothing, pending: 3, oldestPendingAt, stuck: stuckCountedMax });
});

it('has the orders of test workspaces, but neither their times nor what they have set aside', async () => {
  await insert(2, 'ts_a', 'SET_ASIDE');
  await insert(3, 'ts_a');
  expect(await read()).toEqual({ ...nothing, pending: 3, stuck: 0 });
  await insert(1, 'ws_a');
  expect(await read()).toEqual({ ...nothing, pending: 4, oldestPendingAt: timeOf(5), stuck: 0 });
});

it('an order that was SCHEDULED has waited since its time, also where more such orders wait than are looked at', async () => {
  const look = () => backlog.snapshot({ countMax: 100_000, perWorkspaceMax: 100_000 });
  const executeAt = new Date(Date.now() - 2_000);
  const scheduled = { executeAt, createdAt: timeOf(0) };
  await insert(oldMax - 1, 'ws_', 'PENDING', scheduled);
  expect((await look()).oldestPendingAt).toEqual(executeAt);
  expect(await backlog.oldestOf('ws_')).toEqual(executeAt);
  await insert(2, 'ws_', 'PENDING', scheduled);
  expect((await look()).oldestPendingAt).toEqual(executeAt);
});

it('counts no more of a workspace than it has to', async () => {
  const [a, b, c] = [200, perWorkspaceMax + 1, 40];
  await insert(a, 'ws_a');
  await insert(b, 'ws_b');
  await insert(c, 'ws_c');
  const byWorkspace = new Map(Object.entries({ ws_a: a, ws_b: b, ws_c: c }));
  const look = { waiting: a + b + c, byWorkspace, isLowerBound: true, oldestPendingAt: timeOf(0) };
  expect(await backlog.snapshot(limits)).toEqual(look);
  await insert(perWorkspaceMax, 'ws_b');
  expect(await backlog.snapshot(limits)).toEqual(look);
});

it.each([
  // Of as many as fill a page exactly, of one more, and of workspaces that lie across the ends of pages.
  [perWorkspaceMax + 1],
  [perWorkspaceMax, 1],
  [perWorkspaceMax, 2],
  [700, 700, 700],
  [1, perWorkspaceMax, 1, perWorkspaceMax],
  [999, 3, 999],
])('counts each order once, whatever page it is on: %j', async (...counts: number[]) => {
  for (const [at, count] of counts.entries()) await insert(count, `ws_${at}`);
  const isLowerBound = counts.some((count) => count > perWorkspaceMax);
  const waiting = counts.reduce((sum, count) => sum + count);
  expect(await backlog.snapshot(limits)).toMatchObject({ waiting, isLowerBound });
});

it('ends where more wait than may, and says so', async () => {
  for (const at of [1, 2, 3, 4]) await insert(1_000, `ws_${at}`);
  expect(await backlog.snapshot(limits)).toMatchObject({ waiting: countMax + 1 });
  expect(await read()).toMatchObject({ pending: countMax, isLowerBound: true });
});

it('is counted by small limits too', async () => {
  await insert(6, 'ws_many');
  await insert(2, 'ws_few');
  const look = await backlog.snapshot({ countMax: 100, perWorkspaceMax: 4 });
  expect(look).toEqual({
    ...{ waiting: 7, isLowerBound: true, oldestPendingAt: timeOf(0) },
    byWorkspace: new Map(Object.entries({ ws_few: 2, ws_many: 5 })),
  });
  expect(await backlog.snapshot({ countMax: 5, perWorkspaceMax: 4 })).toMatchObject({ waiting: 6 });
});

it('keeps no creates out, where what is set aside is more than may wait, nor where one workspace has too many', async () => {
  const backlogMax = 5;
  await insert(20 * backlogMax, 'ws', 'SET_ASIDE');
  const log = pino({ enabled: false });
  const pressure = startBackPressure({ backlogMax, backlogMaxWorkspace: 2 }, backlog, log);
  const refusal = (workspaceId: string) => refusalBy(pressure, workspaceId);
  try {
    await waitFor(() => pressure.lastSnapshot() !== undefined);
    expect(pressure.lastSnapshot()?.waiting).toBe(0);
    expect(refusal('ws')).toBeUndefined();
    await insert(20 * backlogMax, 'ws');
    await waitFor(() => refusal('ws') === 'WORKSPACE_BACKLOG_FULL');
    await waitFor(() => pressure.lastSnapshot()?.waiting === 3);
    expect(refusal('ws_other')).toBeUndefined();
    await insert(2, 'ws_other');
    await insert(1, 'ws_third');
    await waitFor(() => pressure.lastSnapshot()?.waiting === backlogMax + 1);
    expect(refusal('ws_fourth')).toBe('BACKLOG_FULL');
  } finally {
    await pressure.close();
  }
});

it('are all that wait for a verification, in pages', async () => {
  const ids = [
    ...(await insert(30, 'ws_b', 'SET_ASIDE')),
    ...(await insert(50, 'ws_c')),
    ...(await insert(20, 'ws_a', 'SCHEDULED')),
    ...(await insert(50, 'ws_a')),
  ];
  const found = new Set<string>();
  const beforeLast = ids.at(-1)!;
  for await (const page of openBooks(plain.client, plain, 7).openIdsBefore(beforeLast))
    for (const id of page) found.add(id);
  expect(found).toEqual(new Set(ids.slice(0, -1)));
});

it('orders that are set aside are listed workspace by workspace, from any place on, and of one fault', async () => {
  const stuck = openStuckOrders(db);
  const [ofB, ofA] = [await insert(3, 'ws_b', 'SET_ASIDE'), await insert(2, 'ws_a', 'SET_ASIDE')];
  await insert(4, 'ws_a');
  const all = [...ofA, ...ofB];
  const ids = async (...asked: Parameters<typeof stuck.list>) => (await stuck.list(...asked)).map(({ id }) => id);
  expect(await ids(10)).toEqual(all);
  expect(await ids(2, { after: { workspaceId: 'ws_a', id: ofA[0]! } })).toEqual(all.slice(1, 3));
  expect(await ids(10, { after: { workspaceId: 'ws_b', id: ofB[0]! } })).toEqual(all.slice(3));
  expect(await ids(10, { reason: 'another' })).toEqual([]);
  expect(await ids(10, { until: new Date(0) })).toEqual([]);
  await insert(3, 'ts_a', 'SET_ASIDE', { simulate: 'SLOW' });
  await plain
    .collection('orders')
    .updateMany({ workspaceId: 'ts_a' }, { $unset: { fault: true } }, { bypassDocumentValidation: true });
  expect(await ids(3)).toEqual(all.slice(0, 3));
});
