import type { ClockOf } from '../clock.ts';
import type { Currencies } from '../domain/currency.ts';
import { isExternalWalletId } from '../domain/ids.ts';
import type { Wallet } from '../domain/wallet.ts';
import type { ServiceError } from '../errors.ts';
import { foldOrders, postedAtOf, type ParentOrder } from '../orders/fold.ts';
import { legsOf, toPost, type Order } from '../orders/order.ts';
import { usedLegs } from '../orders/parent.ts';
import type { PreviewedOrder } from '../orders/present.ts';
import { walletIdsOf } from '../orders/types.ts';
import { externalWallet } from '../storage/wallets/documents.ts';
import type { Collections } from '../storage/collections.ts';
import { IndeterminateError } from '../storage/shared/transaction.ts';
import type { Acceptor } from './accept.ts';
import type { OrderRequest } from './record.ts';

export type Previewer = ReturnType<typeof createPreviewer>;

/** Tells how an order would end if it were posted now. Nothing is recorded. */
export function createPreviewer(
  acceptor: Pick<Acceptor, 'dryRun'>,
  { wallets, keyBudgets, readBeforeWindows }: Pick<Collections, 'wallets' | 'keyBudgets' | 'readBeforeWindows'>,
  currencies: Currencies,
  clockOf: ClockOf,
) {
  /** The wallets of an order by id, as they stand. An EXTERNAL one is made with the first order that names it. */
  async function walletsOf(order: Order, now: Date): Promise<Map<string, Wallet>> {
    const { workspaceId } = order;
    const legs = legsOf(order);
    const stored = new Map(await wallets.findByIds(walletIdsOf({ legs }), [workspaceId]));
    for (const { currency, ...sides } of legs) {
      for (const id of [sides.sourceWalletId, sides.targetWalletId])
        if (isExternalWalletId(id) && !stored.has(id))
          stored.set(id, externalWallet({ id, workspaceId, currency }, now));
    }
    return stored;
  }

  return {
    /**
     * Makes every check of an order's command, and folds what would be recorded.
     * @param refusal why it is refused, unless it repeats an order.
     * @throws ServiceError as the acceptor does.
     */
    async preview(request: OrderRequest, refusal?: ServiceError): Promise<PreviewedOrder> {
      const { order, isReplay, parent } = await acceptor.dryRun(request, refusal);
      const now = (await clockOf(request.workspaceId))();
      const stored = await walletsOf(order, now);
      const pending = isReplay ? [] : [toPost(order)];
      const parents = new Map(parent === undefined ? [] : [[parent.id, asParent(parent)]]);
      const at = postedAtOf(pending, now);
      const { before } = await readBeforeWindows([...stored.values()], at);
      const keys = order.apiKey === undefined ? [] : [order.apiKey];
      const budgets = await keyBudgets.find(keys, [request.workspaceId]);
      const posting = foldOrders(pending, { wallets: stored, parents, before, budgets }, currencies, now);
      const [ending] = posting.ended;
      // Its wallets were read later than what it refers to, of which another order has used some meanwhile.
      if (!isReplay && ending === undefined) throw new IndeterminateError('a checked order cannot be posted');
      const find = (id: string | undefined): Wallet | undefined =>
        id === undefined || isExternalWalletId(id)
          ? undefined
          : (posting.wallets.find((wallet) => wallet.id === id) ?? stored.get(id));
      const hasLegs = order.legs !== undefined;
      return {
        end: ending ?? order,
        source: hasLegs ? undefined : find(order.sourceWalletId),
        target: hasLegs ? undefined : find(order.targetWalletId),
        wallets: walletIdsOf({ legs: legsOf(order) }).flatMap((id) => find(id) ?? []),
      };
    },
  };
}

/** An order as one that refers to it finds it. */
function asParent(order: Order): ParentOrder {
  const { id, workspaceId, expiresAt } = order;
  return { id, workspaceId, legs: usedLegs(order), changes: 0, ...(expiresAt === undefined ? {} : { expiresAt }) };
}
