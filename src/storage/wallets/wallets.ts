import type { ClientSession, Collection, Db, Filter, FindOptions } from 'mongodb';
import { systemClockOf, type ClockOf } from '../../clock.ts';
import { externalWalletId, idPrefixes, isTotalsId } from '../../domain/ids.ts';
import type { Wallet } from '../../domain/wallet.ts';
import type { Posting } from '../../orders/fold.ts';
import { toDecimal128 } from '../shared/decimal.ts';
import { readBefore } from '../shared/causality.ts';
import { anyOf, byId, type GuardedUpdate, inOneReply, upsert } from '../shared/commands.ts';
import { walletIndexes } from '../schema/schema.ts';
import { openWalletChanges } from './change.ts';
import { openWalletCreates } from './create.ts';
import { alertsOf } from './limits.ts';
import { neverHeld, newDocument, noCredit, toWallet, type NewWallet, type WalletDocument } from './documents.ts';

export type WalletReference = Pick<Wallet, 'workspaceId' | 'id'>;

const withoutMetadata = { projection: { metadata: 0 } } as const;

/** What is checked of a wallet before a transfer is recorded. */
export type TransferWallet = Pick<Wallet, 'workspaceId' | 'kind' | 'status' | 'currency'>;

export type Wallets = ReturnType<typeof openWallets>;

/** The `wallets` collection. */
export function openWallets(db: Db, clockOf: ClockOf = systemClockOf) {
  const collection: Collection<WalletDocument> = db.collection('wallets');

  async function findMany(
    filter: Filter<WalletDocument>,
    countMax: number,
    options: Pick<FindOptions, 'session' | 'projection'> = {},
  ): Promise<Map<string, Wallet>> {
    const documents = await collection.find(filter, { ...inOneReply(countMax), ...byId, ...options }).toArray();
    return new Map(documents.map((document) => [document._id, toWallet(document)]));
  }

  /**
   * Finds wallets that clients of their workspaces may see, so no EXTERNAL ones, in one query.
   * @returns for each reference, in order, its wallet; undefined if the workspace has no such wallet.
   */
  async function findVisible(references: readonly WalletReference[]): Promise<(Wallet | undefined)[]> {
    const filter: Filter<WalletDocument> = { ...referredTo(references), kind: 'STANDARD' };
    const byId = await readBefore(db.client, (session) => findMany(filter, references.length, { session }));
    return references.map(({ workspaceId, id }) => {
      const wallet = byId.get(id);
      return wallet?.workspaceId === workspaceId ? wallet : undefined;
    });
  }

  /** As {@link findVisible}, by the clients' own references. */
  async function findReferred(
    named: readonly Required<Pick<Wallet, 'workspaceId' | 'reference'>>[],
  ): Promise<(Wallet | undefined)[]> {
    const byWorkspace = [...Map.groupBy(named, ({ workspaceId }) => workspaceId)];
    const branches = byWorkspace.map(([workspaceId, own]) => ({
      workspaceId,
      reference: { $in: [...new Set(own.map(({ reference }) => reference))] },
    }));
    const [only, ...more] = branches;
    if (only === undefined) return [];
    const filter = more.length === 0 ? only : { $or: branches };
    const options = { ...inOneReply(named.length), hint: walletIndexes.ofReference };
    const documents = await readBefore(db.client, (session) =>
      collection.find(filter, { ...options, session }).toArray(),
    );
    const byName = new Map(documents.map((document) => [nameOf(document), toWallet(document)]));
    return named.map((each) => byName.get(nameOf(each)));
  }

  const make = openWalletCreates(db, clockOf);

  return {
    make,
    /** As `make`; the wallet alone. */
    create: async (values: NewWallet): Promise<Wallet> => (await make(values)).wallet,
    change: openWalletChanges(db, clockOf),

    /** The workspace's EXTERNAL wallet of a currency, made at first use; safe from several processes at once. */
    async ensureExternal(workspaceId: string, currency: string): Promise<Wallet> {
      const id = externalWalletId(workspaceId, currency);
      // The filter's fields become the document's.
      const values = { workspaceId, currency, name: 'EXTERNAL' };
      const { _id, workspaceId: owner, ...rest } = newDocument(id, (await clockOf(workspaceId))(), 'EXTERNAL', values);
      const filter = { workspaceId: owner, _id };
      const options = { upsert: true, returnDocument: 'after' } as const;
      const document = await upsert(() => collection.findOneAndUpdate(filter, { $setOnInsert: rest }, options));
      if (document === null) throw new Error('an upsert returned no wallet');
      return toWallet(document);
    },

    findVisible,
    findReferred,
    findForTransfer: (references: readonly WalletReference[]) => findForTransfer(collection, references),

    /**
     * Wallets of some workspaces by id, of any kind, without their metadata, of which a group's wallets may have megabytes. An
     * id that does not exist is absent from the result.
     */
    async findByIds(
      ids: readonly string[],
      workspaceIds: readonly string[],
      session?: ClientSession,
    ): Promise<Map<string, Wallet>> {
      const filter = { workspaceId: anyOf(workspaceIds), _id: { $in: [...ids] } };
      return findMany(filter, ids.length, { ...withoutMetadata, ...(session === undefined ? {} : { session }) });
    },

    /** A wallet by its id, whatever its workspace and kind; for the operator, because every shard is asked. */
    async findAnywhere(id: string): Promise<Wallet | undefined> {
      if (isTotalsId(id)) return undefined;
      const document = await readBefore(db.client, (session) => collection.findOne({ _id: id }, { session }));
      return document === null ? undefined : toWallet(document);
    },

    /** Wallets of a workspace by their ids: the EXTERNAL ones, then the others, oldest first. @param after the last before. */
    async listFrom(workspaceId: string, limit: number, after = ''): Promise<Wallet[]> {
      // No wallet's id is behind those of totals.
      const filter = { workspaceId, _id: { $gt: after, $lt: idPrefixes.totals } };
      const options = { limit, hint: walletIndexes.ofWorkspace, ...inOneReply(limit) };
      return (await collection.find(filter, options).sort({ _id: 1 }).toArray()).map(toWallet);
    },
  };
}

