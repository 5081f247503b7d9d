import { Money } from '../../src/domain/money.ts';
import { newOrder } from '../../src/orders/order.ts';
import { majorityJournaled } from '../../src/storage/shared/commands.ts';
import type { Measured } from '../measure/measured.ts';
import { toDocument, type OrderDocument } from '../../src/storage/orders/documents.ts';
import type { Stage } from '../servers/stage.ts';
import { currency } from '../servers/workspace.ts';

const groupSize = 256;
const groupCount = 40;
const warmUpGroups = 8;

/** Order documents a second that MongoDB takes, 256 a command and one command after the other, with the same indexes. */
export async function measureInsertMany({ world }: Stage): Promise<Measured> {
  const orders = world.db.collection<OrderDocument>('orders', { writeConcern: majorityJournaled });
  const groups = Array.from({ length: warmUpGroups + groupCount }, () =>
    Array.from({ length: groupSize }, (_, index) => {
      const order = newOrder({
        type: 'TRANSFER',
        workspaceId: world.workspaceId,
        sourceWalletId: world.walletIds[index % world.walletIds.length] ?? '',
        targetWalletId: world.walletIds[(index + 1) % world.walletIds.length] ?? '',
        amount: new Money(1),
        currency,
      });
      return toDocument(order);
    }),
  );
  for (const group of groups.splice(0, warmUpGroups)) await orders.insertMany(group, { ordered: false });
  const startedAt = performance.now();
  for (const group of groups) await orders.insertMany(group, { ordered: false });
  const seconds = (performance.now() - startedAt) / 1000;
  const done = groupCount * groupSize;
  return { done, recorded: done, seconds, perSecond: done / seconds, cpuMicros: {} };
}
