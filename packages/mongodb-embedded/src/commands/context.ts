import type { ObjectId, Timestamp } from 'bson';
import type { StringOrder } from '../semantics/compare.ts';
import type { Source } from '../query/scan.ts';
import type { ClientTransaction, Session, Sessions } from '../sessions/sessions.ts';
import type { Locks } from '../sessions/locks.ts';
import { CommandError } from '../errors.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { Collection } from '../storage/collection.ts';
import type { Store } from '../storage/store.ts';
import type { Transactions } from '../storage/transaction.ts';
import type { Versions } from '../storage/versions.ts';
import type { Client } from '../wire/connection.ts';
import type { Reply } from '../wire/reply.ts';
import type { FailPoint } from './fail-point.ts';
import type { SentCommand } from './fields.ts';
import type { Cursors } from './open-cursors.ts';

/** Everything that one running engine consists of. */
export interface Engine {
  store: Store;
  versions: Versions;
  catalog: Catalog;
  transactions: Transactions;
  sessions: Sessions;
  locks: Locks;
  cursors: Cursors;
  failPoint: FailPoint;
  parameters: { transactionLifetimeLimitSeconds: number };
  address: string;
  electionId: ObjectId;
  startedAt: number;
  /** The latest cluster time that a client told of, if it was ahead of this server's. */
  learntTime: Timestamp | undefined;
  /** Whether an error came of a disk that fails: then no command is answered any more, and whoever runs the engine is told. */
  isDiskFailure: (error: unknown) => boolean;
}

/** One command under way. */
export interface Context extends SentCommand {
  engine: Engine;
  client: Client;
  session: Session | undefined;
  /** The open transaction that the command is a statement of. */
  transaction: ClientTransaction | undefined;
  isRetryable: boolean;
  /** When maxTimeMS runs out, in milliseconds since the epoch. */
  deadline: number | undefined;
  stringOrder: StringOrder | undefined;
}

export type Handler = (context: Context) => Reply | Promise<Reply>;

/** Where a command reads a collection from. In a transaction this takes the collection's lock. */
export function sourceOf(context: Context, collection: Collection): Source {
  const { engine, transaction } = context;
  const { store, versions, transactions } = engine;
  return {
    ...{ store, versions, collection, lastCommit: transactions.lastCommit },
    view: () => (transaction === undefined ? undefined : transactions.view(transaction.unit, collection)),
  };
}

/** The collection of a command, if it exists; a transaction keeps it until its end. Throws 24 or 246. */
export function findCollection(context: Context, ns: string): Collection | undefined {
  const { engine, transaction } = context;
  if (transaction !== undefined) engine.locks.hold(transaction, ns);
  const collection = transaction?.unit.created.get(ns) ?? engine.catalog.find(ns);
  if (
    transaction?.readConcern === 'snapshot' &&
    collection !== undefined &&
    collection.definedAt > transaction.unit.snapshot
  ) {
    throw new CommandError(246, 'Unable to read from a snapshot due to pending collection catalog changes');
  }
  return collection;
}
