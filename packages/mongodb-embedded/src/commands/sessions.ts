import { Binary } from 'bson';
import { randomUUID } from 'node:crypto';
import { CommandError } from '../errors.ts';
import { readSessionId } from '../sessions/numbers.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Reply } from '../wire/reply.ts';
import type { Context } from './context.ts';
import { listField } from './fields.ts';

/** commitTransaction; repeating it after it has succeeded succeeds again. */
export function commitTransaction({ engine, session, transaction }: Context): Reply {
  if (session === undefined || transaction === undefined) {
    throw new CommandError(125, 'commitTransaction must be run within a transaction');
  }
  if (transaction.state === 'open') engine.sessions.commit(session, transaction);
  return { ok: 1 };
}

/** abortTransaction. */
export function abortTransaction({ engine, transaction }: Context): Reply {
  if (transaction === undefined) throw new CommandError(125, 'abortTransaction must be run within a transaction');
  engine.sessions.abort(transaction);
  return { ok: 1 };
}

export function startSession(): Reply {
  const id = new Binary(Buffer.from(randomUUID().replaceAll('-', ''), 'hex'), 4);
  return { id: { id }, timeoutMinutes: 30, ok: 1 };
}

/** endSessions and refreshSessions: an open transaction goes on until it ends or expires. */
export function acknowledgeSessions(context: Context): Reply {
  for (const lsid of listField(context, context.name)) readSessionId(lsid);
  return { ok: 1 };
}

/** killSessions: aborts their transactions and closes their cursors. An empty list means all. */
export function killSessions(context: Context): Reply {
  const ids = listField(context, context.name);
  const sessions = ids.map((lsid) => readSessionId(lsid)).filter((id) => id !== undefined);
  for (const id of sessions) kill(context, context.engine.sessions.of(id));
  if (ids.length === 0) killAll(context);
  return { ok: 1 };
}

function killAll({ engine }: Context): void {
  for (const transaction of engine.sessions.open()) engine.sessions.abort(transaction);
  for (const [id, { session }] of engine.cursors) if (session !== undefined) engine.cursors.delete(id);
}

function kill({ engine }: Context, session: Session): void {
  if (session.transaction !== undefined) engine.sessions.abort(session.transaction);
  for (const interrupt of session.interrupts) interrupt(new CommandError(11601, 'operation was interrupted'));
  for (const [id, cursor] of engine.cursors) if (cursor.session === session) engine.cursors.delete(id);
}
