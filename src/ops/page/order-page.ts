import type { Presenter } from '../../orders/present.ts';
import { isByExpiry } from '../../orders/release.ts';
import { localise } from '../../http/localise.ts';
import { hasIdForm } from '../../domain/ids.ts';
import { legsOf, type Order } from '../../orders/order.ts';
import type { AuditEvent } from '../../storage/audit.ts';
import { releaseAction } from '../release.ts';
import { html, type Html, type Part } from './html.ts';
import { facts, idLink, idTitle, orderMark, section, shortId, table, withLinks, workspaceLink } from './parts.ts';
import { releaseForm } from './release-form.ts';
import type { PageContext } from './serving.ts';
import { duration, time, windowOf } from './words.ts';

type LimitShown = ReturnType<Presenter['limitUse']>;

/** One line of the way of an order. */
interface Step {
  readonly at: Date;
  readonly what: string;
}

const eventsMax = 20;

/** One order: its values, its way from acceptance to its end, and what operators did about it; undefined if there is none. */
export async function orderPage(id: string, { collections, present, canAct }: PageContext): Promise<Html | undefined> {
  const { backlog, auditEvents } = collections;
  const order = await backlog.find(id);
  if (order === undefined) return undefined;
  const { workspaceId, createdAt } = order;
  const subject = { name: 'transferId', id } as const;
  const [events, made] = await Promise.all([
    // What is set aside and released is the first order of an atomic batch, with the others.
    auditEvents.about(workspaceId, subject, eventsMax, order.firstId),
    order.request === undefined ? auditEvents.thatMade(subject, createdAt) : undefined,
  ]);
  const done = (made === undefined ? events : [...events, made]).map((event) => ({
    at: event.createdAt,
    what: whatWasDone(event),
  }));
  const steps = [...orderSteps(order), ...done].sort((a, b) => a.at.getTime() - b.at.getTime());
  const isSetAside = order.stuckSince instanceof Date;
  return html`<section>${idTitle('Order', order.id)} ${facts(factsOf(order, present))}</section>
    ${canAct && isSetAside ? releaseForm(order.id) : ''} ${legsTable(order, present)}
    <section>
      <h2>Its way</h2>
      ${wayTable(steps, createdAt)}
    </section>`;
}

/** What the only leg of an order moves; or how many it has, which {@link legsTable} shows. */
function movedBy(order: Order, present: Presenter): Readonly<Record<string, Part>> {
  const legs = legsOf(order);
  const [leg] = legs;
  if (order.legs !== undefined || leg === undefined) return { legs: legs.length };
  return {
    amount: `${present.money(leg.amount, leg.currency)} ${leg.currency}`,
    from: idLink(leg.sourceWalletId),
    to: idLink(leg.targetWalletId),
  };
}

/** The legs of an order that was asked for by them, as lists number them: from 0. */
function legsTable(order: Order, present: Presenter): Html | '' {
  const { legs } = present.order(order);
  if (legs === null || order.legs === undefined) return '';
  const rows = order.legs.map((leg, place) => ({ ...leg, place, reversed: legs[place]?.reversedAmount ?? '' }));
  type Row = (typeof rows)[number];
  const isReversal = rows.some(({ parentLeg }) => parentLeg !== undefined);
  return section(
    'Its legs',
    table<Row>({
      id: 'legs',
      columns: {
        leg: ({ place }) => (place === order.failureLeg ? html`<b class="status FAILED">${place}</b>` : place),
        amount: ({ amount, currency }) => `${present.money(amount, currency)} ${currency}`,
        from: ({ sourceWalletId }) => idLink(sourceWalletId),
        to: ({ targetWalletId }) => idLink(targetWalletId),
        ...(isReversal
          ? { 'reverses leg': ({ parentLeg }: Row) => parentLeg ?? '' }
          : { reversed: (row: Row) => row.reversed }),
        description: ({ description = '' }) => description,
      },
      rows,
    }),
  );
}

function factsOf(order: Order, present: Presenter): Readonly<Record<string, Part>> {
  const { id, workspaceId, currency = '', parentId, batchId, failure, failureLeg, postedBy } = order;
  const { hold, reversedAmount, failure: shown } = present.order(order);
  const limit = shown?.limit;
  return {
    status: orderMark(order),
    ...(failure !== null && { 'that is': localise(failure, 'en-US') }),
    ...(limit && { 'limit that it would pass': passed(limit, order.failureLimit?.currency) }),
    type: order.type,
    ...(failureLeg !== undefined && { 'leg at fault': failureLeg }),
    ...movedBy(order, present),
    ...(parentId !== undefined && { 'refers to': idLink(parentId) }),
    ...(batchId !== undefined && { batch: batchOf(order, batchId) }),
    ...(reversedAmount !== null && reversedAmount !== present.money('0', currency) && { reversed: reversedAmount }),
    ...(hold?.state && {
      hold: `${hold.state}: ${hold.captured} captured, ${hold.released} released, ${hold.remaining} remains`,
    }),
    ...(order.executeAt && { 'to be posted': time(order.executeAt) }),
    ...(order.expiresAt && { expires: time(order.expiresAt) }),
    ...(order.description !== undefined && { description: order.description }),
    ...(order.reference !== undefined && { reference: order.reference }),
    workspace: workspaceLink(workspaceId),
    ...(order.bizId !== id && { bizId: html`<code>${order.bizId}</code>` }),
    'made by': madeBy(order),
    worker: postedBy === undefined ? 'none yet' : html`<code>${postedBy.worker}</code>`,
    attempts: postedBy?.attempts ?? order.fault?.attempts ?? 0,
  };
}

/** A limit or budget, as it stood when the order was judged. */
function passed({ name, amount, count, window, used, usedCount }: LimitShown, currency = ''): string {
  const most = [amount && `${used} of ${amount} ${currency} used`, count !== null && `${usedCount} of ${count} orders`];
  return `${name}, ${windowOf(window)}: ${most.filter(Boolean).join(', ')}`;
}

function madeBy({ request, apiKey = request?.keyId, terms }: Order): Html | string {
  if (apiKey !== undefined) return html`key ${idLink(apiKey)}`;
  return isByExpiry(terms) ? 'the service, because the hold expired' : 'an operator';
}

function batchOf({ otherIds, firstId }: Order, batch: string): Html {
  const isAtomic = otherIds !== undefined || firstId !== undefined;
  const first = firstId === undefined ? '' : html`, behind ${idLink(firstId)}`;
  return html`${shortId(batch)} ${isAtomic ? html`(atomic${first})` : ''}`;
}

function wayTable(steps: readonly Step[], begunAt: Date): Html {
  return table<Step>({
    id: 'trail',
    columns: {
      time: ({ at }) => time(at),
      after: ({ at }) => `+${duration(Math.max(0, at.getTime() - begunAt.getTime()))}`,
      what: ({ what }) => withLinks(what),
    },
    rows: steps,
    nothing: 'Nothing is known.',
  });
}

function orderSteps(order: Order): Step[] {
  const { status, failure, createdAt, completedAt, updatedAt, executeAt } = order;
  const { postedBy, fault, releasedFault, stuckSince, request } = order;
  const forWhom = request === undefined ? '' : `, asked for by key ${request.keyId}`;
  const steps: Step[] =
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
