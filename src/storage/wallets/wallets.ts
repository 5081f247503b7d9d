import type { ClientSession, Collection, Db, Decimal128, Filter, FindOptions } from 'mongodb';
import { createBatchers } from '../../batcher.ts';
import { systemClock, type Clock } from '../../clock.ts';
import {
  availableOf,
  type ListedWallet,
  type Wallet,
  type WalletKind,
  type WalletStatus,
} from '../../domain/wallet.ts';
import { fromDecimal128, type Stored, toDecimal128, decimalAsText } from '../shared/decimal.ts';
import { externalWalletId, isTotalsId, newId, timeOfId } from '../../domain/ids.ts';
import { fitsBalance, Money } from '../../domain/money.ts';
import { anyOf, byId, type GuardedUpdate, inOneReply, upsert } from '../shared/commands.ts';
import { walletTotals, type TotalsDocument, type WalletChange } from './totals.ts';
import { ContendedError, inTransaction, patiently } from '../shared/transaction.ts';

export interface WalletDocument extends Stored<Omit<Wallet, 'debits' | 'held' | 'creditLimit' | 'metadata'>> {
  /** As JSON, because a field's name may have no dot on every server. */
  readonly metadata?: string;
  /** Absent until something was held, or a limit was set. */
  readonly held?: Decimal128;
  readonly creditLimit?: Decimal128;
  /** A decimal in plain notation, because the sum may have more digits than a Decimal128. */
  readonly debits: string;
}

/** Of a wallet that never held anything, so that a posting need not write that it still does not. */
const neverHeld = new Money(0);
const noCredit = new Money(0);

export interface NewWallet extends Pick<Wallet, 'workspaceId' | 'name' | 'currency' | 'reference' | 'metadata'> {
  /** None, if absent. */
  readonly creditLimit?: Money;
}
export type WalletReference = Pick<Wallet, 'workspaceId' | 'id'>;

/** What is checked of a wallet before a transfer is recorded. */
export type TransferWallet = Pick<Wallet, 'workspaceId' | 'kind' | 'status' | 'currency'>;

export type Wallets = ReturnType<typeof openWallets>;

