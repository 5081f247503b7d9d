import type { Presenter } from '../../orders/present.ts';
import { isByExpiry } from '../../orders/release.ts';
import { localise } from '../../http/localise.ts';
import { followOrder, type TrailStep } from '../trail.ts';
import { html, type Html, type Part } from './html.ts';
import { facts, idLink, idTitle, orderMark, shortId, table, withLinks } from './parts.ts';
import { releaseForm } from './release-form.ts';
import type { PageContext } from './serving.ts';
import { duration, time } from './words.ts';

type OrderView = NonNullable<Awaited<ReturnType<typeof followOrder>>>;

/** One order: its values, its way from acceptance to its end, and what operators did about it; undefined if there is none. */
export async function orderPage(id: string, { collections, present, canAct }: PageContext): Promise<Html | undefined> {
  const view = await followOrder(id, collections);
  if (view === undefined) return undefined;
  const { order, steps } = view;
  const isSetAside = order.stuckSince instanceof Date;
  return html`<section>${idTitle('Order', order.id)} ${facts(factsOf(view, present))}</section>
    ${canAct && isSetAside ? releaseForm(order.id) : ''}
    <section>
      <h2>Its way</h2>
      ${trailTable(steps, order.createdAt)}
    </section>`;
}

function factsOf({ order }: OrderView, present: Presenter): Readonly<Record<string, Part>> {
  const { id, workspaceId, amount, currency, parentId, batchId, failure, postedBy } = order;
  const { hold, reversedAmount } = present.order(order);
  return {
    status: orderMark(order),
    ...(failure !== null && { 'that is': localise(failure, 'en-US') }),
    type: order.type,
    amount: `${present.money(amount, currency)} ${currency}`,
    from: idLink(order.sourceWalletId),
    to: idLink(order.targetWalletId),
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
    workspace: idLink(workspaceId),
    ...(order.bizId !== id && { bizId: html`<code>${order.bizId}</code>` }),
    'made by': madeBy(order),
    worker: postedBy === undefined ? 'none yet' : html`<code>${postedBy.worker}</code>`,
    attempts: postedBy?.attempts ?? order.fault?.attempts ?? 0,
  };
}

function madeBy({ request, terms }: OrderView['order']): Html | string {
  if (request !== undefined) return html`key ${shortId(request.keyId)}`;
  return isByExpiry(terms) ? 'the service, because the hold expired' : 'an operator';
}

function batchOf({ otherIds, firstId }: OrderView['order'], batch: string): Html {
  const isAtomic = otherIds !== undefined || firstId !== undefined;
  const first = firstId === undefined ? '' : html`, behind ${idLink(firstId)}`;
  return html`${shortId(batch)} ${isAtomic ? html`(atomic${first})` : ''}`;
}

function trailTable(steps: readonly TrailStep[], begunAt: Date): Html {
  return table<TrailStep>({
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
