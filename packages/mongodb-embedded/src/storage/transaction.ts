import { CommandError } from '../errors.ts';
import type { Catalog } from './catalog.ts';
import type { Collection, Writer } from './collection.ts';
import type { Store } from './store.ts';
import { holdUniqueKeys } from './unique.ts';
import { addedKeys, catchUp, createView, setVisible, type Commit, type Dirty, type View } from './view.ts';
import { inheritKeys, keysOf, noteArrays, type Version } from './version.ts';
import type { Versions } from './versions.ts';

/**
 * A unit of work with a snapshot of its own: a client's multi-document transaction, or (`plain`) what one command
 * outside a transaction writes. Its writes stay in memory until it commits.
 */
export interface Transaction extends Writer {
  readonly plain: boolean;
  /** Number of the last commit that it sees. */
  readonly snapshot: number;
  state: 'open' | 'committed' | 'aborted';
  views: Map<number, View>;
  /** Collections that it has made, by namespace: nobody else finds them until it commits. */
  created: Map<string, Collection>;
  /** More to write in the same commit, such as records of retryable writes. */
  alongside: ((store: Store) => void)[];
  end: () => void;
}

/** Says that a write outside a transaction has to wait until another unit of work ends. */
export class WriteBlocked extends Error {
  readonly by: Writer;

  constructor(by: Writer) {
    super('a write waits for an open transaction');
    this.by = by;
  }
}

/** A record's next state; undefined before an insert and after a deletion. */
export interface Change {
  record: number;
  before: Version | undefined;
  after: Version | undefined;
}

/** Begins, commits and aborts. All of it is synchronous, so that nothing happens between a check and its write. */
export interface Transactions {
  lastCommit: () => number;
  begin(plain: boolean): Transaction;
  /** Throws 112 if somebody else has made a collection that the transaction made; it is then aborted. */
  commit(transaction: Transaction): void;
  abort(transaction: Transaction): void;
  /** A change of the catalog takes part in the numbering, because snapshots before it may not use what it made. */
  define(change: () => void): number;
  view(transaction: Transaction, collection: Collection): View;
  /** Throws 112, 11000 or WriteBlocked, and then has written nothing. `before` is what the transaction sees. */
  write(transaction: Transaction, collection: Collection, change: Change): void;
}

/**
 * Snapshot isolation as WiredTiger gives it: the first writer of a record wins; who meets an uncommitted write or one
 * committed after its snapshot gets WriteConflict (112), or waits when it is no transaction.
 * Source: manual, "Transactions", "In-progress Transactions and Write Conflicts" (recordings: transactions).
 */
export function createTransactions(store: Store, catalog: Catalog, versions: Versions): Transactions {
  const state: State = { open: new Set(), log: [], lastCommit: 0 };
  const view = (transaction: Transaction, collection: Collection): View => {
    let found = transaction.views.get(collection.id);
    if (found === undefined) {
      found = createView(collection, transaction.snapshot);
      transaction.views.set(collection.id, found);
    }
    // While a transaction is open every later commit is logged, so the last ones are those it has not seen.
    const missed = state.lastCommit - found.caughtUpTo;
    if (missed > 0) catchUp(found, state.log.slice(-missed), state.lastCommit);
    return found;
  };
  return {
    lastCommit: () => state.lastCommit,
    begin(plain) {
      const { promise: ended, resolve } = Promise.withResolvers<undefined>();
      const end = (): void => {
        resolve(undefined);
      };
      const transaction: Transaction = {
        ...{ plain, snapshot: state.lastCommit, state: 'open', views: new Map(), created: new Map() },
        ...{ held: [], alongside: [], ended, end },
      };
      state.open.add(transaction);
      return transaction;
    },
    commit(transaction) {
      const changes = changesOf(transaction);
      const created = [...transaction.created.values()];
      try {
        if (created.some(({ ns }) => catalog.find(ns) !== undefined)) throw new CommandError(112, 'WriteConflict');
        if (changes.size > 0 || created.length > 0 || transaction.alongside.length > 0) {
          store.commit(() => {
            for (const collection of created) catalog.save(collection);
            for (const { collection, dirty } of changes.values()) saveChanges(store, catalog, collection, dirty);
            for (const save of transaction.alongside) save(store);
          });
        }
      } catch (error) {
        finish(state, transaction, 'aborted');
        throw error;
      }
      state.open.delete(transaction);
      if (changes.size > 0 || created.length > 0) {
        for (const { collection, dirty } of changes.values()) {
          recount(collection, dirty);
          for (const [record, { visible }] of dirty) versions.replace(record, visible);
        }
        const number = log(state, changes);
        for (const collection of created) {
          collection.definedAt = number;
          catalog.enter(collection);
        }
      }
      finish(state, transaction, 'committed');
    },
    abort(transaction) {
      if (transaction.state === 'open') finish(state, transaction, 'aborted');
    },
    define(change) {
      store.commit(change);
      return log(state, new Map());
    },
    view,
    write(transaction, collection, change) {
      writeRecord(store, transaction, view(transaction, collection), change);
    },
  };
}

