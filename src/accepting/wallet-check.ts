import { externalWalletId } from '../domain/ids.ts';
import { ServiceError } from '../errors.ts';
import { createWorkspaceBatcher } from '../waiting/batcher.ts';
import { FreshCache } from '../cache.ts';
import type { Bulkhead } from '../waiting/bulkhead.ts';
import type { WalletReference, Wallets, TransferWallet } from '../storage/wallets/wallets.ts';

/** The wallets of a leg that clients can name, each with the field of the request that names it. */
export interface NamedLeg {
  readonly currency: string;
  readonly wallets: readonly { readonly field: string; readonly id: string }[];
}

/** The wallets that an order names. */
interface OrderWallets {
  readonly workspaceId: string;
  readonly ids: readonly string[];
}

/** So a freeze takes effect within a second in every process, even if its announcement is lost. Posting always sees it. */
const rememberedMs = 900;
const rememberedMax = 50_000;

export type WalletCheck = ReturnType<typeof createWalletCheck>;

/**
 * Remembers active wallets for a moment, and only for creates of the wallet's workspace. To any other workspace such a wallet
 * looks like one that does not exist, in the answer and in the time that it takes. A wallet that is not active is not
 * remembered.
 * @param bulkhead see {@link createWorkspaceBatcher}.
 */
export function createWalletCheck(wallets: Pick<Wallets, 'findForTransfer' | 'ensureExternal'>, bulkhead?: Bulkhead) {
  const cache = new FreshCache<TransferWallet>({ max: rememberedMax, ttlMs: rememberedMs });

  const exists = (wallet: TransferWallet | undefined, workspaceId: string): wallet is TransferWallet =>
    wallet?.workspaceId === workspaceId && wallet.kind === 'STANDARD';

  function remembered(id: string, workspaceId: string): TransferWallet | undefined {
    const wallet = cache.get(id);
    return exists(wallet, workspaceId) ? wallet : undefined;
  }

  /** Of each order the wallets that it names, in order; undefined where there is none. */
  const findAll = createWorkspaceBatcher(bulkhead, async (orders: readonly OrderWallets[]) => {
    const fromCache = orders.map(({ workspaceId, ids }) =>
      ids.map((id) => ({ id, workspaceId, wallet: remembered(id, workspaceId) })),
    );
    const missing = new Map<string, WalletReference>();
    for (const { id, workspaceId, wallet } of fromCache.flat())
      if (wallet === undefined) missing.set(`${workspaceId} ${id}`, { workspaceId, id });
    const read = await readAll([...missing.values()]);
    return fromCache.map((ofOrder) => ofOrder.map(({ id, wallet }) => wallet ?? read.get(id)));
  });

  /** Reads wallets, by id, and remembers those that are active. */
  async function readAll(references: readonly WalletReference[]): Promise<ReadonlyMap<string, TransferWallet>> {
    if (references.length === 0) return new Map();
    const keep = cache.begin();
    const read = await wallets.findForTransfer(references);
    for (const [id, wallet] of read) if (wallet.status === 'ACTIVE') keep(id, wallet);
    return read;
  }

  function checkLeg(
    currency: string,
    named: readonly { readonly field: string; readonly wallet: TransferWallet | undefined }[],
    workspaceId: string,
  ): void {
    const existing = named.map(({ field, wallet }) => {
      if (!exists(wallet, workspaceId)) throw new ServiceError('WALLET_NOT_FOUND', { field });
      return { field, wallet };
    });
    for (const { field, wallet } of existing) {
      if (wallet.status !== 'ACTIVE') throw new ServiceError('WALLET_NOT_ACTIVE', { field, value: wallet.status });
    }
    for (const { field, wallet } of existing) {
      if (wallet.currency !== currency) throw new ServiceError('CURRENCY_MISMATCH', { field, value: wallet.currency });
    }
  }

  return {
    /**
     * Checks leg by leg that its wallets differ, exist in the workspace, are active and have its currency. Each check goes through
     * both wallets before the next one begins. Look-ups that arrive together share a query. Posting checks again, because a wallet
     * may change afterwards.
     * @throws ServiceError SAME_WALLET, WALLET_NOT_FOUND, WALLET_NOT_ACTIVE, CURRENCY_MISMATCH, for the first leg at fault.
     */
    async check(workspaceId: string, legs: readonly NamedLeg[]): Promise<void> {
      const alike = legs.findIndex(({ wallets: [one, other] }) => one !== undefined && one.id === other?.id);
      const ofTwo = alike === -1 ? legs : legs.slice(0, alike);
      const ids = ofTwo.flatMap(({ wallets: named }) => named.map(({ id }) => id));
      let read = ids.map((id) => remembered(id, workspaceId));
      if (read.includes(undefined)) read = await findAll({ workspaceId, ids });
      const byId = new Map(read.map((wallet, place) => [ids[place], wallet]));
      for (const { currency, wallets: named } of ofTwo) {
        const ofLeg = named.map(({ field, id }) => ({ field, wallet: byId.get(id) }));
        checkLeg(currency, ofLeg, workspaceId);
      }
      const field = legs[alike]?.wallets[1]?.field;
      if (field !== undefined) throw new ServiceError('SAME_WALLET', { field });
    },
    /** Makes the workspace's EXTERNAL wallet of a currency, unless it is known to be there. */
    async ensureExternal(workspaceId: string, currency: string): Promise<void> {
      const id = externalWalletId(workspaceId, currency);
      if (cache.get(id) !== undefined) return;
      const keep = cache.begin();
      keep(id, await wallets.ensureExternal(workspaceId, currency));
    },
    /** Forgets a wallet, or all, because something was changed. */
    forget: (id?: string): void => {
      cache.forget(id);
    },
  };
}
