import { partitionOf } from '../domain/partition.ts';
import { countOrders } from '../domain/workspace-orders.ts';
import type { PostingJob, QueueInspection } from '../queue/inspection.ts';
import type { AuditEvent } from '../storage/audit.ts';
import type { Collections } from '../storage/collections.ts';
import type { TrailOrder } from '../storage/orders/documents.ts';
import { releaseAction } from './actions.ts';
import { describeActor, describeEvent } from './audited.ts';

export interface TrailStep {
  readonly at: Date;
  readonly what: string;
}

const eventsMax = 20;
/** A job may be finished a little after the commit of its last order. */
const jobEndMarginMs = 10_000;

/**
 * Follows one order. What MongoDB holds is the truth, and stays, with what operators did about the order. What its jobs add
 * is there only while the jobs are kept.
 * @param partitionCount as it is now: jobs of orders that came while it was another one may not be found.
 * @returns undefined if there is no such order. @throws if MongoDB is away.
 */
export async function followOrder(
  orderId: string,
  { backlog, auditEvents }: Pick<Collections, 'backlog' | 'auditEvents'>,
  inspection: QueueInspection,
  partitionCount: number,
) {
  const order = await backlog.find(orderId);
  if (order === undefined) return undefined;
  // What later orders use of it moves `updatedAt`.
  const endedAt = order.completedAt ?? order.updatedAt;
  const until = new Date(endedAt.getTime() + jobEndMarginMs);
  const partition = partitionOf(order.workspaceId, partitionCount);
  const { workspaceId, createdAt, executeAt = createdAt } = order;
  const subject = { name: 'transferId', id: orderId } as const;
  const [jobs, events, made] = await Promise.all([
    inspection.jobsOf(orderId, partition, executeAt, until).catch(() => undefined),
    // What is set aside and released is the first order of an atomic batch, with the others.
    auditEvents.about(workspaceId, subject, eventsMax, order.firstId),
    order.request === undefined ? auditEvents.thatMade(subject, createdAt) : undefined,
  ]);
  const steps = [
    ...orderSteps(order),
    ...(jobs ?? []).flatMap(jobSteps),
    ...(made === undefined ? events : [...events, made]).map((event) => ({
      at: event.createdAt,
      what: whatWasDone(event),
    })),
  ];
  return {
    order,
    /** In the order of time. */
    steps: steps.sort((a, b) => a.at.getTime() - b.at.getTime()),
    /** The jobs still kept that carry the order. */
    jobs: (jobs ?? []).map(({ id, queueName }) => ({ id: id ?? '', queue: queueName })),
    /** Whether Redis could be asked for the jobs. */
    areJobsKnown: jobs !== undefined,
  };
}

function orderSteps({
  status,
  failure,
  createdAt,
  completedAt,
  updatedAt,
  executeAt,
  postedBy,
  fault,
  releasedFault,
  stuckSince,
  request,
}: TrailOrder): TrailStep[] {
  const forWhom = request === undefined ? '' : `, asked for by key ${request.keyId}`;
  const steps: TrailStep[] =
    executeAt === undefined
      ? [{ at: createdAt, what: `accepted: recorded as PENDING${forWhom}` }]
      : [{ at: createdAt, what: `accepted: recorded as SCHEDULED, for ${executeAt.toISOString()}${forWhom}` }];
  if (status === 'SCHEDULED') return steps;
  if (status === 'CANCELLED') return [...steps, { at: updatedAt, what: 'cancelled' }];
  // When it was started is known only as long as nothing has happened to it since.
  if (executeAt !== undefined) {
    const startedAt = status === 'PENDING' ? updatedAt : executeAt;
    steps.push({ at: startedAt, what: 'its time came: PENDING' });
  }
  for (const { at, attempts, reason } of [releasedFault, fault].filter((each) => each !== undefined)) {
    const times = attempts === 1 ? 'once' : `${attempts} times`;
    steps.push({ at, what: `could not be posted, ${times}: ${reason}` });
  }
  if (stuckSince instanceof Date)
    steps.push({ at: stuckSince, what: 'set aside: nobody tries it until it is released' });
  if (status !== 'PENDING') {
    const by = postedBy === undefined ? '' : ` by worker ${postedBy.worker}`;
    const runs = postedBy === undefined || postedBy.attempts === 1 ? '' : `, in ${postedBy.attempts} attempts`;
    const outcome = failure === null ? status : `${status} (${failure})`;
    steps.push({ at: completedAt ?? updatedAt, what: `posted${by}${runs}: ${outcome}` });
  }
  return steps;
}

/** A release may be one of many orders, which are not named here. */
function whatWasDone(event: AuditEvent): string {
  if (event.action !== releaseAction) return describeEvent(event);
  const { transferIds, reason } = event.subject;
  const others = Array.isArray(transferIds) ? transferIds.length - 1 : 0;
  const outcome = event.outcome === 'DONE' ? '' : `; ${event.outcome}`;
  return `released by ${describeActor(event)}${others > 0 ? `, with ${others} more` : ''}: ${String(reason ?? 'no reason given')}${outcome}`;
}

function jobSteps(job: PostingJob): TrailStep[] {
  const others = countOrders(job.data.batches) - 1;
  const name = `job ${job.id ?? ''}`;
  const steps = [
    { at: new Date(job.timestamp), what: `enqueued in ${name}${others === 0 ? '' : `, with ${others} other orders`}` },
  ];
  if (job.processedOn !== undefined) steps.push({ at: new Date(job.processedOn), what: `${name} taken by a worker` });
  if (job.finishedOn !== undefined) {
    const end = job.failedReason ? `failed after ${job.attemptsMade} attempts: ${job.failedReason}` : 'done';
    steps.push({ at: new Date(job.finishedOn), what: `${name} ${end}` });
  }
  return steps;
}
