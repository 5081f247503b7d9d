import { Decimal128, type Document } from 'mongodb';
import { newId, timeOfId } from '../../../src/domain/ids.ts';
import type { CatalogueFault, FaultRun } from '../harness/fault.ts';
import { wake } from '../harness/posting-jobs.ts';
import { waitFor } from '../../support/wait-for.ts';

const groupSize = 120;
const setAsideWithinMs = 30_000;

interface OrderDocument extends Document {
  _id: string;
  workspaceId: string;
}

export const orderFaults: readonly CatalogueFault[] = (
  [
    ['poison-order', 'has not the currency of its wallets', { currency: 'EUR' }],
    ['refused-order', 'is one that MongoDB refuses to change', { request: null }],
  ] as const
).map(([name, how, change]): CatalogueFault => ({
  name,
  what: `an order in a full group ${how}: it alone is set aside`,
  breaks: [],
  reliesOn: ['worker 1', 'mongodb'],
  does: (run) => insertPoison(run, change),
}));

/** @param change what makes an order of a group one that cannot be posted. */
async function insertPoison(run: FaultRun, change: Document): Promise<void> {
  const { stack, choices, breach } = run;
  const orders = Array.from({ length: groupSize }, () => newOrder(run));
  const poison = Object.assign(orders[choices.whole(0, groupSize - 1)]!, change);
  const neighbours = orders.filter((order) => order !== poison).map(({ _id }) => _id);
  stack.byHand.setAside.push(poison._id);
  stack.byHand.completed.push(...neighbours);
  const collection = stack.mongodb.client.db().collection<OrderDocument>('orders');
  await collection.insertMany(orders, { bypassDocumentValidation: true });
  await wake(stack, [stack.books[0].workspaceId]);

  const isApart = async (): Promise<boolean> => {
    const [pending, stuck] = await Promise.all([
      collection.countDocuments({ _id: { $in: neighbours }, status: 'PENDING' }),
      collection.countDocuments({ _id: poison._id, status: 'SET_ASIDE' }),
    ]);
    return pending === 0 && stuck === 1;
  };
  await waitFor(isApart, { timeoutMs: setAsideWithinMs, what: 'the poison order set aside, its neighbours terminal' });
  const listed = JSON.stringify(await stack.admin('transfer', 'stuck'));
  if (!listed.includes(poison._id)) breach(`"transfer stuck" does not name ${poison._id}: ${listed}`);
}

function newOrder({ stack, choices }: FaultRun): OrderDocument {
  const wallets = stack.books[0].wallets.get('USD') ?? [];
  const source = choices.pick(wallets);
  const target = choices.pick(wallets.filter((other) => other !== source));
  const id = newId('order');
  const createdAt = timeOfId('order', id);
  return {
    ...{ _id: id, bizId: id, workspaceId: stack.books[0].workspaceId, currency: 'USD' },
    ...{ type: 'TRANSFER', sourceWalletId: source, targetWalletId: target, wallets: [source, target] },
    ...{ amount: Decimal128.fromString('0.01'), status: 'PENDING', failure: null, completedAt: null },
    ...{ createdAt, updatedAt: createdAt },
  };
}
