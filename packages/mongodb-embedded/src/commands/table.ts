import * as collections from './collections.ts';
import type { Handler } from './context.ts';
import { getMore, killCursors } from './cursors.ts';
import { deleteDocuments } from './delete.ts';
import * as diagnostics from './diagnostics.ts';
import { explain } from './explain.ts';
import { configureFailPoint } from './fail-point.ts';
import { findAndModify } from './find-and-modify.ts';
import * as indexes from './indexes.ts';
import { insert } from './insert.ts';
import { aggregate, count, distinct, find } from './reads.ts';
import * as sessions from './sessions.ts';
import { update } from './update.ts';

/** A command and where it may run. */
export interface CommandEntry {
  handler: Handler;
  isAdminOnly: boolean;
  /** Reads or writes one collection, whose lock it shares. */
  isData: boolean;
  isWrite: boolean;
  isRetryable: boolean;
  inTransaction: 'yes' | 'no' | 'ends' | 'never a session';
}

/** Every command that the engine answers, by its canonical name; all others are CommandNotFound (59). */
export const commands = new Map<string, CommandEntry>([
  ['insert', data(insert, { isWrite: true, isRetryable: true })],
  ['update', data(update, { isWrite: true, isRetryable: true })],
  ['delete', data(deleteDocuments, { isWrite: true, isRetryable: true })],
  ['findAndModify', data(findAndModify, { isWrite: true, isRetryable: true })],
  ['find', data(find)],
  ['aggregate', data(aggregate)],
  ['distinct', data(distinct)],
  ['count', data(count, { inTransaction: 'no' })],
  ['getMore', command(getMore, { inTransaction: 'yes' })],
  ['killCursors', command(killCursors, { inTransaction: 'yes' })],
  ['explain', command(explain)],
  ['create', command(collections.create, { isWrite: true, inTransaction: 'yes' })],
  ['collMod', command(collections.collMod, { isWrite: true })],
  ['drop', command(collections.drop, { isWrite: true })],
  ['renameCollection', command(collections.renameCollection, { isAdminOnly: true, isWrite: true })],
  ['dropDatabase', command(collections.dropDatabase, { isWrite: true })],
  ['listCollections', command(collections.listCollections)],
  ['listDatabases', command(collections.listDatabases, { isAdminOnly: true })],
  ['createIndexes', command(indexes.createIndexes, { isWrite: true, inTransaction: 'yes' })],
  ['dropIndexes', command(indexes.dropIndexes, { isWrite: true })],
  ['listIndexes', command(indexes.listIndexes)],
  [
    'commitTransaction',
    command(sessions.commitTransaction, { isAdminOnly: true, isWrite: true, inTransaction: 'ends' }),
  ],
  ['abortTransaction', command(sessions.abortTransaction, { isAdminOnly: true, isWrite: true, inTransaction: 'ends' })],
  ['startSession', command(sessions.startSession)],
  ['endSessions', command(sessions.acknowledgeSessions)],
  ['refreshSessions', command(sessions.acknowledgeSessions)],
  ['killSessions', command(sessions.killSessions)],
  ['hello', command(diagnostics.hello, { inTransaction: 'never a session' })],
  ['isMaster', command(diagnostics.isMaster, { inTransaction: 'never a session' })],
  ['ping', command(diagnostics.ping, { inTransaction: 'never a session' })],
  ['buildInfo', command(diagnostics.buildInfo)],
  ['serverStatus', command(diagnostics.serverStatus)],
  ['hostInfo', command(diagnostics.hostInfo)],
  ['connectionStatus', command(diagnostics.connectionStatus)],
  ['getCmdLineOpts', command(diagnostics.getCmdLineOpts, { isAdminOnly: true })],
  ['whatsmyuri', command(diagnostics.whatsmyuri)],
  ['replSetGetStatus', command(diagnostics.replSetGetStatus, { isAdminOnly: true })],
  ['collStats', command(diagnostics.collStats)],
  ['dbStats', command(diagnostics.dbStats)],
  ['getParameter', command(diagnostics.getParameter, { isAdminOnly: true })],
  ['setParameter', command(diagnostics.setParameter, { isAdminOnly: true })],
  ['configureFailPoint', command(configureFailPoint, { isAdminOnly: true })],
]);

/** Other spellings that clients use. */
export const aliases = new Map([
  ['ismaster', 'isMaster'],
  ['findandmodify', 'findAndModify'],
  ['buildinfo', 'buildInfo'],
  ['collstats', 'collStats'],
  ['dbstats', 'dbStats'],
  ['deleteIndexes', 'dropIndexes'],
]);

function data(handler: Handler, settings: Partial<CommandEntry> = {}): CommandEntry {
  return command(handler, { isData: true, inTransaction: 'yes', ...settings });
}

function command(handler: Handler, settings: Partial<CommandEntry> = {}): CommandEntry {
  const nowhere = {
    isAdminOnly: false,
    isData: false,
    isWrite: false,
    isRetryable: false,
    inTransaction: 'no',
  } as const;
  return { handler, ...nowhere, ...settings };
}
