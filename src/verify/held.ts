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
  /** How many of them reserve something. */
  open: number;
}

/** What a wallet says that it holds, or what orders reserve on it. */
interface Holding {
  readonly held: Money;
  readonly openHolds: number;
}

/**
 * Compares what wallets hold with what orders reserve on them. Wallets and orders are read at different moments, so those that
 * do not agree are read again, each in a snapshot with its orders. Its memory grows with the number of open holds.
 * @param since an id before which no order is recorded any more.
 */
export function createHeld(books: Books, since: string) {
  const wallets = new Map<string, Holding & Pick<BookedWallet, 'workspaceId'>>();
  const reserving = new Map<string, Reserving>();

  return {
    addWallet({ id, workspaceId, held, openHolds }: BookedWallet): void {
      if (!held.isZero() || openHolds !== 0) wallets.set(id, { workspaceId, held, openHolds });
    },
    addOrder(order: BookedOrder): void {
      if (order.status === 'FAILED' || order.status === 'CANCELLED') return;
      const reserved = reservedBy(order);
      if (reserved === undefined || (order.status === 'COMPLETED' && reserved.amount.isZero())) return;
      const { workspaceId } = order;
      const ofWallet = reserving.get(reserved.walletId) ?? { workspaceId, orderIds: [], amount: new Money(0), open: 0 };
      ofWallet.orderIds.push(order.id);
      if (order.status === 'COMPLETED') {
        ofWallet.amount = ofWallet.amount.plus(reserved.amount);
        ofWallet.open += 1;
      }
      reserving.set(reserved.walletId, ofWallet);
    },
    /** Call it once all were added. */
    async compare(report: Report): Promise<void> {
      for (const id of new Set([...wallets.keys(), ...reserving.keys()])) {
        const [wallet, orders] = [wallets.get(id), reserving.get(id)];
        const right = { held: orders?.amount ?? nothing.held, openHolds: orders?.open ?? 0 };
        if (isSame(wallet ?? nothing, right)) continue;
        const workspaceId = wallet?.workspaceId ?? orders?.workspaceId ?? '';
        const again = await books.walletWithOrders({ id, workspaceId }, orders?.orderIds ?? [], since);
        const reservations = again.orders
          .map(reservedBy)
          .flatMap((reserved) => (reserved?.walletId === id && !reserved.amount.isZero() ? [reserved.amount] : []));
        const sum = reservations.reduce((total, amount) => total.plus(amount), nothing.held);
        const found = { held: sum, openHolds: reservations.length };
        const says = again.wallet ?? nothing;
        if (!isSame(says, found)) report('wallet-held', id, `says ${shown(says)}, its orders reserve ${shown(found)}`);
      }
    },
  };
}

const nothing: Holding = { held: new Money(0), openHolds: 0 };

function isSame(a: Holding, b: Holding): boolean {
  return a.held.equals(b.held) && a.openHolds === b.openHolds;
}

function shown({ held, openHolds }: Holding): string {
  return `${held.toFixed()} by ${openHolds}`;
}

function reservedBy(order: BookedOrder) {
  return isKnownType(order.type) ? typeOf(order).reserves?.(order) : undefined;
}