function nameOf({ workspaceId, reference }: Pick<Wallet, 'workspaceId' | 'reference'>): string {
  return `${workspaceId} ${reference ?? ''}`;
}

/**
 * Writes each wallet of a posting once, if nobody wrote it since it was read. Whoever changes one in MongoDB itself may leave
 * its `version` as it is, so whatever the posting was decided by has to be the same too.
 */
export function balanceUpdates({ wallets, walletsBefore }: Posting): GuardedUpdate[] {
  return wallets.map((wallet) => ({
    filter: {
      workspaceId: wallet.workspaceId,
      _id: wallet.id,
      version: wallet.version,
      ...decidedBy(walletsBefore.get(wallet.id) ?? wallet),
    } satisfies Filter<WalletDocument>,
    set: {
      balance: toDecimal128(wallet.balance),
      ...(wallet.held === neverHeld ? {} : { held: toDecimal128(wallet.held), openHolds: wallet.openHolds }),
      sequence: wallet.sequence,
      debitFlows: wallet.debitFlows,
      debits: wallet.debits.toFixed(),
      debitOrders: wallet.debitOrders,
      ...(wallet.alerts === walletsBefore.get(wallet.id)?.alerts ? {} : alertsOf(wallet)),
      orders: wallet.orders,
      flowHash: wallet.flowHash,
      lastFlowAt: wallet.lastFlowAt,
      updatedAt: wallet.updatedAt,
      version: wallet.version + 1,
    } satisfies Partial<WalletDocument>,
    count: 1,
  }));
}

const absent = { $exists: false } as const;

/** What of a wallet decides whether an order can be posted, as it is stored. */
function decidedBy({ status, balance, held, creditLimit }: Wallet) {
  return {
    status,
    balance: toDecimal128(balance),
    held: held === neverHeld ? absent : toDecimal128(held),
    creditLimit: creditLimit === noCredit ? absent : toDecimal128(creditLimit),
  };
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
