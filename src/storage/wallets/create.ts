import type { ClientSession, Db } from 'mongodb';
import { createBatchers } from '../../waiting/batcher.ts';
import type { ClockOf } from '../../clock.ts';
import { newIdIn, timeOfId } from '../../domain/ids.ts';
import type { Wallet } from '../../domain/wallet.ts';
import { walletIndexes } from '../schema/schema.ts';
import { anyOf, byId, inOneReply } from '../shared/commands.ts';
import { isServerError } from '../shared/error-codes.ts';
import { apart, ContendedError, inTransaction, patiently, unwrapped } from '../shared/transaction.ts';
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

interface Wanted {
  readonly values: NewWallet;
  readonly timeLeftMs: () => number;
}

export function openWalletCreates(db: Db, clockOf: ClockOf): MakeWallet {
  const make = createBatchers<Wanted, MadeWallet>(
    ({ values: { workspaceId } }) => workspaceId,
    async (wanted, isGivenUp, workspaceId) => {
      const clock = await clockOf(workspaceId);
      const documents = wanted.map(({ values: { id = newIdIn(workspaceId, 'wallet', clock()), ...values } }) =>
        newDocument(id, timeOfId('wallet', id), 'STANDARD', values),
      );
      return apart(documents, (some) => makeAll(db, some, isGivenUp));
    },
    { inFlightMax: 1, timeLeftMs: ({ timeLeftMs }) => timeLeftMs() },
  );
  return (values, timeLeftMs = () => Infinity) => make({ values, timeLeftMs });
}

/** Makes wallets of one workspace, all that are missing or none. */
async function makeAll(db: Db, wanted: readonly WalletDocument[], isGivenUp: () => boolean): Promise<MadeWallet[]> {
  for (let look = 1; look <= looksMax; look += 1) {
    try {
      return await patiently(() =>
        inTransaction(db.client, (session) => makeMissing(db, wanted, look > 1, session), isGivenUp),
      );
    } catch (error) {
      // Another process made one, or an earlier call whose answer was lost.
      if (!isServerError(error, 'DuplicateKey')) throw error;
    }
  }
  throw new ContendedError('others made wallets of the same references');
}

async function makeMissing(
  db: Db,
  wanted: readonly WalletDocument[],
  looksForIds: boolean,
  session: ClientSession,
): Promise<MadeWallet[]> {
  const existing = await findExisting(db, wanted, looksForIds, session);
  const ofId = new Map(existing.map((document) => [document._id, document]));
  const ofReference = new Map(existing.map((document) => [document.reference, document]));
  const missing: WalletDocument[] = [];
  const made = wanted.map((document): MadeWallet => {
    const { _id, reference } = document;
    const earlier = ofId.get(_id) ?? (reference === undefined ? undefined : ofReference.get(reference));
    if (earlier !== undefined) return { wallet: toWallet(earlier), isNew: earlier._id === _id };
    missing.push(document);
    ofReference.set(reference, document);
    return { wallet: toWallet(document), isNew: true };
  });
  const [first] = missing;
  if (first === undefined) return made;
  // Counted first: whoever loses the count to another process has not inserted anything in vain.
  const counts = missing.map(({ currency, status }) => ({ currency, status, by: 1 }));
  await countWallets(db, first.workspaceId, counts, session);
  await unwrapped(db.collection<WalletDocument>('wallets').insertMany(missing, { session }));
  return made;
}

/** @param looksForIds costs a command; only a repetition can find one. */
async function findExisting(
  db: Db,
  wanted: readonly WalletDocument[],
  looksForIds: boolean,
  session: ClientSession,
): Promise<WalletDocument[]> {
  const collection = db.collection<WalletDocument>('wallets');
  const workspaceId = anyOf(wanted.map((document) => document.workspaceId));
  const options = { session, ...inOneReply(wanted.length) };
  const ids = looksForIds ? wanted.map(({ _id }) => _id) : [];
  const references = [...new Set(wanted.flatMap(({ reference = [] }) => reference))];
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
