import { Double, Int32 } from 'bson';
import { CommandError } from '../errors.ts';
import { integerOf } from '../semantics/numbers.ts';
import { asDocument, isNumeric } from '../semantics/values.ts';
import { recordRange, type Collection } from '../storage/collection.ts';
import { messageBytesMax } from '../wire/message.ts';
import type { Reply } from '../wire/reply.ts';
import { timestampOf } from './clock.ts';
import type { Context } from './context.ts';
import { namespaceOf } from './fields.ts';

/** Name of the replica set of one node that the engine presents itself as; transactions need a set. */
export const setName = 'embedded';
const documentBytesMax = 16 * 1024 * 1024;
/** The release that the engine answers as, and its wire version. */
const version = '4.4.29-embedded';
const versionArray = [4, 4, 29, 0];
const wireVersionMax = 9;

/** hello: a primary. Without `topologyVersion` drivers ask again now and then instead of waiting for changes. */
export function hello(context: Context): Reply {
  return { isWritablePrimary: true, ...describeServer(context) };
}

/** isMaster, which says `helloOk` to whoever asks whether `hello` is known. */
export function isMaster(context: Context): Reply {
  const asksForHello = context.command['helloOk'] === true;
  return { ...(asksForHello && { helloOk: true }), ismaster: true, ...describeServer(context) };
}

function describeServer({ engine, client, command }: Context): Reply {
  const application = asDocument(asDocument(command['client'])?.['application'])?.['name'];
  if (typeof application === 'string') client.applicationName = application;
  const { address } = engine;
  const now = new Date();
  const opTime = { ts: timestampOf(engine), t: 1 };
  return {
    ...{ hosts: [address], setName, setVersion: 1, secondary: false, primary: address, me: address },
    electionId: engine.electionId,
    lastWrite: { opTime, lastWriteDate: now, majorityOpTime: opTime, majorityWriteDate: now },
    ...{ maxBsonObjectSize: documentBytesMax, maxMessageSizeBytes: messageBytesMax, maxWriteBatchSize: 100_000 },
    ...{ localTime: now, logicalSessionTimeoutMinutes: 30, connectionId: client.id },
    ...{ minWireVersion: 0, maxWireVersion: wireVersionMax, readOnly: false, ok: 1 },
  };
}

export function ping(): Reply {
  return { ok: 1 };
}

export function buildInfo(): Reply {
  return {
    ...{ version, versionArray, gitVersion: 'embedded', modules: [] },
    ...{ javascriptEngine: 'none', bits: 64, debug: false, maxBsonObjectSize: documentBytesMax },
    ...{ storageEngines: ['sqlite'], sysInfo: 'deprecated', ok: 1 },
  };
}

export function serverStatus({ engine }: Context): Reply {
  const uptimeMs = Date.now() - engine.startedAt;
  return {
    ...{ host: engine.address, version, process: 'mongod', pid: process.pid },
    ...{ uptime: Math.floor(uptimeMs / 1000), uptimeMillis: uptimeMs, localTime: new Date() },
    connections: { current: 1, available: 1000, totalCreated: 1 },
    transactions: { currentOpen: engine.sessions.open().length },
    mem: { bits: 64, resident: Math.round(process.memoryUsage.rss() / 2 ** 20) },
    ok: 1,
  };
}

export function hostInfo({ engine }: Context): Reply {
  return {
    system: { currentTime: new Date(), hostname: engine.address },
    os: { type: process.platform },
    extra: {},
    ok: 1,
  };
}

export function connectionStatus(): Reply {
  return { authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] }, ok: 1 };
}

export function getCmdLineOpts(): Reply {
  return { argv: ['embedded'], parsed: {}, ok: 1 };
}

export function whatsmyuri({ client }: Context): Reply {
  return { you: client.address, ok: 1 };
}

export function replSetGetStatus({ engine }: Context): Reply {
  const member = { _id: 0, name: engine.address, health: 1, state: 1, stateStr: 'PRIMARY', self: true };
  return { set: setName, date: new Date(), myState: 1, term: 1, members: [member], ok: 1 };
}

/** collStats; an absent collection has none of anything. */
export function collStats(context: Context): Reply {
  const ns = namespaceOf(context);
  const collection = context.engine.catalog.find(ns);
  const empty = { ns, size: 0, count: 0, storageSize: 0, nindexes: 0, totalIndexSize: 0, indexSizes: {}, ok: 1 };
  if (collection === undefined) return empty;
  return { ...empty, count: countOf(context, collection), capped: false, nindexes: collection.indexes.length };
}

export function dbStats(context: Context): Reply {
  const { engine, database } = context;
  const collections = engine.catalog.all().filter((collection) => collection.database === database);
  const objects = collections.reduce((sum, collection) => sum + countOf(context, collection), 0);
  const indexes = collections.reduce((sum, collection) => sum + collection.indexes.length, 0);
  return {
    db: database,
    collections: collections.length,
    views: 0,
    objects,
    indexes,
    dataSize: 0,
    storageSize: 0,
    ok: 1,
  };
}

/** getParameter of the one parameter there is. */
export function getParameter({ engine, command }: Context): Reply {
  const { transactionLifetimeLimitSeconds: seconds } = engine.parameters;
  if (command['transactionLifetimeLimitSeconds'] === undefined && command['getParameter'] !== '*') {
    // The one error that MongoDB tells without a code.
    return { ok: 0, errmsg: 'no option found to get' };
  }
  return { transactionLifetimeLimitSeconds: seconds, ok: 1 };
}

/** setParameter. The lifetime limit holds for transactions that begin afterwards. */
export function setParameter({ engine, command }: Context): Reply {
  const [name = ''] = Object.keys(command).filter((field) => field !== 'setParameter' && !field.startsWith('$'));
  const value = command[name];
  if (name !== 'transactionLifetimeLimitSeconds') {
    return { ok: 0, errmsg: `attempted to set unrecognized parameter [${name}], use help:true to see options` };
  }
  const seconds = isNumeric(value) ? integerOf(value) : undefined;
  if (seconds === undefined || seconds < 1) {
    throw new CommandError(2, `Invalid value for parameter ${name}: not greater than or equal to 1`);
  }
  const was = engine.parameters.transactionLifetimeLimitSeconds;
  engine.parameters.transactionLifetimeLimitSeconds = seconds;
  return { was: new Int32(was), ok: new Double(1) };
}

function countOf({ engine }: Context, collection: Collection): number {
  const { from, to } = recordRange(collection);
  return (collection.count ??= engine.store.countRecords(from, to, Infinity));
}
