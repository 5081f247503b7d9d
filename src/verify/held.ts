import { Money } from '../domain/money.ts';
import { isKnownType, typeOf } from '../orders/types.ts';
import type { BookedOrder, BookedWallet } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import type { Report } from './breach.ts';

/** The orders that may reserve something on a wallet, and how much they reserved when they were read. */
interface Reserving {
  readonly workspaceId: string;
  readonly orderIds: string[];
  amount: Money;
}

/**
 * Compares what wallets hold with what orders reserve on them. Wallets and orders are read at different moments, so those that
 * do not agree are read again, each in a snapshot with its orders. Its memory grows with the number of open holds.
 * @param since an id before which no order is recorded any more.
 */
export function createHeld(books: Books, since: string) {
  const wallets = new Map<string, Pick<BookedWallet, 'workspaceId' | 'held'>>();
  const reserving = new Map<string, Reserving>();

  return {
    addWallet({ id, workspaceId, held }: BookedWallet): void {
      if (!held.isZero()) wallets.set(id, { workspaceId, held });
    },
    addOrder(order: BookedOrder): void {
      if (order.status === 'FAILED' || order.status === 'CANCELLED') return;
      const reserved = reservedBy(order);
      if (reserved === undefined || (order.status === 'COMPLETED' && reserved.amount.isZero())) return;
      const { workspaceId } = order;
      const ofWallet = reserving.get(reserved.walletId) ?? { workspaceId, orderIds: [], amount: new Money(0) };
      ofWallet.orderIds.push(order.id);
      if (order.status === 'COMPLETED') ofWallet.amount = ofWallet.amount.plus(reserved.amount);
      reserving.set(reserved.walletId, ofWallet);
    },
    /** Call it once all were added. */
    async compare(report: Report): Promise<void> {
      for (const id of new Set([...wallets.keys(), ...reserving.keys()])) {
        const [wallet, orders] = [wallets.get(id), reserving.get(id)];
        if ((wallet?.held ?? new Money(0)).equals(orders?.amount ?? 0)) continue;
        const workspaceId = wallet?.workspaceId ?? orders?.workspaceId ?? '';
        const again = await books.walletWithOrders({ id, workspaceId }, orders?.orderIds ?? [], since);
        const reservations = again.orders.map(reservedBy).filter((reserved) => reserved?.walletId === id);
        const sum = reservations.reduce((total, reserved) => total.plus(reserved?.amount ?? 0), new Money(0));
        const held = again.wallet?.held ?? new Money(0);
        if (!held.equals(sum)) report('wallet-held', id, `says ${held.toFixed()}, its orders reserve ${sum.toFixed()}`);
      }
    },
  };
}

function reservedBy(order: BookedOrder) {
  return isKnownType(order.type) ? typeOf(order).reserves?.(order) : undefined;
}
