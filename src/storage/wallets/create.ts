import type { ClientSession, Db } from 'mongodb';
import type { ClockOf } from '../../clock.ts';
import { newIdIn, timeOfId } from '../../domain/ids.ts';
import type { Wallet } from '../../domain/wallet.ts';
import { walletIndexes } from '../schema/schema.ts';
import { createChanges, type WorkspaceChange } from '../shared/changes.ts';
import { byId, inOneReply } from '../shared/commands.ts';
import { isServerError } from '../shared/error-codes.ts';
import { ContendedError, unwrapped } from '../shared/transaction.ts';
import { newDocument, toWallet, type NewWallet, type WalletDocument } from './documents.ts';
import { countWallets } from './totals.ts';

export interface MadeWallet {
  readonly wallet: Wallet;
  /** False for the wallet that had the reference already; it may have another currency. */
  readonly isNew: boolean;
}

/** How often another process may make a wallet of the same reference between a look and an insert. */
const looksMax = 5;

/**
 * Makes an active wallet for clients' use. Of equal references in a workspace, one wallet is made, whoever asks; without a
 * reference each call makes one. Those of a workspace that are asked for at once share a transaction, which counts them too.
 * A repetition with the same id, whose first answer was lost, finds the wallet, as new.
 * @param timeLeftMs until whoever asks is told that it took too long; absent for the administrator, who waits.
 * @throws ContendedError other processes changed the workspace's wallets too often meanwhile; TimeoutError no time was left:
 * nothing was then made, nor will be, unless the commit was sent by then.
 */
export type MakeWallet = (values: NewWallet, timeLeftMs?: () => number) => Promise<MadeWallet>;

interface Wanted extends WorkspaceChange {
  readonly document: WalletDocument;
  /** Whether an earlier attempt may have made it. To look for that costs a command. */
  readonly looksForId: boolean;
}

export function openWalletCreates(db: Db, clockOf: ClockOf): MakeWallet {
  const make = createChanges(db.client, (workspaceId, wanted: readonly Wanted[], session) =>
    makeMissing(db, workspaceId, wanted, session),
  );
  return async ({ id: known, ...values }, timeLeftMs = () => Infinity) => {
    const { workspaceId } = values;
    const id = known ?? newIdIn(workspaceId, 'wallet', (await clockOf(workspaceId))());
    const document = newDocument(id, timeOfId('wallet', id), 'STANDARD', values);
    for (let look = 1; look <= looksMax; look += 1) {
      try {
        return await make({ workspaceId, document, looksForId: look > 1, timeLeftMs });
      } catch (error) {
        // Another process made one, or an earlier call whose answer was lost.
        if (!isServerError(error, 'DuplicateKey')) throw error;
      }
    }
    throw new ContendedError('others made wallets of the same reference');
  };
}

/** Makes wallets of a workspace, all that are missing or none. */
async function makeMissing(
  db: Db,
  workspaceId: string,
  wanted: readonly Wanted[],
  session: ClientSession,
): Promise<MadeWallet[]> {
  const existing = await findExisting(db, workspaceId, wanted, session);
  const ofId = new Map(existing.map((document) => [document._id, document]));
  const ofReference = new Map(existing.map((document) => [document.reference, document]));
  const missing: WalletDocument[] = [];
  const made = wanted.map(({ document }): MadeWallet => {
    const { _id, reference } = document;
    const earlier = ofId.get(_id) ?? (reference === undefined ? undefined : ofReference.get(reference));
    if (earlier !== undefined) return { wallet: toWallet(earlier), isNew: earlier._id === _id };
    missing.push(document);
    ofReference.set(reference, document);
    return { wallet: toWallet(document), isNew: true };
  });
  if (missing.length === 0) return made;
  // Counted first: whoever loses the count to another process has not inserted anything in vain.
  const counts = missing.map(({ currency, status }) => ({ currency, status, by: 1 }));
  await countWallets(db, workspaceId, counts, session);
  await unwrapped(db.collection<WalletDocument>('wallets').insertMany(missing, { session }));
  return made;
}

async function findExisting(
  db: Db,
  workspaceId: string,
  wanted: readonly Wanted[],
  session: ClientSession,
): Promise<WalletDocument[]> {
  const collection = db.collection<WalletDocument>('wallets');
  const options = { session, ...inOneReply(wanted.length) };
  const ids = wanted.flatMap(({ document, looksForId }) => (looksForId ? document._id : []));
  const references = [...new Set(wanted.flatMap(({ document: { reference = [] } }) => reference))];
  const [ofIds, ofReferences] = [
    ids.length === 0
      ? []
      : await collection.find({ workspaceId, _id: { $in: ids } }, { ...options, ...byId }).toArray(),
    references.length === 0
      ? []
      : await collection
          .find({ workspaceId, reference: { $in: references } }, { ...options, hint: walletIndexes.ofReference })
          .toArray(),
  ];
  return [...ofIds, ...ofReferences];
}