interface State {
  open: Set<Transaction>;
  /** Commits that some open transaction does not see, with consecutive numbers. */
  log: Commit[];
  lastCommit: number;
}

function log(state: State, changes: Commit['changes']): number {
  const number = ++state.lastCommit;
  if (state.open.size > 0) state.log.push({ number, changes });
  return number;
}

function finish(state: State, transaction: Transaction, outcome: 'committed' | 'aborted'): void {
  transaction.state = outcome;
  state.open.delete(transaction);
  for (const { index, key } of transaction.held) index.uncommitted.delete(key);
  for (const { collection, dirty } of transaction.views.values()) {
    for (const [id, { own }] of dirty) if (own) collection.writers.delete(id);
  }
  transaction.views.clear();
  const oldest = Math.min(...[...state.open].map(({ snapshot }) => snapshot));
  const [first] = state.log;
  if (first !== undefined && first.number <= oldest) state.log = state.log.filter(({ number }) => number > oldest);
  transaction.end();
}

function writeRecord(store: Store, transaction: Transaction, view: View, { record, before, after }: Change): void {
  const { collection } = view;
  const conflict = (other: Writer | undefined): never => {
    throw transaction.plain && other !== undefined ? new WriteBlocked(other) : new CommandError(112, 'WriteConflict');
  };
  const writer = collection.writers.get(record);
  if (writer !== undefined && writer !== transaction) conflict(writer);
  const dirty = view.dirty.get(record);
  if (dirty !== undefined && !dirty.own) conflict(undefined);
  for (const index of collection.indexes) {
    if (after === undefined) break;
    if (before !== undefined) inheritKeys(after, before, index);
    noteArrays(index, after);
    if (index.unique) holdUniqueKeys(store, transaction, view, index, { record, before, after }, conflict);
  }
  collection.writers.set(record, transaction);
  setVisible(view, record, { own: true, base: dirty === undefined ? before : dirty.base, visible: after });
}

function changesOf(transaction: Transaction): Commit['changes'] {
  const changes: Commit['changes'] = new Map();
  for (const { collection, dirty } of transaction.views.values()) {
    const own = new Map([...dirty].filter(([, { own: isOwn, base, visible }]) => isOwn && base !== visible));
    if (own.size > 0) changes.set(collection.id, { collection, dirty: own });
  }
  return changes;
}

function saveChanges(store: Store, catalog: Catalog, collection: Collection, changes: Map<number, Dirty>): void {
  for (const [record, { base, visible }] of changes) {
    if (visible === undefined) store.deleteRecord(record);
    else store.putRecord(record, visible.bytes);
    for (const index of collection.indexes) {
      const before = base === undefined ? [] : keysOf(base, index);
      const after = visible === undefined ? [] : keysOf(visible, index);
      if (visible !== undefined) noteArrays(index, visible);
      for (const key of addedKeys(before, visible, index)) store.deleteEntry(index.id, key, record);
      for (const key of addedKeys(after, base, index)) store.putEntry(index.id, key, record);
    }
  }
  if (collection.indexes.some((index) => index.arrayPaths.size > index.arrayPathsSaved)) catalog.save(collection);
}

function recount(collection: Collection, changes: Map<number, Dirty>): void {
  if (collection.count === undefined) return;
  for (const { base, visible } of changes.values()) {
    collection.count += Number(visible !== undefined) - Number(base !== undefined);
  }
}
