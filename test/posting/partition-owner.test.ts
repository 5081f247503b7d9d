import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLeases } from '../../src/storage/leases.ts';
import type { Leases } from '../../src/storage/leases.ts';
import { partitionLease, startPartitionOwner } from '../../src/posting/partition-owner.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const leases = openLeases(db);
const leaseDocuments = () => db.collection<{ _id: string; holder: string; until: Date }>('leases');
const longMs = 60_000;

/** A worker process, as far as partitions are concerned. */
interface Member {
  readonly name: string;
  readonly owner: ReturnType<typeof startPartitionOwner>;
  readonly logs: string[];
  /** What its process does of itself, beside what its owner was told. */
  consuming: number[];
  /** What its leases wait for, before they are asked and before they answer. */
  asks: () => Promise<void>;
  answers: () => Promise<void>;
  /** What its consumers wait for before they have ended. */
  ends: () => Promise<void>;
  isDead: boolean;
}

const atOnce = (): Promise<void> => Promise.resolve();
let members: Member[];
/** Whose heartbeat is heard. */
let heard: Set<string>;
/** How often anybody asked for that. */
let looks: number;
let partitionCount: number;
/** Moments at which two consumed one partition. */
let overlaps: string[];

beforeEach(async () => {
  [members, heard, looks] = [[], new Set(), 0];
  [partitionCount, overlaps] = [8, []];
  await leaseDocuments().deleteMany({});
});
afterEach(async () => {
  for (const member of members) [member.asks, member.answers, member.ends] = [atOnce, atOnce, atOnce];
  await Promise.all(members.map(({ owner }) => owner.close()));
});

function workers(): string[] | undefined {
  looks += 1;
  return heard.size === 0 ? undefined : [...heard];
}

function leasesOf(own: () => Member): Leases {
  const through = async <T>(ask: () => Promise<T>): Promise<T> => {
    await own().asks();
    const answer = await ask();
    await own().answers();
    return answer;
  };
  return {
    take: (...values) => through(() => leases.take(...values)),
    prolong: (...values) => through(() => leases.prolong(...values)),
    holders: async (...values) => {
      await own().asks();
      return leases.holders(...values);
    },
    release: (...values) => through(() => leases.release(...values)),
  };
}

function startConsumer(own: () => Member, partition: number) {
  const others = members.filter(
    ({ isDead, consuming, name }) => !isDead && name !== own().name && consuming.includes(partition),
  );
  for (const { name } of others) overlaps.push(`${own().name} took ${partition} while ${name} consumed it`);
  own().consuming.push(partition);
  return {
    async close() {
      await own().ends();
      own().consuming = own().consuming.filter((each) => each !== partition);
    },
  };
}

/** Starts a worker that all others hear. */
function join(name: string): Member {
  const logs: string[] = [];
  const self = (): Member => member;
  heard.add(name);
  const owner = startPartitionOwner({
    leases: leasesOf(self),
    heartbeat: { workers },
    partitionCount: () => partitionCount,
    startConsumer: (partition) => startConsumer(self, partition),
    instanceId: name,
    log: pino({}, { write: (line: string) => logs.push(line) }),
  });
  const hooks = { asks: atOnce, answers: atOnce, ends: atOnce };
  const member: Member = { name, owner, logs, consuming: [], ...hooks, isDead: false };
  members.push(member);
  return member;
}

async function stop(member: Member): Promise<void> {
  heard.delete(member.name);
  await member.owner.close();
}

/** Its rounds do nothing more, and its consumers are gone with it. */
function kill(member: Member): void {
  heard.delete(member.name);
  member.isDead = true;
  member.asks = () => Promise.reject(new Error('it is dead'));
}

const consumed = ({ consuming }: Member): number[] => consuming.toSorted((a, b) => a - b);
/** Each of all that are heard consumes an equal share, and nothing is left. */
const untilShared = (...sharing: Member[]) =>
  waitFor(() => {
    const share = partitionCount / sharing.length;
    for (const member of sharing) {
      expect(member.owner.owned()).toEqual(consumed(member));
      expect([Math.floor(share), Math.ceil(share)]).toContain(member.consuming.length);
    }
    const all = sharing.flatMap(consumed).sort((a, b) => a - b);
    expect(all).toEqual([...Array.from({ length: partitionCount }).keys()]);
    return true;
  });