/** The `wallets` collection. */
export function openWallets(db: Db, clock: Clock = systemClock) {
  const collection: Collection<WalletDocument> = db.collection('wallets');

  async function findMany(
    filter: Filter<WalletDocument>,
    countMax: number,
    options: Pick<FindOptions, 'session'> = {},
  ): Promise<Map<string, Wallet>> {
    const documents = await collection.find(filter, { ...inOneReply(countMax), ...byId, ...options }).toArray();
    return new Map(documents.map((document) => [document._id, toWallet(document)]));
  }

  /**
   * Finds wallets that clients of their workspaces may see, so no EXTERNAL ones, in one query.
   * @returns for each reference, in order, its wallet; undefined if the workspace has no such wallet.
   */
  async function findVisible(references: readonly WalletReference[]): Promise<(Wallet | undefined)[]> {
    const found = await findMany({ ...referredTo(references), kind: 'STANDARD' }, references.length);
    return references.map(({ workspaceId, id }) => {
      const wallet = found.get(id);
      return wallet?.workspaceId === workspaceId ? wallet : undefined;
    });
  }

  return {
    /**
     * Makes an empty, active wallet for clients' use. Those of a workspace that are made at once share a transaction, which
     * counts them too.
     */
    create: createBatchers<NewWallet, Wallet>(
      ({ workspaceId }) => workspaceId,
      (wanted) => createWallets(db, wanted, clock),
      { inFlightMax: 1 },
    ),

    /** The workspace's EXTERNAL wallet of a currency, made at first use; safe from several processes at once. */
    async ensureExternal(workspaceId: string, currency: string): Promise<Wallet> {
      const id = externalWalletId(workspaceId, currency);
      // The filter's fields become the document's.
      const values = { workspaceId, currency, name: 'EXTERNAL' };
      const { _id, workspaceId: owner, ...rest } = newDocument(id, clock(), 'EXTERNAL', values);
      const filter = { workspaceId: owner, _id };
      const options = { upsert: true, returnDocument: 'after' } as const;
      const document = await upsert(() => collection.findOneAndUpdate(filter, { $setOnInsert: rest }, options));
      if (document === null) throw new Error('an upsert returned no wallet');
      return toWallet(document);
    },

    findVisible,
    findForTransfer: (references: readonly WalletReference[]) => findForTransfer(collection, references),

    /** Wallets of some workspaces by id, of any kind. An id that does not exist is absent from the result. */
    async findByIds(
      ids: readonly string[],
      workspaceIds: readonly string[],
      session?: ClientSession,
    ): Promise<Map<string, Wallet>> {
      const options = session === undefined ? {} : { session };
      return findMany({ workspaceId: anyOf(workspaceIds), _id: { $in: [...ids] } }, ids.length, options);
    },

    /** A wallet by its id, whatever its workspace and kind; for the operator, because every shard is asked. */
    async findAnywhere(id: string): Promise<Wallet | undefined> {
      const document = isTotalsId(id) ? null : await collection.findOne({ _id: id });
      return document === null ? undefined : toWallet(document);
    },

    /** Every wallet of a workspace, EXTERNAL ones included, oldest first. */
    async listAll(workspaceId: string): Promise<Wallet[]> {
      const documents = await collection.find({ workspaceId }).sort({ _id: 1 }).toArray();
      return documents.filter(({ _id }) => !isTotalsId(_id)).map(toWallet);
    },

    /**
     * Sets how far a STANDARD wallet's balance may be below zero. A posting that read the wallet before is folded again.
     * @param decimals of its currency. @returns the wallet as changed; or why nothing was: it is CLOSED or none of clients, it
     * uses more credit than that, or what is available would have too many digits.
     * @throws ContendedError it was posted too often meanwhile.
     */
    async limitCredit(
      { workspaceId, id }: WalletReference,
      creditLimit: Money,
      decimals: number,
    ): Promise<Wallet | RefusedLimit> {
      return patiently(async () => {
        const read = await collection.findOne({ workspaceId, _id: id, kind: 'STANDARD', status: { $ne: 'CLOSED' } });
        if (read === null) return 'not there';
        const available = availableOf({ ...toWallet(read), creditLimit });
        if (available.isNegative()) return 'in use';
        if (!fitsBalance(available, decimals)) return 'too large';
        const changed = { creditLimit: toDecimal128(creditLimit), updatedAt: clock(), version: read.version + 1 };
        const { matchedCount } = await collection.updateOne(
          { workspaceId, _id: id, version: read.version },
          { $set: changed },
        );
        if (matchedCount === 0) throw new ContendedError('a wallet was posted meanwhile');
        return toWallet({ ...read, ...changed });
      });
    },

    /**
     * Changes a STANDARD wallet's status, guarded, and the workspace's totals with it; a posting that read the wallet before is
     * folded again.
     * @param change.from the statuses it may have now; `emptyOnly` asks for a balance of zero as well.
     * @returns the wallet as changed; undefined where no such wallet is in that state.
     */
    async changeStatus(
      { workspaceId, id }: WalletReference,
      change: { readonly from: readonly WalletStatus[]; readonly to: WalletStatus; readonly emptyOnly: boolean },
    ): Promise<Wallet | undefined> {
      const zero = toDecimal128(new Money(0));
      const empty = change.emptyOnly ? { balance: zero, held: { $not: { $gt: zero } } } : {};
      const changed = { status: change.to, updatedAt: clock() };
      return patiently(() =>
        inTransaction(db.client, async (session) => {
          const before = await collection.findOneAndUpdate(
            { workspaceId, _id: id, kind: 'STANDARD', status: { $in: [...change.from] }, ...empty },
            { $set: changed, $inc: { version: 1 } },
            { returnDocument: 'before', session },
          );
          if (before === null) return undefined;
          const { currency, status } = before;
          const moves = [
            { currency, status, by: -1 },
            { currency, status: change.to, by: 1 },
          ];
          await countWallets(db, workspaceId, moves, session);
          return toWallet({ ...before, ...changed, version: before.version + 1 });
        }),
      );
    },
  };
}

/** Why a credit limit is not set. */
type RefusedLimit = 'not there' | 'in use' | 'too large';

/** Makes wallets of one workspace, all or none. */
async function createWallets(db: Db, wanted: readonly NewWallet[], clock: Clock): Promise<Wallet[]> {
  const documents = wanted.map((values) => {
    const id = newId('wallet', clock());
    return newDocument(id, timeOfId('wallet', id), 'STANDARD', values);
  });
  const [first] = documents;
  if (first === undefined) return [];
  await inTransaction(db.client, async (session) => {
    await db.collection<WalletDocument>('wallets').insertMany(documents, { session });
    const made = documents.map(({ currency, status }) => ({ currency, status, by: 1 }));
    await countWallets(db, first.workspaceId, made, session);
  });
  return documents.map(toWallet);
}

async function countWallets(
  db: Db,
  workspaceId: string,
  changes: readonly WalletChange[],
  session: ClientSession,
): Promise<void> {
  const { filter, update } = walletTotals(workspaceId, changes);
  await db.collection<TotalsDocument>('wallets').updateOne(filter, update, { upsert: true, session });
}

