import type { ClientSession } from 'mongodb';
import { expect, test } from 'vitest';
import { endTransactions, openPostingSessions } from '../../src/storage/processes/posting-sessions.ts';
import { testDatabase } from '../support/database.ts';

const { client, db } = testDatabase();
const numbers = db.collection<{ _id: number }>('numbers');
const insertIn = (_id: number) => (session: ClientSession) =>
  session.withTransaction(() => numbers.insertOne({ _id }, { session }));

test('what a dead holder left open is ended by the ids of its sessions; a holder that lives goes on in them', async () => {
  await db.createCollection('numbers');
  const sessions = openPostingSessions(client, 2);
  const [first, second] = sessions.all;
  expect(new Set(sessions.ids).size).toBe(2);
  await first!.run(async (session) => {
    session.startTransaction();
    await numbers.insertOne({ _id: 1 }, { session });
    await endTransactions(db, sessions.ids);
    await expect(session.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
  });
  expect(await numbers.countDocuments()).toBe(0);
  await first!.run(insertIn(1));
  await second!.run(insertIn(2));
  expect(await numbers.countDocuments()).toBe(2);
  await sessions.end();
});

test('without an id nothing is ended: MongoDB would end every session of this user', async () => {
  const sessions = openPostingSessions(client, 1);
  await sessions.all[0]!.run((session) =>
    session.withTransaction(async () => {
      await numbers.insertOne({ _id: 3 }, { session });
      await endTransactions(db, []);
    }),
  );
  expect(await numbers.countDocuments({ _id: 3 })).toBe(1);
  await sessions.end();
});
