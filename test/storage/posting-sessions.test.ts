import { MongoClient, type ClientSession } from 'mongodb';
import { afterAll, expect, test } from 'vitest';
import { openPostingSessions } from '../../src/storage/processes/posting-sessions.ts';

// Sessions need no server until they are used.
const client = new MongoClient('mongodb://127.0.0.1:1');
afterAll(() => client.close());

const idOf = ({ id }: ClientSession) => id?.id.toString('hex');

test('each runs in one session, and after a renewal in one that the server has not seen', async () => {
  const sessions = openPostingSessions(client, 2);
  const [posting] = sessions.all;
  const before = sessions.open().map(idOf);
  expect(await posting!.run((session) => Promise.resolve(idOf(session)))).toBe(before[0]);
  sessions.renew();
  const after = sessions.open().map(idOf);
  expect(new Set([...before, ...after]).size).toBe(4);
  expect(await posting!.run((session) => Promise.resolve(idOf(session)))).toBe(after[0]);
  await sessions.end();
});

test('work under way ends in the session in which it began, which is named until then', async () => {
  const sessions = openPostingSessions(client, 1);
  const [posting] = sessions.all;
  const begun = Promise.withResolvers<ClientSession>();
  const ending = Promise.withResolvers<undefined>();
  const running = posting!.run(async (session) => {
    begun.resolve(session);
    await ending.promise;
    return session.hasEnded;
  });
  const used = await begun.promise;
  sessions.renew();
  sessions.renew();
  expect(sessions.open()).toHaveLength(2);
  expect(sessions.open()).toContain(used);
  ending.resolve(undefined);
  expect(await running).toBe(false);
  expect(used.hasEnded).toBe(true);
  expect(sessions.open()).toHaveLength(1);
  await sessions.end();
});
