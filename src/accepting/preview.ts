import type { Clock } from '../clock.ts';
import type { Currencies } from '../domain/currency.ts';
import type { FailureName } from '../domain/effects.ts';
import type { Wallet } from '../domain/wallet.ts';
import type { ServiceError } from '../errors.ts';
import { foldOrders } from '../orders/fold.ts';
import { toPost, type OrderStatus } from '../orders/order.ts';
import { walletIdsOf } from '../orders/types.ts';
import type { Wallets } from '../storage/wallets/wallets.ts';
import type { Acceptor } from './accept.ts';
import type { OrderRequest } from './record.ts';

/** How an order would end, or how the one stands that its bizId made before. */
export interface PreviewedOrder {
  readonly status: OrderStatus;
  readonly failure: FailureName | null;
  /** As the order would leave them. */
  readonly source: Wallet;
  readonly target: Wallet;
}

export type Previewer = ReturnType<typeof createPreviewer>;

/** Tells how an order would end if it were posted now. Nothing is recorded. */
export function createPreviewer(
  acceptor: Pick<Acceptor, 'dryRun'>,
  wallets: Pick<Wallets, 'findByIds'>,
  currencies: Currencies,
  clock: Clock,
) {
  return {
    /**
     * Makes every check of a create, and folds what would be recorded.
     * @param refusal why it is refused, unless it repeats an order.
     * @throws ServiceError as the acceptor does.
     */
    async preview(request: OrderRequest, refusal?: ServiceError): Promise<PreviewedOrder> {
      const outcome = await acceptor.dryRun(request, refusal);
      const [order, pending] = 'isReplay' in outcome ? [outcome.order, []] : [outcome, [toPost(outcome)]];
      const stored = await wallets.findByIds(walletIdsOf(order), [request.workspaceId]);
      const posting = foldOrders(pending, { wallets: stored, parents: new Map() }, currencies, clock());
      const [source, target] = [order.sourceWalletId, order.targetWalletId].map(
        (id) => posting.wallets.find((wallet) => wallet.id === id) ?? stored.get(id),
      );
      if (source === undefined || target === undefined) throw new Error('a wallet of a checked order is not there');
      if (pending.length === 0) return { status: order.status, failure: order.failure, source, target };
      const [ending] = posting.ended;
      if (ending === undefined) throw new Error('a checked order cannot be posted');
      return { status: ending.status, failure: ending.failure, source, target };
    },
  };
}
