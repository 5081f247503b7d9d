import { beforeAll, expect, it } from 'vitest';
import { newIdOf } from '../../src/domain/ids.ts';
import { inTransaction } from '../../src/storage/shared/transaction.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { advanceUnderWay, openTestClocks, timeBy, type Advance } from '../../src/storage/test-clocks.ts';
import { openWorkspaces } from '../../src/storage/workspaces.ts';
import { testDatabase } from '../support/database.ts';

const { db, client } = testDatabase();
let realNow = new Date('2026-01-01T00:00:00Z');
const clock = () => realNow;
const pass = (ms: number): void => {
  realNow = new Date(realNow.getTime() + ms);
};
const clocks = openTestClocks(db, clock);
const workspaces = openWorkspaces(db, clock);
beforeAll(() => ensureSchema(db));

const dayMs = 86_400_000;
async function newClock(): Promise<string> {
  const id = newIdOf('workspace', true, realNow);
  await workspaces.create('test', id);
  return id;
}
const now = async (id: string): Promise<Date> => (await clocks.clockOf(id))();
/** As whoever reads it now moves it. */
const move = async (id: string, advance: Advance, at: Date): Promise<boolean> =>
  clocks.moveTo(id, await clocks.read(id), advance, at);
const later = (ms: number): Date => new Date(realNow.getTime() + ms);

/** Has a clock begin to go forward by a day; it stands still for 20 s at the most. */
async function begin(id: string): Promise<Advance> {
  const own = await clocks.read(id);
  const from = timeBy(own, realNow);
  const advance = { id: `advance-${realNow.getTime()}`, from, to: new Date(from.getTime() + dayMs) };
  const begun = { ...advance, started: 0, expired: 0, isDone: false };
  expect(await clocks.begin(id, own, begun, later(20_000))).toBe(true);
  return begun;
}

it('begins with the real time and runs like it', async () => {
  const id = await newClock();
  expect(await now(id)).toEqual(realNow);
  pass(1_500);
  expect(await now(id)).toEqual(realNow);
});

it('stands still while it is put forward, and runs on from where it was brought', async () => {
  const id = await newClock();
  const from = realNow;
  const advance = await begin(id);
  pass(5_000);
  expect(await now(id)).toEqual(from);
  expect(await move(id, advance, advance.to)).toBe(true);
  await inTransaction(client, (session) => clocks.count(id, advance, 'started', 3, session));
  pass(5_000);
  expect(await now(id)).toEqual(advance.to);
  expect(await clocks.end(id, advance)).toBe(true);
  pass(1_000);
  expect(await now(id)).toEqual(new Date(advance.to.getTime() + 1_000));
  expect((await clocks.read(id)).advance).toMatchObject({ started: 3, expired: 0, isDone: true });
  expect(await move(id, advance, later(9 * dayMs))).toBe(false);
});

it('runs on by itself once its time is over, whoever put it forward, who moves it no more', async () => {
  const id = await newClock();
  const from = realNow;
  const advance = await begin(id);
  pass(20_000);
  expect(advanceUnderWay(await clocks.read(id), realNow)).toBeUndefined();
  pass(1_000);
  expect(await now(id)).toEqual(new Date(from.getTime() + 1_000));
  for (const late of [move(id, advance, advance.to), clocks.end(id, advance)]) expect(await late).toBe(false);
});

it('is put forward by one at a time, as it was read', async () => {
  const id = await newClock();
  const asRead = await clocks.read(id);
  await begin(id);
  const other = { id: 'other', from: realNow, to: later(1), started: 0, expired: 0, isDone: false };
  expect(await clocks.begin(id, asRead, other, later(1))).toBe(false);
});

it('is not moved between the date of a transaction and its commit, nor after it by whoever did not see that', async () => {
  const id = await newClock();
  const advance = await begin(id);
  const asRead = await clocks.read(id);
  let moving: Promise<boolean> | undefined;
  const dates: Date[] = [];
  await inTransaction(client, async (session) => {
    dates.push(await clocks.dateIn(id, session));
    moving ??= clocks.moveTo(id, asRead, advance, advance.to);
    await workspaces.find(id);
    expect(await now(id)).toEqual(dates.at(-1));
  });
  expect(await moving).toBe(false);
  expect(await now(id)).toEqual(dates.at(-1));
  expect(await move(id, advance, advance.to)).toBe(true);
});

it('is never set back, by however many it is put forward', async () => {
  const id = await newClock();
  const advance = await begin(id);
  const asRead = await clocks.read(id);
  await move(id, advance, advance.to);
  expect(await clocks.moveTo(id, asRead, advance, later(1))).toBe(false);
  expect(await now(id)).toEqual(advance.to);
});

it('has its workspace looked at once it runs again, whoever put it forward and died', async () => {
  const id = await newClock();
  await begin(id);
  pass(19_999);
  expect(await clocks.toWake(10, 5_000)).not.toContain(id);
  pass(1);
  expect(await clocks.toWake(10, 5_000)).toContain(id);
});

it('that was moved since a transaction began has that begin anew', async () => {
  const id = await newClock();
  const advance = await begin(id);
  const dates: Date[] = [];
  let runs = 0;
  await inTransaction(client, async (session) => {
    runs += 1;
    await db.collection<{ _id: string }>('workspaces').findOne({ _id: id }, { session });
    if (runs === 1) await move(id, advance, advance.to);
    dates.push(await clocks.dateIn(id, session));
  });
  expect([runs, dates]).toEqual([2, [advance.to]]);
});

it('has its workspace looked at when something is due, by the real time', async () => {
  const id = await newClock();
  expect(await clocks.toWake(10, 5_000)).not.toContain(id);
  const advance = await begin(id);
  await move(id, advance, advance.to);
  await clocks.end(id, advance);
  await clocks.expect(id, new Date(advance.to.getTime() + 60_000));
  await clocks.expect(id, new Date(advance.to.getTime() + 3_000));
  await clocks.expect(id, new Date(advance.to.getTime() + 90_000));
  pass(2_999);
  expect(await clocks.toWake(10, 5_000)).not.toContain(id);
  pass(1);
  expect(await clocks.toWake(10, 5_000)).toContain(id);
  expect(await clocks.toWake(10, 5_000)).not.toContain(id);
  pass(5_000);
  expect(await clocks.toWake(10, 5_000)).toContain(id);
  expect(await clocks.wakeAt(id, await clocks.read(id), null)).toBe(true);
  pass(dayMs);
  expect(await clocks.toWake(10, 5_000)).not.toContain(id);
});
