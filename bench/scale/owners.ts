import { setTimeout as delay } from 'node:timers/promises';
import { assignPartitions } from '../../src/domain/partition.ts';
import { partitionLease } from '../../src/posting/own-partitions.ts';
import type { Stage } from '../servers/stage.ts';

/** Partitions by the worker that owns them. */
export type Owners = ReadonlyMap<string, ReadonlySet<number>>;

const lookEveryMs = 100;
const ownedWithinMs = 60_000;

export async function ownersOf({ world, partitionCount }: Stage): Promise<Owners> {
  const leases = await world.db.collection<{ _id: string; holder: string }>('leases').find().toArray();
  const holderOf = new Map(leases.map(({ _id, holder }) => [_id, holder]));
  const owners = new Map<string, Set<number>>();
  for (let partition = 0; partition < partitionCount; partition += 1) {
    const holder = holderOf.get(partitionLease(partition));
    if (holder !== undefined) owners.set(holder, (owners.get(holder) ?? new Set()).add(partition));
  }
  return owners;
}

/** Waits until so many workers own what each of them is to own. @throws where they do not within a minute. */
export async function untilOwned(stage: Stage, workers: number): Promise<Owners> {
  const deadline = performance.now() + ownedWithinMs;
  for (;;) {
    const owners = await ownersOf(stage);
    if (owners.size === workers && areSettled(owners, stage.partitionCount)) return owners;
    if (performance.now() > deadline) throw new Error(`${workers} workers have not divided the partitions in a minute`);
    await delay(lookEveryMs);
  }
}

export function areSame(some: Owners, others: Owners): boolean {
  return [...some].every(([worker, own]) => others.get(worker)?.symmetricDifference(own).size === 0);
}

/** Whether a division among the same workers would leave everything as it is. */
function areSettled(owners: Owners, count: number): boolean {
  const holders = new Map([...owners].flatMap(([worker, own]) => [...own].map((partition) => [partition, worker])));
  const assigned = assignPartitions([...owners.keys()], count, holders);
  return areSame(new Map([...assigned].map(([worker, own]) => [worker, new Set(own)])), owners);
}
