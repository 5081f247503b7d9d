import { partitionOf } from '../domain/partition.ts';
import { partitionLease } from '../posting/own-partitions.ts';
import type { QueueInspection } from '../queue/inspection.ts';
import type { AuditEvent, AuditEvents } from '../storage/audit.ts';
import type { Collections } from '../storage/collections.ts';
import type { Look } from '../storage/orders/backlog.ts';
import type { Overview } from './overview.ts';

type PostingLookups = ReturnType<typeof createPostingLookups>;
export type ProcessView = NonNullable<Awaited<ReturnType<PostingLookups['process']>>>;
export type PartitionView = NonNullable<Awaited<ReturnType<PostingLookups['partition']>>>;

const workspacesShownMax = 20;
const jobsShownMax = 10;
const eventsShownMax = 10;
/** Of each action, how many of the newest events are looked through. */
const eventsReadMax = 50;

/**
 * What the operator can look up about one process or one partition. Each answer is bounded, and undefined if there is no such
 * thing; it rejects if MongoDB or Redis is away.
 */
export function createPostingLookups(
  collections: Pick<Collections, 'backlog' | 'auditEvents' | 'leases'>,
  inspection: Pick<QueueInspection, 'activeJobs'>,
  readOverview: () => Promise<Overview>,
  lastLook: () => Look | undefined,
) {
  const { auditEvents, backlog, leases } = collections;
  return {
    /** A process that is alive, as of its last report. */
    async process(id: string) {
      const { at, processes } = await readOverview();
      const report = known(processes).find((each) => each.id === id);
      if (report === undefined) return undefined;
      return { at, report, events: await newest(auditEvents, 'workers', ({ worker }) => worker === id) };
    },

    async partition(number: number) {
      const { at, partitions, backlog: all } = await readOverview();
      const state = known(partitions)[number];
      const look = known(lastLook());
      if (state === undefined) return undefined;
      const isHere = (workspaceId: string): boolean => partitionOf(workspaceId, known(partitions).length) === number;
      const waitingOf = [...look.waitingOf].filter(([id]) => isHere(id)).sort(([, a], [, b]) => b - a);
      const [workspaces, lease, jobs, events] = await Promise.all([
        Promise.all(
          waitingOf.slice(0, workspacesShownMax).map(async ([id, waiting]) => {
            return { id, waiting, oldestPendingAt: await backlog.oldestOf(id) };
          }),
        ),
        leases.find(partitionLease(number)),
        inspection.activeJobs(number, jobsShownMax),
        newest(auditEvents, 'partitions', ({ partition }) => partition === number),
      ]);
      return {
        at,
        ...state,
        lease,
        /** Orders that wait; at least so many if `isLowerBound`. */
        waiting: waitingOf.reduce((sum, [, waiting]) => sum + waiting, 0),
        isLowerBound: all?.isLowerBound ?? true,
        /** Those with most orders that wait, and how many workspaces have some. */
        workspaces,
        workspacesWaiting: waitingOf.length,
        activeJobs: jobs,
        /** Orders set aside, of all partitions. */
        stuck: all?.stuck,
        events,
      };
    },
  };
}

function known<T>(read: T | undefined): T {
  if (read === undefined) throw new Error('MongoDB or Redis does not answer');
  return read;
}

/** The newest pauses and resumptions of one thing, newest first. */
async function newest(
  auditEvents: AuditEvents,
  noun: 'workers' | 'partitions',
  isIt: (subject: AuditEvent['subject']) => boolean,
): Promise<AuditEvent[]> {
  const pages = await Promise.all(
    ['pause', 'resume'].map((verb) => auditEvents.list({ action: `${noun} ${verb}` }, eventsReadMax)),
  );
  const found = pages.flatMap(({ items }) => items).filter(({ subject }) => isIt(subject));
  return found.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime()).slice(0, eventsShownMax);
}
