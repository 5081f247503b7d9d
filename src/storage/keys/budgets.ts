import { isDeepStrictEqual } from 'node:util';
import type { ClientSession, Collection, Db } from 'mongodb';
import { budgetAt, type Budget, type KeyBudgets } from '../../domain/budgets.ts';
import { totalsId } from '../../domain/ids.ts';
import { limitsMax } from '../../domain/limits.ts';
import { Money } from '../../domain/money.ts';
import { groupsInFlightMax } from '../../settings/settings.ts';
import { anyOf, byId, inOneReply, type GuardedUpdate } from '../shared/commands.ts';
import { inTransaction, patiently, unwrapped } from '../shared/transaction.ts';
import { moneyAsText, moneyFromText, type MoneyAsText } from '../wallets/limits.ts';
import { partOfSlot, type TotalsDocument } from '../wallets/totals.ts';

/** The budgets of a key; absent of one that never had any. */
export interface KeyBudgetsDocument extends Omit<KeyBudgets, 'apiKey' | 'budgets'> {
  readonly _id: string;
  readonly budgets: readonly MoneyAsText<Budget>[];
}

/** A budget as the administrator sets it. */
export type NewBudget = Pick<Budget, 'name' | 'currency' | 'amount' | 'count' | 'window'>;

/** Names the budgets of a key. */
type KeyName = Pick<KeyBudgets, 'apiKey' | 'workspaceId'>;

/** A key has ten budgets already. */
export class TooManyBudgetsError extends Error {
  override readonly name = 'TooManyBudgetsError';
}

export type KeyBudgetsStore = ReturnType<typeof openKeyBudgets>;

/**
 * The `keyBudgets` collection: one document a key that has or had budgets. A workspace of which no key ever had one costs a posting
 * nothing: it need not ask. What it takes for granted, that the workspace's keys have these budgets and no others, is in the
 * filter by which it adds to the workspace's totals, whose parts all carry the number of changes that the administrator made.
 */
export function openKeyBudgets(db: Db) {
  const collection: Collection<KeyBudgetsDocument> = db.collection('keyBudgets');
  const totals: Collection<TotalsDocument> = db.collection('wallets');

  async function find(
    apiKeys: readonly string[],
    workspaceIds: readonly string[],
    session?: ClientSession,
  ): Promise<Map<string, KeyBudgets>> {
    const filter = { workspaceId: anyOf(workspaceIds), _id: { $in: [...apiKeys] } };
    const inSession = session === undefined ? {} : { session };
    const options = { ...inOneReply(apiKeys.length), ...byId, ...inSession };
    const documents = await collection.find(filter, options).toArray();
    return new Map(documents.map((document) => [document._id, toKeyBudgets(document)]));
  }

  /** Changes the budgets of a key, and tells every posting under way, which then is folded again. */
  function change(
    { apiKey, workspaceId }: KeyName,
    changeAll: (before: KeyBudgets) => readonly Budget[],
  ): Promise<void> {
    return patiently(() =>
      inTransaction(db.client, async (session) => {
        const none = { apiKey, workspaceId, budgets: [], version: 0, changes: 0 };
        const before = (await find([apiKey], [workspaceId], session)).get(apiKey) ?? none;
        const { version, changes } = before;
        const after = { ...before, budgets: changeAll(before), version: version + 1, changes: changes + 1 };
        const { _id, ...values } = documentOf(after);
        await collection.replaceOne({ workspaceId, _id }, values, { upsert: true, session });
        const parts = Array.from({ length: groupsInFlightMax }, (_, slot) => totalsId(workspaceId, partOfSlot(slot)));
        const update = { $inc: { budgets: 1 }, $setOnInsert: { kind: 'TOTALS' as const } };
        await unwrapped(
          totals.bulkWrite(
            parts.map((part) => ({ updateOne: { filter: { workspaceId, _id: part }, update, upsert: true, ...byId } })),
            { session },
          ),
        );
      }),
    );
  }

  return {
    find,

    /** How often the budgets of workspaces' keys were changed; one where none ever was is absent. */
    async versionsOf(workspaceIds: readonly string[], session: ClientSession): Promise<Map<string, number>> {
      const ids = workspaceIds.map((workspaceId) => totalsId(workspaceId, partOfSlot(0)));
      const filter = { workspaceId: anyOf(workspaceIds), _id: { $in: ids } };
      const options = { session, projection: { workspaceId: 1, budgets: 1 }, ...inOneReply(ids.length), ...byId };
      const parts = await totals.find(filter, options).toArray();
      return new Map(
        parts.flatMap(({ workspaceId, budgets }) => (budgets === undefined ? [] : [[workspaceId, budgets] as const])),
      );
    },

    /**
     * Sets a budget of a key. One of the same name is replaced: it keeps its use if its currency and window stay. It holds for
     * every order that is posted after this resolves.
     * @param now by the workspace's clock. @returns the one that was replaced; undefined if it is new.
     * @throws TooManyBudgetsError; ContendedError the workspace was posted too often meanwhile: nothing was changed.
     */
    async set(key: KeyName, budget: NewBudget, now: Date): Promise<Budget | undefined> {
      let replaced: Budget | undefined;
      await change(key, ({ budgets, version }) => {
        replaced = budgets.find(({ name }) => name === budget.name);
        const isSame = replaced?.currency === budget.currency && isDeepStrictEqual(replaced.window, budget.window);
        const { since, from, used, usedCount } =
          isSame && replaced !== undefined
            ? budgetAt(replaced, now)
            : { since: version + 1, from: now, used: new Money(0), usedCount: 0 };
        const others = budgets.filter(({ name }) => name !== budget.name);
        if (others.length >= limitsMax) throw new TooManyBudgetsError(`a key has at most ${limitsMax} budgets`);
        const changed = { ...budget, since, from, used, usedCount };
        return [...others, changed].toSorted((a, b) => (a.name < b.name ? -1 : 1));
      });
      return replaced;
    },

    /** Removes a budget of a key. @returns what it was; undefined if the key had none of that name, and nothing was changed. */
    async remove(key: KeyName, name: string): Promise<Budget | undefined> {
      const was = (await find([key.apiKey], [key.workspaceId])).get(key.apiKey);
      if (was?.budgets.every((budget) => budget.name !== name) ?? true) return undefined;
      let removed: Budget | undefined;
      await change(key, ({ budgets }) => {
        removed = budgets.find((budget) => budget.name === name);
        return budgets.filter((budget) => budget.name !== name);
      });
      return removed;
    },
  };
}

/** Writes the use of budgets as a posting leaves it, if nobody wrote them since they were read. */
export function budgetUpdates(used: readonly KeyBudgets[]): GuardedUpdate[] {
  return used.map((key) => {
    const { _id, workspaceId, budgets } = documentOf(key);
    return { filter: { workspaceId, _id, changes: key.changes }, set: { budgets, changes: key.changes + 1 }, count: 1 };
  });
}

function documentOf({ apiKey, budgets, ...key }: KeyBudgets): KeyBudgetsDocument {
  return { _id: apiKey, ...key, budgets: budgets.map(moneyAsText) };
}

function toKeyBudgets({ _id, budgets, ...key }: KeyBudgetsDocument): KeyBudgets {
  return { apiKey: _id, ...key, budgets: budgets.map((budget) => moneyFromText<Budget>(budget)) };
}