/** Writes each wallet of a posting once, if nobody wrote it since it was read. */
export function balanceUpdates(wallets: readonly Wallet[]): GuardedUpdate[] {
  return wallets.map((wallet) => ({
    filter: {
      workspaceId: wallet.workspaceId,
      _id: wallet.id,
      version: wallet.version,
    } satisfies Filter<WalletDocument>,
    set: {
      balance: toDecimal128(wallet.balance),
      ...(wallet.held === neverHeld ? {} : { held: toDecimal128(wallet.held) }),
      sequence: wallet.sequence,
      debitFlows: wallet.debitFlows,
      debits: wallet.debits.toFixed(),
      orders: wallet.orders,
      flowHash: wallet.flowHash,
      lastFlowAt: wallet.lastFlowAt,
      updatedAt: wallet.updatedAt,
      version: wallet.version + 1,
    } satisfies Partial<WalletDocument>,
    count: 1,
  }));
}

/** Wallets with any of the ids in any of the workspaces. The caller checks which belongs to which. */
function referredTo(references: readonly WalletReference[]) {
  const ids = [...new Set(references.map(({ id }) => id))];
  return { workspaceId: anyOf(references.map(({ workspaceId }) => workspaceId)), _id: { $in: ids } };
}

/**
 * What a new transfer is checked against, of wallets by id. Every create asks for it, and it is the same for nearly all
 * wallets of a workspace. So MongoDB answers it once, with the ids that have it, which takes half the time to decode.
 * @returns by id. A wallet may belong to another one of the workspaces that were named.
 */
async function findForTransfer(
  collection: Collection<WalletDocument>,
  references: readonly WalletReference[],
): Promise<Map<string, TransferWallet>> {
  const facts = { workspaceId: '$workspaceId', kind: '$kind', status: '$status', currency: '$currency' };
  const pipeline = [{ $match: referredTo(references) }, { $group: { _id: facts, ids: { $push: '$_id' } } }];
  const groups = await collection
    .aggregate<{ readonly _id: TransferWallet; readonly ids: readonly string[] }>(pipeline, {
      ...inOneReply(references.length),
      ...byId,
    })
    .toArray();
  return new Map(groups.flatMap((group) => group.ids.map((id) => [id, group._id] as const)));
}

function newDocument(_id: string, createdAt: Date, kind: WalletKind, values: NewWallet): WalletDocument {
  const { workspaceId, currency, name, reference, metadata, creditLimit = noCredit } = values;
  return {
    _id,
    workspaceId,
    currency,
    name,
    ...(reference === undefined ? {} : { reference }),
    ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
    ...(creditLimit.isZero() ? {} : { creditLimit: toDecimal128(creditLimit) }),
    kind,
    status: 'ACTIVE',
    balance: toDecimal128(new Money(0)),
    sequence: 0,
    debitFlows: 0,
    debits: '0',
    orders: {},
    flowHash: '',
    lastFlowAt: createdAt,
    version: 0,
    createdAt,
    updatedAt: createdAt,
  };
}

/** Field by field: a group reads hundreds of wallets, and rest and spread take ten times as long. */
export function toWallet(document: WalletDocument): Wallet {
  return {
    id: document._id,
    workspaceId: document.workspaceId,
    name: document.name,
    ...notesIn(document),
    currency: document.currency,
    kind: document.kind,
    status: document.status,
    balance: fromDecimal128(document.balance),
    held: document.held === undefined ? neverHeld : fromDecimal128(document.held),
    creditLimit: document.creditLimit === undefined ? noCredit : fromDecimal128(document.creditLimit),
    sequence: document.sequence,
    debitFlows: document.debitFlows,
    debits: new Money(document.debits),
    orders: document.orders,
    flowHash: document.flowHash,
    lastFlowAt: document.lastFlowAt,
    version: document.version,
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
  };
}

/** What only wallets have for which it was given. */
function notesIn({ reference, metadata }: { reference?: string | undefined; metadata?: string | undefined }) {
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(metadata === undefined ? {} : { metadata: JSON.parse(metadata) as Record<string, string> }),
  };
}

export const listedWallet = {
  without: { flowHash: 0, lastFlowAt: 0, debitFlows: 0, debits: 0, orders: 0 },
  convert: toListedWallet,
} as const;

/** The balance stays text: see {@link decimalAsText}. */
function toListedWallet({
  _id,
  balance,
  held,
  creditLimit,
  reference,
  metadata,
  ...rest
}: Omit<WalletDocument, 'flowHash' | 'lastFlowAt' | 'debitFlows' | 'debits' | 'orders'>): ListedWallet {
  const textOf = (money: Decimal128 | undefined): string => (money === undefined ? '0' : decimalAsText(money));
  return {
    id: _id,
    ...rest,
    ...notesIn({ reference, metadata }),
    balance: decimalAsText(balance),
    held: textOf(held),
    creditLimit: textOf(creditLimit),
  };
}
