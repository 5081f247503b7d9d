import { Decimal128, type ClientSession, type Db, type MongoClient } from 'mongodb';
import { hashFlow } from '../../src/domain/flow-hash.ts';
import { flowId, totalsId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import type { CountedStatus } from '../../src/domain/order-counts.ts';
import type { Direction } from '../../src/domain/wallet.ts';
import { majorityJournaled } from '../../src/storage/shared/commands.ts';
import type { OrderDocument } from '../../src/storage/orders/documents.ts';
import type { TotalsDocument } from '../../src/storage/wallets/totals.ts';
import type { WalletDocument } from '../../src/storage/wallets/documents.ts';

const partsMax = 32;

/** An order of one leg, which is all that is posted here. */
export type TransferDocument = OrderDocument &
  Required<Pick<OrderDocument, 'sourceWalletId' | 'targetWalletId' | 'amount'>> & { readonly currency: string };

/**
 * The plain way to post an order, correct and one at a time: a transaction that reads the order and both wallets, moves
 * the money, writes two flows and the order. The books it leaves are the product's own, and verify like them.
 */
export async function postOrder(client: MongoClient, db: Db, orderId: string): Promise<void> {
  await client.withSession((session) =>
    session.withTransaction(() => move(db, orderId, session), {
      readConcern: { level: 'snapshot' },
      writeConcern: majorityJournaled,
    }),
  );
}

async function move(db: Db, orderId: string, session: ClientSession): Promise<void> {
  const orders = db.collection<TransferDocument>('orders');
  const wallets = db.collection<WalletDocument>('wallets');
  const order = await orders.findOne({ _id: orderId }, { session });
  if (order?.status !== 'PENDING') return;
  const source = await wallets.findOne({ _id: order.sourceWalletId }, { session });
  const target = await wallets.findOne({ _id: order.targetWalletId }, { session });
  if (source === null || target === null) throw new Error(`order ${orderId} names a wallet that does not exist`);
  const now = new Date();
  const amount = new Money(order.amount.toString());
  if (amount.greaterThan(source.balance.toString())) {
    const failure = { status: 'FAILED', failure: 'INSUFFICIENT_BALANCE', updatedAt: now } as const;
    await orders.updateOne({ _id: orderId }, { $set: failure }, { session });
    const sides = { _id: { $in: [source._id, target._id] } };
    const one = { version: 1, [`orders.${order.type}.FAILED`]: 1 };
    await wallets.updateMany(sides, { $inc: one, $set: { updatedAt: now } }, { session });
    await countOrder(db, order, 'FAILED', session);
    return;
  }
  const debit = await moveOne(db, source, target._id, 'DEBIT', order, now, session);
  const credit = await moveOne(db, target, source._id, 'CREDIT', order, now, session);
  await db.collection<{ _id: string }>('flows').insertMany([debit, credit], { session });
  const settled = { status: 'COMPLETED', updatedAt: now, completedAt: now } as const;
  await orders.updateOne({ _id: orderId }, { $set: settled }, { session });
  await countOrder(db, order, 'COMPLETED', session);
}

/** In one of many parts of the workspace's totals, so that those who post at once seldom meet. */
async function countOrder(
  db: Db,
  order: TransferDocument,
  status: CountedStatus,
  session: ClientSession,
): Promise<void> {
  const { workspaceId, currency, type } = order;
  const _id = totalsId(workspaceId, `naive-${Math.floor(Math.random() * partsMax)}`);
  const update = { $inc: { [`orders.${currency}.${type}.${status}`]: 1 }, $setOnInsert: { kind: 'TOTALS' } } as const;
  await db.collection<TotalsDocument>('wallets').updateOne({ workspaceId, _id }, update, { upsert: true, session });
}

async function moveOne(
  db: Db,
  wallet: WalletDocument,
  counterpartyWalletId: string,
  direction: Direction,
  order: TransferDocument,
  now: Date,
  session: ClientSession,
): Promise<{ _id: string }> {
  const sequence = wallet.sequence + 1;
  const amount = new Money(order.amount.toString());
  const balanceBefore = new Money(wallet.balance.toString());
  const balanceAfter = direction === 'DEBIT' ? balanceBefore.minus(amount) : balanceBefore.plus(amount);
  const flow = {
    id: flowId(wallet._id, sequence),
    workspaceId: wallet.workspaceId,
    walletId: wallet._id,
    sequence,
    direction,
    amount,
    currency: order.currency,
    balanceBefore,
    balanceAfter,
    transferId: order._id,
    leg: 0,
    counterpartyWalletId,
    createdAt: wallet.lastFlowAt > now ? wallet.lastFlowAt : now,
  };
  const hash = hashFlow(wallet.flowHash, flow);
  const balance = Decimal128.fromString(balanceAfter.toFixed());
  const debits = new Money(wallet.debits).plus(direction === 'DEBIT' ? amount : 0).toFixed();
  const debitOrders = (wallet.debitOrders ?? 0) + (direction === 'DEBIT' ? 1 : 0);
  const change = { balance, sequence, debits, debitOrders, flowHash: hash, lastFlowAt: flow.createdAt, updatedAt: now };
  const one = { version: 1, [`orders.${order.type}.COMPLETED`]: 1, debitFlows: direction === 'DEBIT' ? 1 : 0 };
  await db
    .collection<WalletDocument>('wallets')
    .updateOne({ _id: wallet._id }, { $set: change, $inc: one }, { session });
  const { id, leg: _, ...fields } = flow;
  return {
    _id: id,
    ...fields,
    amount: Decimal128.fromString(amount.toFixed()),
    balanceBefore: Decimal128.fromString(balanceBefore.toFixed()),
    balanceAfter: balance,
    debits,
    debitOrders,
    hash,
  } as { _id: string };
}
