import { serialize, type Binary } from 'bson';
import type { CommandError } from '../errors.ts';
import type { Store } from '../storage/store.ts';
import type { Transaction, Transactions } from '../storage/transaction.ts';
import type { Document } from '../semantics/values.ts';
import { decodeDocument } from '../wire/message.ts';

/** A logical session: the number of its last transaction or retryable write, and what came of it. */
export interface Session {
  key: string;
  id: Binary;
  number: bigint;
  /** `none` until a number has been used; a number is either a retryable write's or a transaction's. */
  kind: 'none' | 'retryable' | 'transaction';
  transaction: ClientTransaction | undefined;
  /** Results of the statements carried out under the number of a retryable write, by statement id. */
  statements: Map<number, Document>;
  /** Commands with a number run one after the other within a session. */
  last: Promise<void>;
  /** What to call for each of its waiting writes when the session is killed. */
  interrupts: Set<(reason: CommandError) => void>;
  usedAt: number;
}

/** A multi-document transaction of a session. */
export interface ClientTransaction {
  number: bigint;
  unit: Transaction;
  state: 'open' | 'committed' | 'aborted';
  /** The level that it began with. */
  readConcern: string;
  /** Collections that it has touched: they cannot be dropped or indexed until it ends. */
  namespaces: Set<string>;
  expiry: NodeJS.Timeout | undefined;
}

export interface Sessions {
  of(id: Binary): Session;
  open(): ClientTransaction[];
  begin(session: Session, number: bigint, lifetimeMs: number): ClientTransaction;
  /** Moves on to a higher number: an open transaction is aborted, results of earlier statements are forgotten. */
  renumber(session: Session, number: bigint, kind: 'retryable' | 'transaction'): void;
  commit(session: Session, transaction: ClientTransaction): void;
  abort(transaction: ClientTransaction): void;
  /** Remembers the result of a retryable statement in the commit that carries it out. */
  remember(session: Session, unit: Transaction, statement: number, result: Document): void;
  forgetBefore(timeMs: number): void;
}

/**
 * Sessions by their id. Numbers, results of retryable writes and the fact of a commit are durable with the writes
 * themselves, so that a client may repeat them after a restart. Source: manual, "Server Sessions", "Retryable Writes".
 */
export function createSessions(store: Store, transactions: Transactions): Sessions {
  const sessions = new Map<string, Session>();
  /** What each unit's commit will save beside the writes: one row, however many statements a command has. */
  const carriedOut = new WeakMap<Transaction, Statement[]>();
  const openTransactions = new Set<ClientTransaction>();
  const end = (transaction: ClientTransaction, state: 'committed' | 'aborted'): void => {
    transaction.state = state;
    openTransactions.delete(transaction);
    clearTimeout(transaction.expiry);
  };
  const abort = (transaction: ClientTransaction): void => {
    if (transaction.state !== 'open') return;
    end(transaction, 'aborted');
    transactions.abort(transaction.unit);
  };
  const all: Sessions = {
    open: () => [...openTransactions],
    abort,
    of(id) {
      const key = Buffer.from(id.buffer).toString('hex');
      let session = sessions.get(key);
      if (session === undefined) sessions.set(key, (session = load(store, transactions, key, id)));
      session.usedAt = Date.now();
      return session;
    },
    begin(session, number, lifetimeMs) {
      all.renumber(session, number, 'transaction');
      const transaction = newTransaction(number, transactions.begin(false), 'open');
      transaction.expiry = setTimeout(() => {
        abort(transaction);
      }, lifetimeMs).unref();
      session.transaction = transaction;
      openTransactions.add(transaction);
      return transaction;
    },
    renumber(session, number, kind) {
      if (session.transaction !== undefined) abort(session.transaction);
      Object.assign(session, { number, kind, transaction: undefined, statements: new Map() });
    },
    commit(session, transaction) {
      transaction.unit.alongside.push(() => {
        save(store, session, true);
      });
      try {
        transactions.commit(transaction.unit);
      } finally {
        end(transaction, transaction.unit.state === 'committed' ? 'committed' : 'aborted');
      }
    },
    remember(session, unit, statement, result) {
      const known = carriedOut.get(unit);
      const statements = known ?? [];
      statements.push({ id: statement, result });
      if (known !== undefined) return;
      carriedOut.set(unit, statements);
      const { number } = session;
      unit.alongside.push(() => {
        save(store, session, false);
        if (session.number === number) saveStatements(store, session, statements);
      });
    },
    forgetBefore(timeMs) {
      for (const [key, { usedAt, transaction }] of sessions) {
        if (usedAt < timeMs && transaction?.state !== 'open') sessions.delete(key);
      }
      forget(store, timeMs);
    },
  };
  return all;
}

