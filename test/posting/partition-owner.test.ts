import { describe, expect, test } from 'vitest';
import { partitionLease } from '../../src/posting/own-partitions.ts';
import { waitFor } from '../support/wait-for.ts';
import { consumed, openTeam } from './partition-owners.ts';

const longMs = 60_000;
const atOnce = (): Promise<void> => Promise.resolve();

// Each has workers and leases of its own, and waits for their rounds.
describe.concurrent('workers that come and stop', () => {
  test('have equal shares each time, and never two a partition at once', async (context) => {
    const team = openTeam(context);
    const first = team.join('first');
    await team.untilShared(first);
    expect(first.owner.owned()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const second = team.join('second');
    await team.untilShared(first, second);
    expect([consumed(first).length, consumed(second).length]).toEqual([4, 4]);
    const third = team.join('third');
    await team.untilShared(first, second, third);
    await team.stop(first);
    expect([consumed(first), first.owner.owned()]).toEqual([[], []]);
    await team.untilShared(second, third);
    await team.stop(second);
    await team.untilShared(third);
    expect(consumed(third)).toHaveLength(8);
    expect(team.overlaps).toEqual([]);
  });

  test('hand a partition over only once its groups have ended', async (context) => {
    const team = openTeam(context);
    const first = team.join('first');
    await team.untilShared(first);
    const ending = Promise.withResolvers<undefined>();
    first.ends = () => ending.promise;
    const second = team.join('second');
    await waitFor(() => first.owner.owned().length === 4);
    let asked = 0;
    second.asks = () => {
      asked += 1;
      return Promise.resolve();
    };
    // A round asks who holds them, and for four. It has asked in vain by then: what it is to have is still consumed.
    await waitFor(() => asked > 10);
    expect(consumed(second)).toEqual([]);
    ending.resolve(undefined);
    await team.untilShared(first, second);
    expect(team.overlaps).toEqual([]);
  });
});

describe.concurrent('a worker', () => {
  test('that was frozen learns that its leases are gone, ends its consumers, and leaves them to who has them', async (context) => {
    const team = openTeam(context);
    const [first, second] = [team.join('first'), team.join('second')];
    await team.untilShared(first, second);
    const frozen = consumed(second);
    const thaw = Promise.withResolvers<undefined>();
    second.asks = () => thaw.promise;
    // Until it learns of it, both consume them.
    second.isDead = true;
    team.heard.delete('second');
    await team.expire(second);
    await team.untilShared(first);
    // It still thinks that it owns them.
    expect(second.owner.owned()).toEqual(frozen);
    second.isDead = false;
    second.asks = atOnce;
    thaw.resolve(undefined);
    await waitFor(() => consumed(second).length === 0);
    expect(second.logs.filter((line) => line.includes('another worker took over'))).toHaveLength(frozen.length);
    expect(consumed(first)).toHaveLength(8);
    expect(await team.leaseDocuments.countDocuments({ holder: 'first' })).toBe(8);
    team.heard.add('second');
    await team.untilShared(first, second);
    expect(team.overlaps).toEqual([]);
  });

  test('goes on consuming while nobody answers, and keeps leases that ran out where nobody took them', async (context) => {
    const team = openTeam(context);
    const first = team.join('first');
    await team.untilShared(first);
    first.asks = () => Promise.reject(new Error('away'));
    await waitFor(() => first.logs.some((line) => line.includes('looking after the leases of partitions failed')));
    await team.leaseDocuments.updateMany({ holder: 'first' }, { $set: { until: new Date(0) } });
    expect(consumed(first)).toHaveLength(8);
    first.asks = atOnce;
    await waitFor(async () => (await team.leaseDocuments.countDocuments({ until: { $gt: new Date(0) } })) === 8);
    expect(consumed(first)).toHaveLength(8);
    expect(first.logs.some((line) => line.includes('another worker took over'))).toBe(false);
  });

  test('that cannot work gives all back by itself, though it is still heard, and takes nothing until it can', async (context) => {
    const team = openTeam(context);
    const [first, second] = [team.join('first'), team.join('second')];
    await team.untilShared(first, second);
    second.mayWork = false;
    await waitFor(() => consumed(second).length === 0);
    // All still think that half of them are its own.
    const looksBefore = team.looks;
    await waitFor(() => team.looks >= looksBefore + 4);
    expect(consumed(second)).toEqual([]);
    expect(await team.leaseDocuments.countDocuments({ holder: 'second' })).toBe(0);
    expect(second.logs.some((line) => line.includes('more workers than partitions'))).toBe(false);
    team.heard.delete('second');
    await team.untilShared(first);
    second.mayWork = true;
    team.heard.add('second');
    await team.untilShared(first, second);
    expect(team.overlaps).toEqual([]);
  });
});

describe.concurrent('a worker that stops', () => {
  test('gives back what it takes at that moment', async (context) => {
    const team = openTeam(context);
    const first = team.join('first');
    const answering = Promise.withResolvers<undefined>();
    first.answers = () => answering.promise;
    await waitFor(async () => (await team.leaseDocuments.countDocuments({ holder: 'first' })) === 8);
    const stopping = team.stop(first);
    first.answers = atOnce;
    answering.resolve(undefined);
    await stopping;
    expect(consumed(first)).toEqual([]);
    expect(await team.leaseDocuments.countDocuments()).toBe(0);
  });

  test('keeps the lease of a consumer that takes long to end, and gives it back then', async (context) => {
    const team = openTeam(context);
    const first = team.join('first');
    await team.untilShared(first);
    const ending = Promise.withResolvers<undefined>();
    first.ends = () => ending.promise;
    const stopping = team.stop(first);
    const name = partitionLease(0);
    const untilOf = async () => (await team.leaseDocuments.findOne({ _id: name }))?.until.getTime() ?? 0;
    const before = await untilOf();
    await waitFor(async () => (await untilOf()) > before);
    expect(await team.leases.take(name, 'another', longMs)).toBe(false);
    ending.resolve(undefined);
    await stopping;
    expect(await team.leaseDocuments.countDocuments()).toBe(0);
  });

  test('gives back the lease of a consumer that does not end well', async (context) => {
    const team = openTeam(context);
    const first = team.join('first');
    await team.untilShared(first);
    first.ends = () => Promise.reject(new Error('Redis is away'));
    await team.stop(first);
    expect(await team.leaseDocuments.countDocuments()).toBe(0);
    expect(first.logs.filter((line) => line.includes('did not end well'))).toHaveLength(8);
  });
});
