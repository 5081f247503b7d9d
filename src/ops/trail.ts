import { hasIdForm } from '../domain/ids.ts';
import type { AuditEvent } from '../storage/audit.ts';
import type { Collections } from '../storage/collections.ts';
import type { Order } from '../orders/order.ts';
import { releaseAction } from './release.ts';

export interface TrailStep {
  readonly at: Date;
  readonly what: string;
}

const eventsMax = 20;

/**
 * Follows one order, by what MongoDB holds: the order itself, and what operators did about it.
 * @returns undefined if there is no such order. @throws if MongoDB is away.
 */
export async function followOrder(
  orderId: string,
  { backlog, auditEvents }: Pick<Collections, 'backlog' | 'auditEvents'>,
) {
  const order = await backlog.find(orderId);
  if (order === undefined) return undefined;
  const { workspaceId, createdAt } = order;
  const subject = { name: 'transferId', id: orderId } as const;
  const [events, made] = await Promise.all([
    // What is set aside and released is the first order of an atomic batch, with the others.
    auditEvents.about(workspaceId, subject, eventsMax, order.firstId),
    order.request === undefined ? auditEvents.thatMade(subject, createdAt) : undefined,
  ]);
  const steps = [
    ...orderSteps(order),
    ...(made === undefined ? events : [...events, made]).map((event) => ({
      at: event.createdAt,
      what: whatWasDone(event),
    })),
  ];
  return {
    order,
    /** In the order of time. */
    steps: steps.sort((a, b) => a.at.getTime() - b.at.getTime()),
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
}: Order): TrailStep[] {
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
  const { action, subject, outcome } = event;
  const by = describeActor(event);
  if (action !== releaseAction) return `${action} by ${by}: ${describeSubject(subject)}; ${outcome}`;
  const { transferIds, reason } = subject;
  const others = Array.isArray(transferIds) ? transferIds.length - 1 : 0;
  const end = outcome === 'DONE' ? '' : `; ${outcome}`;
  return `released by ${by}${others > 0 ? `, with ${others} more` : ''}: ${String(reason ?? 'no reason given')}${end}`;
}

/** Who made the change, as far as is known, and from where. */
function describeActor({ actor, claimedActor, address, host }: AuditEvent): string {
  const key = actor !== null && hasIdForm('apiKey', actor) ? `key ${actor}` : actor;
  const names = [key, claimedActor].filter((name) => name !== null);
  return `${names.length === 0 ? 'somebody' : names.join(' as ')} from ${address ?? host}`;
}

/** What was changed, and with which values: never nothing, because the events here name the order. */
function describeSubject(subject: AuditEvent['subject']): string {
  return Object.entries(subject)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(' ') : String(value)}`)
    .join(', ');
}
