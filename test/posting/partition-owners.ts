import { pino } from 'pino';
import { expect, type TestContext } from 'vitest';
import { openLeases, type Leases } from '../../src/storage/leases.ts';
import { createOwnPartitions } from '../../src/posting/own-partitions.ts';
import { startPartitionOwner } from '../../src/posting/partition-owner.ts';
import { openTestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

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
  /** Whether it reaches its queues. */
  mayWork: boolean;
}

const partitionCount = 8;
const atOnce = (): Promise<void> => Promise.resolve();

export const consumed = ({ consuming }: Member): number[] => consuming.toSorted((a, b) => a - b);

/** Workers that share partitions, with leases that no other test has. */
export function openTeam({ onTestFinished }: TestContext) {
  const database = openTestDatabase();
  const leases = openLeases(database.db);
  const members: Member[] = [];
  const team = {
    leases,
    leaseDocuments: database.db.collection<{ _id: string; holder: string; until: Date }>('leases'),
    /** Whose heartbeat is heard. */
    heard: new Set<string>(),
    /** How often anybody asked for that. */
    looks: 0,
    /** Moments at which two consumed one partition. */
    overlaps: [] as string[],
    join,
    stop,
    kill,
    expire,
    untilShared,
  };
  onTestFinished(async () => {
    for (const member of members) [member.asks, member.answers, member.ends] = [atOnce, atOnce, atOnce];
    await Promise.all(members.map(({ owner }) => owner.close()));
    await database.drop();
  });

  function workers(): string[] | undefined {
    team.looks += 1;
    return team.heard.size === 0 ? undefined : [...team.heard];
  }

  function startConsumer(own: () => Member, partition: number) {
    const others = members.filter(
      ({ isDead, consuming, name }) => !isDead && name !== own().name && consuming.includes(partition),
    );
    for (const { name } of others) team.overlaps.push(`${own().name} took ${partition} while ${name} consumed it`);
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
    team.heard.add(name);
    const log = pino({}, { write: (line: string) => logs.push(line) });
    const own = createOwnPartitions({
      leases: leasesOf(leases, self),
      instanceId: name,
      startConsumer: (partition) => startConsumer(self, partition),
      log,
    });
    const part = { workers, mayWork: () => self().mayWork };
    const owner = startPartitionOwner(own, part, () => partitionCount, log, 50);
    const hooks = { asks: atOnce, answers: atOnce, ends: atOnce };
    const member: Member = { name, owner, logs, consuming: [], ...hooks, isDead: false, mayWork: true };
    members.push(member);
    return member;
  }

  async function stop(member: Member): Promise<void> {
    team.heard.delete(member.name);
    await member.owner.close();
  }

  /** Its rounds do nothing more, and its consumers are gone with it. */
  function kill(member: Member): void {
    team.heard.delete(member.name);
    member.isDead = true;
    member.asks = () => Promise.reject(new Error('it is dead'));
  }

  /** Its leases run out. */
  async function expire({ name }: Member): Promise<void> {
    await team.leaseDocuments.updateMany({ holder: name }, { $set: { until: new Date(0) } });
  }

  /** Each of all that are heard consumes an equal share, and nothing is left. */
  function untilShared(...sharing: Member[]) {
    return waitFor(() => {
      const share = partitionCount / sharing.length;
      for (const member of sharing) {
        expect(member.owner.owned()).toEqual(consumed(member));
        expect([Math.floor(share), Math.ceil(share)]).toContain(member.consuming.length);
      }
      const all = sharing.flatMap(consumed).sort((a, b) => a - b);
      expect(all).toEqual([...Array.from({ length: partitionCount }).keys()]);
      return true;
    });
  }

  return team;
}

/** The leases, as one worker reaches them. */
function leasesOf(leases: Leases, own: () => Member): Omit<Leases, 'find'> {
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
