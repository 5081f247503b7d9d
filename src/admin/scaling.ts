import type { Command } from 'commander';
import { createPartitionReader, usedOf } from '../ops/partitions.ts';
import { activityOf, createScaling } from '../ops/scaling.ts';
import { openQueueInspection } from '../queue/inspection.ts';
import type { Printed } from './output.ts';
import { withRedis, withSession, type Session } from './session.ts';

export function addScalingCommand(program: Command): void {
  program
    .command('scaling')
    .description('how many workers the load asks for: what /scaling answers, where no operations port can be reached')
    .action(withSession((_, session) => showScaling(session)));
}

async function showScaling(session: Session): Promise<Printed> {
  const { settings, collections } = session;
  const { BACKLOG_MAX: countMax } = settings;
  const { backlog } = collections;
  const look = await backlog.look({ countMax, perWorkspaceMax: countMax });
  const { pending: pendingOrders, isLowerBound } = await backlog.read(look, countMax);
  const count = await collections.partitioning.agree(settings.POSTING_PARTITIONS);
  const { paused } = (await collections.partitioning.read()) ?? { paused: new Set() };
  const known = { now: () => count, isPaused: (partition: number) => paused.has(partition) };
  return withRedis(session, async (redis) => {
    const inspection = openQueueInspection(redis, settings.QUEUE_PREFIX);
    try {
      const reports = collections.processReports.latest();
      const partitions = await createPartitionReader(inspection, known)(reports);
      const activity = activityOf(await reports);
      const load = { ...activity, pending: pendingOrders, ...usedOf(partitions) };
      const { suggestedWorkers, backlogSeconds, drainSeconds, limitedBy } = createScaling()(load);
      const { workersAlive } = activity;
      return { suggestedWorkers, workersAlive, pendingOrders, isLowerBound, backlogSeconds, drainSeconds, limitedBy };
    } finally {
      await inspection.close();
    }
  });
}
