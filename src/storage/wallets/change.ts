import type { AnyBulkWriteOperation, ClientSession, Db } from 'mongodb';
import type { ClockOf } from '../../clock.ts';
import { areAboutLimits, judgeAlerts, type AlertEvent } from '../../domain/alerts.ts';
import { usesOf, type LimitUse } from '../../domain/limits.ts';
import { changeWallet, type ChangeRefusal, type WalletChange } from '../../domain/wallet-change.ts';
import { availableOf, dateOn, type Wallet } from '../../domain/wallet.ts';
import { openWindows } from '../flows/windows.ts';
import { createChanges, type WorkspaceChange } from '../shared/changes.ts';
import { byId, inOneReply } from '../shared/commands.ts';
import { toDecimal128 } from '../shared/decimal.ts';
import { unwrapped } from '../shared/transaction.ts';
import { openWebhookEndpoints } from '../webhooks/endpoints.ts';
import { alertsIn, newEntry, type OutboxEntry } from '../webhooks/outbox.ts';
import { toWallet, type WalletDocument } from './documents.ts';
import { alertsOf, moneyAsText } from './limits.ts';
import { countWallets, type WalletCount } from './totals.ts';

interface WalletChangeRequest extends WorkspaceChange {
  readonly id: string;
  readonly change: WalletChange;
}

/** What became of a change, and the wallet as it is then. */
export interface WalletOutcome {
  readonly wallet: Wallet;
  /** 'unchanged' if it was so already; or why it stays as it is. */
  readonly outcome: 'changed' | 'unchanged' | ChangeRefusal;
  /** What it was, if it was changed. */
  readonly before?: Wallet;
  /** What its alerts told by it, with those of other changes; absent if no endpoint asked for it. */
  readonly entry?: OutboxEntry;
}

/**
 * Changes a STANDARD wallet, and the workspace's totals with it. Changes of a workspace that come at once share a transaction,
 * and are made one after the other, each on what the one before has left. A posting that knew the wallets before is folded
 * again. A repetition, if the first was made and its answer was lost, finds the wallet so already.
 * @returns undefined if clients have no such wallet.
 * @throws ContendedError it was posted too often meanwhile; TimeoutError no time was left: nothing was then changed, nor will
 * be, unless the commit was sent by then.
 */
export type ChangeWallet = (request: WalletChangeRequest) => Promise<WalletOutcome | undefined>;

export function openWalletChanges(db: Db, clockOf: ClockOf): ChangeWallet {
  const collection = db.collection<WalletDocument>('wallets');
  return createChanges(db.client, async (workspaceId, requests: readonly WalletChangeRequest[], session) => {
    const ids = [...new Set(requests.map(({ id }) => id))];
    const documents = await collection
      .find({ workspaceId, _id: { $in: ids }, kind: 'STANDARD' }, { session, ...inOneReply(ids.length), ...byId })
      .toArray();
    const before = new Map(documents.map((document) => [document._id, toWallet(document)]));
    const after = new Map(before);
    const clock = await clockOf(workspaceId);
    const outcomes = requests.map(({ id, change }): WalletOutcome | undefined => {
      const wallet = after.get(id);
      if (wallet === undefined) return undefined;
      // No wallet changes before it was made, if this clock is behind.
      const updatedAt = new Date(Math.max(clock().getTime(), wallet.updatedAt.getTime()));
      const changed = changeWallet(wallet, change, updatedAt);
      if (typeof changed === 'string') return { wallet, outcome: changed };
      if (changed === wallet) return { wallet, outcome: 'unchanged' };
      const now = { ...changed, updatedAt, version: wallet.version + 1 };
      after.set(id, now);
      return { wallet: now, outcome: 'changed', before: wallet };
    });
    const watched = [...after.values()].filter(
      (now) => now.alerts !== undefined && isJudgedAnew(before.get(now.id), now),
    );
    const events = await judgeAll(db, watched, after, session);
    const changed = [...after.values()].flatMap((now) => {
      const was = before.get(now.id);
      return was === undefined || was === now ? [] : [{ was, now }];
    });
    if (changed.length === 0) return outcomes;
    await unwrapped(collection.bulkWrite(changed.map(updateOf), { session }));
    const counts = changed
      .filter(({ was, now }) => was.status !== now.status)
      .flatMap(({ was, now }): WalletCount[] => [
        { currency: was.currency, status: was.status, by: -1 },
        { currency: now.currency, status: now.status, by: 1 },
      ]);
    if (counts.length > 0) await countWallets(db, workspaceId, counts, session);
    const entry = await tell(db, workspaceId, events, clock(), session);
    return outcomes.map((made) => {
      const last = made && after.get(made.wallet.id);
      // As its alerts left it, unless a later change of the same transaction came to that.
      const left = made && last?.version === made.wallet.version ? { ...made, wallet: last } : made;
      return left && entry !== undefined ? { ...left, entry } : left;
    });
  });
}

/** Whether what was changed of a wallet is what its alerts are judged by. */
function isJudgedAnew(was: Wallet | undefined, now: Wallet): boolean {
  return was?.limits !== now.limits || was?.alerts !== now.alerts || was?.creditLimit !== now.creditLimit;
}

/** Judges the alerts of wallets that were changed. @param after gets the wallets as that leaves them. */
async function judgeAll(
  db: Db,
  watched: readonly Wallet[],
  after: Map<string, Wallet>,
  session: ClientSession,
): Promise<AlertEvent[]> {
  const readBeforeWindows = openWindows(db);
  const told: AlertEvent[] = [];
  for (const wallet of watched) {
    const at = dateOn(wallet, wallet.updatedAt);
    let uses: readonly LimitUse[] = [];
    if (areAboutLimits(wallet.alerts ?? [])) {
      const { before } = await readBeforeWindows([wallet], at, { session });
      uses = usesOf(wallet, before.get(wallet.id) ?? [], at);
    }
    const { alerts, alertEvents, events } = judgeAlerts(wallet, availableOf(wallet), uses, at);
    if (events.length > 0) after.set(wallet.id, { ...wallet, alerts, alertEvents });
    told.push(...events);
  }
  return told;
}

/** Leaves what alerts tell for the webhooks of the workspace. */
async function tell(
  db: Db,
  workspaceId: string,
  events: readonly AlertEvent[],
  at: Date,
  session: ClientSession,
): Promise<OutboxEntry | undefined> {
  if (events.length === 0) return undefined;
  const subscribers = await openWebhookEndpoints(db).subscribers([workspaceId]);
  const entry = newEntry(workspaceId, { completed: [], failed: [], ...alertsIn(events) }, subscribers, at);
  if (entry !== undefined) await db.collection<OutboxEntry>('webhookOutbox').insertOne(entry, { session });
  return entry;
}

/** In the transaction that read it, so that no other writer can come between. */
function updateOf({ was, now }: { was: Wallet; now: Wallet }): AnyBulkWriteOperation<WalletDocument> {
  const { workspaceId, id, status, updatedAt, version } = now;
  const creditLimit = now.creditLimit === was.creditLimit ? {} : { creditLimit: toDecimal128(now.creditLimit) };
  const metadata = now.metadata === was.metadata ? {} : { metadata: JSON.stringify(now.metadata) };
  const limits = now.limits === was.limits ? {} : { limits: (now.limits ?? []).map(moneyAsText) };
  const alerts = now.alerts === was.alerts ? {} : alertsOf(now);
  const update = {
    $set: { status, name: now.name, ...metadata, ...creditLimit, ...limits, ...alerts, updatedAt, version },
  };
  return { updateOne: { filter: { workspaceId, _id: id }, update, ...byId } };
}
