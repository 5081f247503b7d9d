import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { partitionsMax } from '../settings/settings.ts';
import { createQueueCache } from '../queue/queue.ts';
import { pausePartition, type PauseVerb } from '../ops/actions.ts';
import { CommandError } from './failures.ts';
import type { Printed } from './output.ts';
import { parsePartition, parsePartitionCount, parseReason } from './parameters.ts';
import { refuseUnlessAll } from './ready.ts';
import { withRedis, withSession, type Session } from './session.ts';

/** Longer than a running process takes to notice, and to close the consumers of queues that nothing is added to any more. */
const followedAfterMs = 4_000;

export function addPartitionsCommands(program: Command): void {
  const noun = program.command('partitions').description('into how many parts posting is divided among the workers');
  noun
    .command('show')
    .description('how many partitions there are, and which are paused')
    .action(
      withSession(async (_, { collections }) => {
        const { count = null, paused = [] } = (await collections.partitioning.read()) ?? {};
        return { partitions: count, paused: [...paused].sort((a, b) => a - b) };
      }),
    );
  noun
    .command('set')
    .description('divide posting into another number of partitions while the service runs; nothing is lost')
    .requiredOption('--count <n>', `1 to ${partitionsMax}`, parsePartitionCount)
    .action(withSession<{ count: number }>(({ count }, session) => setPartitions(count, session)));
  addPauseCommand(noun, 'pause', 'begin no more orders of a partition; they are accepted, and wait');
  addPauseCommand(noun, 'resume', 'go on with the orders of a partition that was paused');
}

function addPauseCommand(noun: Command, verb: PauseVerb, description: string): void {
  noun
    .command(verb)
    .description(description)
    .requiredOption('--partition <n>', 'its number, from 0 on', parsePartition)
    .requiredOption('--reason <text>', 'why, for the audit', parseReason)
    .action(
      withSession<{ partition: number; reason: string }>(async ({ partition, reason }, session) => {
        const { partitioning } = session.collections;
        if (!(await pausePartition(partitioning, session.audited, { verb, partition, reason }))) {
          const count = (await partitioning.count()) ?? 0;
          throw new CommandError(`there is no partition ${partition}: there are ${count}, from 0 on`);
        }
        return { partition, isPaused: verb === 'pause' };
      }),
    );
}

async function setPartitions(count: number, session: Session): Promise<Printed> {
  const { collections, audited } = session;
  const before = (await collections.partitioning.count()) ?? 0;
  await refuseUnlessAll(collections, ({ partitionCount = count }) => partitionCount === count, {
    lack: `with another POSTING_PARTITIONS than ${count}, and would not start again`,
    toDo: 'Take the setting away from every process, restart them, and run this again',
  });
  return withRedis(session, async (redis) => {
    const queues = createQueueCache(redis, session.settings.QUEUE_PREFIX);
    try {
      const change = { action: 'partitions set', workspaceId: null, subject: { from: before, to: count } };
      await audited(change, () => collections.partitioning.change(count));
      // Queues beyond the new number are no longer consumed. The sweeper finds the orders of their jobs.
      if (count < before) await setTimeout(followedAfterMs);
      for (let partition = count; partition < before; partition += 1) {
        await queues.get(partition).obliterate({ force: true });
      }
      return { partitions: count };
    } finally {
      await queues.close();
    }
  });
}
