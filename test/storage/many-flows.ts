import { MongoClient, type Document } from 'mongodb';
import { flowId, leastIdAt, newId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import { toDecimal128 } from '../../src/storage/shared/decimal.ts';

type Stored = Document & { _id: string };

const start = Date.parse('2026-01-01T00:00:00Z');
const rowsAtOnce = 10_000;
/** Flows of one millisecond. */
const together = 3;

/** The time of a flow, by its sequence. */
export const timeOfFlow = (sequence: number): Date => new Date(start + Math.floor((sequence - 1) / together));

/**
 * Stores a wallet of so many flows and their orders, as posting would have left them, each third one a debit of 1 and the
 * others credits of 2.
 */
export async function insertFlows(uri: string, workspaceId: string, count: number) {
  const client = new MongoClient(uri);
  const db = client.db();
  const [walletId, other] = [newId('wallet'), newId('wallet')];
  let [balance, debits] = [0, 0];
  const orderIdOf = (sequence: number): string =>
    leastIdAt('order', timeOfFlow(sequence)).slice(0, -16) + walletId.slice(-7) + String(sequence).padStart(9, '0');
  const flowOf = (sequence: number): Stored => {
    const isDebit = sequence % 3 === 0;
    const before = balance;
    balance += isDebit ? -1 : 2;
    debits += isDebit ? 1 : 0;
    return {
      ...{ _id: flowId(walletId, sequence), workspaceId, walletId, sequence, direction: isDebit ? 'DEBIT' : 'CREDIT' },
      ...{
        amount: decimal(isDebit ? 1 : 2),
        currency: 'USD',
        balanceBefore: decimal(before),
        balanceAfter: decimal(balance),
      },
      ...{ debits: String(debits), transferId: orderIdOf(sequence), counterpartyWalletId: other },
      ...{ createdAt: timeOfFlow(sequence), hash: 'f'.repeat(64) },
    };
  };
  const orderOf = (sequence: number): Stored => {
    const at = timeOfFlow(sequence);
    const [sourceWalletId, targetWalletId] = sequence % 3 === 0 ? [walletId, other] : [other, walletId];
    return {
      ...{ _id: orderIdOf(sequence), bizId: `many-${walletId}-${sequence}`, workspaceId, type: 'TRANSFER' },
      ...{ sourceWalletId, targetWalletId, wallets: [sourceWalletId, targetWalletId], currency: 'USD' },
      ...{ amount: decimal(sequence % 3 === 0 ? 1 : 2), status: 'COMPLETED', failure: null },
      ...{ createdAt: at, updatedAt: at, completedAt: at },
    };
  };
  const options = { bypassDocumentValidation: true, ordered: false };
  for (let first = 1; first <= count; first += rowsAtOnce) {
    const sequences = Array.from({ length: Math.min(rowsAtOnce, count - first + 1) }, (_, index) => first + index);
    await db.collection<Stored>('flows').insertMany(sequences.map(flowOf), options);
    await db.collection<Stored>('orders').insertMany(sequences.map(orderOf), options);
  }
  const lastFlowAt = timeOfFlow(count);
  await db.collection<Stored>('wallets').insertOne(
    {
      ...{ _id: walletId, workspaceId, name: 'long', currency: 'USD', kind: 'STANDARD', status: 'ACTIVE' },
      ...{ balance: decimal(balance), sequence: count, debitFlows: Math.floor(count / 3), debits: String(debits) },
      ...{ orders: {}, flowHash: 'f'.repeat(64), lastFlowAt, version: count, updatedAt: lastFlowAt },
      createdAt: new Date(start - 1),
    },
    { bypassDocumentValidation: true },
  );
  await client.close();
  return { walletId, from: new Date(start), to: new Date(lastFlowAt.getTime() + 1), balance, debits };
}

function decimal(value: number) {
  return toDecimal128(new Money(value));
}
