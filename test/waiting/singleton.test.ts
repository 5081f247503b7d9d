import { pino, type Logger } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLeases } from '../../src/storage/leases.ts';
import { startSingleton } from '../../src/waiting/singleton.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const leases = openLeases(db);
const log = pino({ level: 'silent' });
const everyMs = 50;
/** In the rounds of {@link everyMs}, with some to spare: what a lease lasts, and a rest. */
const roundsOfRest = 10;

interface Process {
  readonly instanceId: string;
  rounds: number;
  works: number;
  mayWork: boolean;
  work: () => Promise<void>;
  close: () => Promise<void>;
}

const opened: Process[] = [];
beforeEach(async () => {
  await db.collection('leases').deleteMany({});
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
});

function start(instanceId: string, workMaxMs = 10_000, logged: Logger = log): Process {
  const self: Process = {
    ...{ instanceId, rounds: 0, works: 0, mayWork: true },
    work: () => Promise.resolve(),
    close: () => singleton.close(),
  };
  const mayWork = () => {
    self.rounds += 1;
    return self.mayWork;
  };
  const work = async () => {
    self.works += 1;
    await self.work();
  };
  const job = { lease: 'job', what: 'a job', everyMs, workMaxMs };
  const singleton = startSingleton(job, { leases, instanceId, mayWork }, work, logged);
  opened.push(self);
  return self;
}

async function untilRounds(self: Process, count: number): Promise<void> {
  const until = self.rounds + count;
  await waitFor(() => self.rounds >= until);
}
async function untilWorks(self: Process): Promise<void> {
  const before = self.works;
  await waitFor(() => self.works > before);
}
const fails = (): Promise<never> => Promise.reject(new Error('it cannot'));

describe('what one process at a time does', () => {
  test('is done by the one that began, again and again, and by another once that stops', async () => {
    const first = start('first');
    await untilWorks(first);
    const second = start('second');
    await untilRounds(second, roundsOfRest);
    await untilWorks(first);
    expect(second.works).toBe(0);
    await first.close();
    await untilWorks(second);
  });

  test.each([
    ['fails', (): Promise<void> => fails()],
    ['does not end', (): Promise<void> => new Promise(() => undefined)],
  ])('goes to another at once where the work of its holder %s, and stays there', async (_, work) => {
    const first = start('first', 100);
    await untilWorks(first);
    const second = start('second');
    first.work = work;
    await untilWorks(second);
    const before = first.works;
    await untilRounds(second, roundsOfRest);
    expect(first.works).toBe(before);
    await untilWorks(second);
  });

  test('is not said to work again by a process that failed, and tries nothing because another has it', async () => {
    const lines: string[] = [];
    const first = start('first', 100, pino({ level: 'info' }, { write: (line) => lines.push(line) }));
    await untilWorks(first);
    const second = start('second');
    first.work = fails;
    await untilWorks(second);
    await untilRounds(first, roundsOfRest);
    expect(lines.filter((line) => line.includes('a job failed'))).not.toEqual([]);
    expect(lines.filter((line) => line.includes('works again'))).toEqual([]);
  });

  test('is tried again by the same one after a rest, where nobody else can', async () => {
    const only = start('only');
    only.work = fails;
    await untilWorks(only);
    await waitFor(async () => (await db.collection('leases').countDocuments()) === 0);
    await untilWorks(only);
    only.work = () => Promise.resolve();
    await untilWorks(only);
    await untilWorks(only);
  });

  test('is given back by a process that may not work any more, and is not taken by it', async () => {
    const first = start('first');
    await untilWorks(first);
    first.mayWork = false;
    await waitFor(async () => (await db.collection('leases').countDocuments()) === 0);
    const other = start('second');
    await untilWorks(other);
    const before = first.works;
    await other.close();
    await untilRounds(first, roundsOfRest);
    expect(first.works).toBe(before);
    first.mayWork = true;
    await untilWorks(first);
  });

  test('is given back even where the answer that gave the lease was lost', async () => {
    const lossy = {
      ...leases,
      take: async (...values: Parameters<typeof leases.take>) => {
        await leases.take(...values);
        throw new Error('the connection broke');
      },
    };
    const job = { lease: 'job', what: 'a job', everyMs: 60_000, workMaxMs: 1_000 };
    const singleton = startSingleton(job, { leases: lossy, instanceId: 'first', mayWork: () => true }, fails, log);
    await waitFor(async () => (await db.collection('leases').countDocuments()) === 1);
    await singleton.close();
    expect(await db.collection('leases').countDocuments()).toBe(0);
  });
});
