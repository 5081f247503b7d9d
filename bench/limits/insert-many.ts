import { newId } from '../../src/domain/ids.ts';
import { newOrder, type OrderValues } from '../../src/orders/order.ts';
import { majorityJournaled } from '../../src/storage/shared/commands.ts';
import { cpuMicrosEach, type Measured } from '../measure/measured.ts';
import { toDocument, type OrderDocument } from '../../src/storage/orders/documents.ts';
import { cpuSeconds, cpuSince } from '../servers/process-times.ts';
import type { Stage } from '../servers/stage.ts';
import { currency } from '../servers/workspace.ts';

/** Of creates that came at one moment. */
const usualGroupSize = 256;
const orderCount = 10_240;
const warmUpOrders = 2_048;

/** Order documents a second that MongoDB takes, one command after the other, with the same indexes. */
export function measureInsertMany(stage: Stage): Promise<Measured> {
  return measureGroups(stage, usualGroupSize, () => ({}));
}

/** The same of the orders of batches, a batch a command. */
export function measureInsertBatches(stage: Stage, lines: number): Promise<Measured> {
  return measureGroups(stage, lines, () => ({ batchId: newId('batch') }));
}

async function measureGroups(
  { world, servers }: Stage,
  groupSize: number,
  valuesOfGroup: () => Pick<OrderValues, 'batchId'>,
): Promise<Measured> {
  const warmUpGroups = Math.ceil(warmUpOrders / groupSize);
  const groupCount = Math.ceil(orderCount / groupSize);
  const orders = world.db.collection<OrderDocument>('orders', { writeConcern: majorityJournaled });
  const groups = Array.from({ length: warmUpGroups + groupCount }, () => {
    const values = valuesOfGroup();
    return Array.from({ length: groupSize }, (_, index) => {
      const order = newOrder({
        type: 'TRANSFER',
        workspaceId: world.workspaceId,
        sourceWalletId: world.walletIds[index % world.walletIds.length] ?? '',
        targetWalletId: world.walletIds[(index + 1) % world.walletIds.length] ?? '',
        amount: '1',
        currency,
        ...values,
      });
      return toDocument(order);
    });
  });
  for (const group of groups.splice(0, warmUpGroups)) await orders.insertMany(group, { ordered: false });
  const before = await cpuSeconds(servers.pids);
  const startedAt = performance.now();
  for (const group of groups) await orders.insertMany(group, { ordered: false });
  const seconds = (performance.now() - startedAt) / 1000;
  const used = cpuSince(before, await cpuSeconds(servers.pids));
  const done = groupCount * groupSize;
  return { done, recorded: done, seconds, perSecond: done / seconds, cpuMicros: cpuMicrosEach(used, done) };
}
