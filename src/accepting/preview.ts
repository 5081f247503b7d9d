import type { Clock } from '../clock.ts';
import type { Currencies } from '../domain/currency.ts';
import type { FailureName } from '../domain/effects.ts';
import type { Wallet } from '../domain/wallet.ts';
import { ServiceError } from '../errors.ts';
import { foldOrders } from '../orders/fold.ts';
import type { Order, OrderStatus } from '../orders/order.ts';
import { walletIdsOf } from '../orders/types.ts';
import type { Wallets } from '../storage/wallets/wallets.ts';
import type { Acceptor } from './accept.ts';
import { ofLine, type BatchLine } from './batch.ts';

/** How an order would end. */
export interface PreviewedOrder {
  readonly order: Order;
  readonly status: OrderStatus;
  readonly failure: FailureName | null;
  /** Whether its bizId made an order before: this is how that one stands. */
  readonly isReplay: boolean;
}

export type Previewer = ReturnType<typeof createPreviewer>;

/** Tells how orders would end if they were posted now. Nothing is recorded. */
export function createPreviewer(
  acceptor: Pick<Acceptor, 'foresee'>,
  wallets: Pick<Wallets, 'findByIds'>,
  currencies: Currencies,
  clock: Clock,
) {
  async function foresee(workspaceId: string, { asked, refusal }: BatchLine) {
    if (asked === undefined) return refusal;
    const foreseen = await acceptor.foresee({ ...asked, workspaceId }, refusal).catch(ofLine);
    return foreseen instanceof ServiceError || 'isReplay' in foreseen ? foreseen : { order: foreseen, isReplay: false };
  }

  return {
    /**
     * Makes every check of a create for each line, and folds those that would be recorded, in their order. It may be called
     * again with the same wallets for the lines that follow.
     * @param known wallets by id, as the lines before would leave them; those that are missing are read, and added.
     * @returns of each line, in order, how it would end, or why it would be refused.
     * @throws ServiceError UNAVAILABLE, or another error of the servers.
     */
    async preview(
      workspaceId: string,
      lines: readonly BatchLine[],
      known: Map<string, Wallet>,
    ): Promise<(PreviewedOrder | ServiceError)[]> {
      const foreseen = await Promise.all(lines.map((line) => foresee(workspaceId, line)));
      const orders = foreseen.flatMap((each) => (each instanceof ServiceError ? [] : [each]));
      const missing = new Set(orders.flatMap(({ order }) => walletIdsOf(order)).filter((id) => !known.has(id)));
      if (missing.size > 0) {
        for (const [id, wallet] of await wallets.findByIds([...missing], [workspaceId])) known.set(id, wallet);
      }
      const toPost = orders.filter(({ isReplay }) => !isReplay).map(({ order }) => order);
      const posting = foldOrders(toPost, { wallets: known, parents: new Map() }, currencies, clock());
      for (const wallet of posting.wallets) known.set(wallet.id, wallet);
      const failures = new Map([...posting.failed].flatMap(([name, ids]) => ids.map((id) => [id, name] as const)));
      return foreseen.map((each): PreviewedOrder | ServiceError => {
        if (each instanceof ServiceError) return each;
        const { order, isReplay } = each;
        if (isReplay) return { order, status: order.status, failure: order.failure, isReplay };
        const failure = failures.get(order.id) ?? null;
        return { order, status: failure === null ? 'COMPLETED' : 'FAILED', failure, isReplay };
      });
    },
  };
}