/** Waits for the session's turn, runs the work, and lets the next one in. */
export async function inTurn<T>(session: Session, work: () => Promise<T>): Promise<T> {
  const earlier = session.last;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  session.last = promise;
  await earlier;
  try {
    return await work();
  } finally {
    resolve(undefined);
  }
}

/** Waits for something unless the session is killed meanwhile; then rejects with what it is interrupted with. */
export async function unlessKilled<T>(session: Session | undefined, awaited: Promise<T>): Promise<T> {
  if (session === undefined) return awaited;
  const { promise, reject } = Promise.withResolvers<never>();
  session.interrupts.add(reject);
  try {
    return await Promise.race([awaited, promise]);
  } finally {
    session.interrupts.delete(reject);
  }
}

function save(store: Store, session: Session, isCommitted: boolean): void {
  const stored = store.statement('SELECT number FROM session WHERE id = ?').get(session.id.buffer);
  if (stored !== undefined && stored['number'] !== String(session.number)) {
    store.change('DELETE FROM carried_out WHERE session = ?')(session.id.buffer);
  }
  const insert = 'INSERT OR REPLACE INTO session (id, number, committed, used_at) VALUES (?, ?, ?, ?)';
  store.change(insert)(session.id.buffer, String(session.number), Number(isCommitted), Date.now());
}

/** A session as it was left before a restart, or a new one. */
function load(store: Store, transactions: Transactions, key: string, id: Binary): Session {
  const session: Session = {
    ...{ key, id, number: -1n, kind: 'none', transaction: undefined, statements: new Map() },
    ...{ last: Promise.resolve(), interrupts: new Set(), usedAt: Date.now() },
  };
  const row = store.statement('SELECT number, committed FROM session WHERE id = ?').get(id.buffer);
  if (row === undefined) return session;
  session.number = BigInt(row['number'] as string);
  session.kind = row['committed'] === 1 ? 'transaction' : 'retryable';
  if (session.kind === 'transaction') {
    const unit = transactions.begin(false);
    transactions.abort(unit);
    session.transaction = newTransaction(session.number, unit, 'committed');
  }
  for (const saved of store.statement('SELECT statements FROM carried_out WHERE session = ?').all(id.buffer)) {
    const { statements } = decodeDocument(saved['statements'] as Uint8Array) as { statements: Document[] };
    for (const { id: number, result } of statements) session.statements.set(Number(number), result as Document);
  }
  return session;
}

/** A statement of a retryable write, and what came of it. */
interface Statement {
  id: number;
  result: Document;
}

function saveStatements(store: Store, session: Session, statements: Statement[]): void {
  const insert = 'INSERT OR REPLACE INTO carried_out (session, first, statements) VALUES (?, ?, ?)';
  store.change(insert)(session.id.buffer, statements[0]?.id ?? 0, serialize({ statements }));
  // Last: what could not be saved was not carried out.
  for (const { id, result } of statements) session.statements.set(id, result);
}

function forget(store: Store, timeMs: number): void {
  store.commit(() => {
    const old = 'SELECT id FROM session WHERE used_at < ?';
    store.change(`DELETE FROM carried_out WHERE session IN (${old})`)(timeMs);
    store.change('DELETE FROM session WHERE used_at < ?')(timeMs);
  });
}

function newTransaction(number: bigint, unit: Transaction, state: ClientTransaction['state']): ClientTransaction {
  return { number, unit, state, readConcern: 'local', namespaces: new Set(), expiry: undefined };
}