describe('workers that come and stop', () => {
  test('have equal shares each time, and never two a partition at once', async () => {
    const first = join('first');
    await untilShared(first);
    expect(first.owner.owned()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const second = join('second');
    await untilShared(first, second);
    expect([consumed(first).length, consumed(second).length]).toEqual([4, 4]);
    const third = join('third');
    await untilShared(first, second, third);
    await stop(first);
    expect([consumed(first), first.owner.owned()]).toEqual([[], []]);
    await untilShared(second, third);
    await stop(second);
    await untilShared(third);
    expect(consumed(third)).toHaveLength(8);
    expect(overlaps).toEqual([]);
  });

  test('hand a partition over only once its groups have ended', async () => {
    const first = join('first');
    await untilShared(first);
    const ending = Promise.withResolvers<undefined>();
    first.ends = () => ending.promise;
    const second = join('second');
    await waitFor(() => first.owner.owned().length === 4);
    // It has asked in vain by then: what it is to have is still consumed.
    const untilOf = async () => (await leaseDocuments().findOne({ holder: 'first' }))?.until.getTime() ?? 0;
    const before = await untilOf();
    await waitFor(async () => (await untilOf()) > before + 1_000);
    expect(consumed(second)).toEqual([]);
    ending.resolve(undefined);
    await untilShared(first, second);
    expect(overlaps).toEqual([]);
  });

  test('wait where there are more of them than partitions, and say so', async () => {
    partitionCount = 3;
    const ten = Array.from({ length: 10 }, (_, index) => join(`worker-${index}`));
    await untilShared(...ten);
    expect(ten.filter(({ consuming }) => consuming.length === 1)).toHaveLength(3);
    // Each says so in a round of its own.
    await waitFor(() => {
      const saying = ten.filter(({ logs }) => logs.some((line) => line.includes('more workers than partitions')));
      for (const waiting of ten.filter(({ consuming }) => consuming.length === 0)) expect(saying).toContain(waiting);
      return true;
    });
    expect(overlaps).toEqual([]);
  });
});

describe('a worker', () => {
  test('takes nothing before it knows who is there', async () => {
    const first = join('first');
    heard.clear();
    await waitFor(() => looks >= 2);
    expect(consumed(first)).toEqual([]);
    expect(await leaseDocuments().countDocuments()).toBe(0);
    heard.add('first');
    await untilShared(first);
  });

  test('that dies is followed by the others once its leases have run out', async () => {
    const [first, second] = [join('first'), join('second')];
    await untilShared(first, second);
    const lost = consumed(second);
    kill(second);
    await untilShared(first);
    expect(consumed(first)).toHaveLength(8);
    expect(await leaseDocuments().countDocuments({ holder: 'first' })).toBe(8);
    expect(lost).toHaveLength(4);
  });

  test('that was frozen learns that its leases are gone, ends its consumers, and leaves them to who has them', async () => {
    const [first, second] = [join('first'), join('second')];
    await untilShared(first, second);
    const frozen = consumed(second);
    const thaw = Promise.withResolvers<undefined>();
    second.asks = () => thaw.promise;
    // Until it learns of it, both consume them.
    second.isDead = true;
    heard.delete('second');
    await untilShared(first);
    // It still thinks that it owns them.
    expect(second.owner.owned()).toEqual(frozen);
    second.isDead = false;
    second.asks = atOnce;
    thaw.resolve(undefined);
    await waitFor(() => consumed(second).length === 0);
    expect(second.logs.filter((line) => line.includes('another worker took over'))).toHaveLength(frozen.length);
    expect(consumed(first)).toHaveLength(8);
    expect(await leaseDocuments().countDocuments({ holder: 'first' })).toBe(8);
    heard.add('second');
    await untilShared(first, second);
    expect(overlaps).toEqual([]);
  });

  test('goes on consuming while nobody answers, and keeps leases that ran out where nobody took them', async () => {
    const first = join('first');
    await untilShared(first);
    first.asks = () => Promise.reject(new Error('away'));
    await waitFor(() => first.logs.some((line) => line.includes('looking after the leases of partitions failed')));
    await leaseDocuments().updateMany({ holder: 'first' }, { $set: { until: new Date(0) } });
    expect(consumed(first)).toHaveLength(8);
    first.asks = atOnce;
    await waitFor(async () => (await leaseDocuments().countDocuments({ until: { $gt: new Date(0) } })) === 8);
    expect(consumed(first)).toHaveLength(8);
    expect(first.logs.some((line) => line.includes('another worker took over'))).toBe(false);
  });

  test('follows the number of partitions while it runs', async () => {
    const [first, second] = [join('first'), join('second')];
    await untilShared(first, second);
    for (const count of [3, 12]) {
      partitionCount = count;
      await untilShared(first, second);
      expect([...consumed(first), ...consumed(second)]).toHaveLength(count);
    }
    expect(overlaps).toEqual([]);
  });
});

describe('a worker that stops', () => {
  test('gives back what it takes at that moment', async () => {
    const first = join('first');
    const answering = Promise.withResolvers<undefined>();
    first.answers = () => answering.promise;
    await waitFor(async () => (await leaseDocuments().countDocuments({ holder: 'first' })) === 8);
    const stopping = stop(first);
    first.answers = atOnce;
    answering.resolve(undefined);
    await stopping;
    expect(consumed(first)).toEqual([]);
    expect(await leaseDocuments().countDocuments()).toBe(0);
  });

  test('keeps the lease of a consumer that takes long to end, and gives it back then', async () => {
    const first = join('first');
    await untilShared(first);
    const ending = Promise.withResolvers<undefined>();
    first.ends = () => ending.promise;
    const stopping = stop(first);
    const name = partitionLease(0);
    const untilOf = async () => (await leaseDocuments().findOne({ _id: name }))?.until.getTime() ?? 0;
    const before = await untilOf();
    await waitFor(async () => (await untilOf()) > before);
    expect(await leases.take(name, 'another', longMs)).toBe(false);
    ending.resolve(undefined);
    await stopping;
    expect(await leaseDocuments().countDocuments()).toBe(0);
  });

  test('gives back the lease of a consumer that does not end well', async () => {
    const first = join('first');
    await untilShared(first);
    first.ends = () => Promise.reject(new Error('Redis is away'));
    await stop(first);
    expect(await leaseDocuments().countDocuments()).toBe(0);
    expect(first.logs.filter((line) => line.includes('did not end well'))).toHaveLength(8);
  });
});
