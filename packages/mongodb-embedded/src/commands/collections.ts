import { Binary, Int32, Long, serialize } from 'bson';
import { CommandError, shown } from '../errors.ts';
import { compileMatch } from '../semantics/match.ts';
import { compareValues } from '../semantics/compare.ts';
import { asDocument, isDocument, isNumeric, type Document } from '../semantics/values.ts';
import { setOptions, type Collection } from '../storage/collection.ts';
import type { Reply } from '../wire/reply.ts';
import { findCollection, type Context } from './context.ts';
import { cursorBatchSize, openCursor } from './cursors.ts';
import { checkedNamespace, documentField, isTrue, namespaceOf } from './fields.ts';
import { createCollection, refuseReadConcern } from './write-unit.ts';

const validationOptions = ['validator', 'validationLevel', 'validationAction'];
/** Options of `create` that need nothing done, or are refused by name. */
const otherOptions = [
  'capped',
  'size',
  'max',
  'autoIndexId',
  'idIndex',
  'storageEngine',
  'indexOptionDefaults',
  'flags',
];
const generic = ['lsid', 'readConcern', 'writeConcern', 'comment', 'maxTimeMS'];
const ofTransactions = ['txnNumber', 'autocommit', 'startTransaction'];

/**
 * create: at once, whoever has the name in an open transaction, or in a transaction as part of it. Collections are plain:
 * capped ones, views and a default collation are refused (72).
 */
export async function create(context: Context): Promise<Reply> {
  const { engine, command, deadline, transaction } = context;
  const ns = namespaceOf(context);
  refuseReadConcern(context);
  if (transaction === undefined) await engine.locks.share(ns, deadline);
  if (findCollection(context, ns) !== undefined) throw new CommandError(48, `a collection '${ns}' already exists`);
  refuseUnknownOptions(command, [...otherOptions, 'viewOn', 'pipeline', 'collation', 'timeseries', 'clusteredIndex']);
  for (const option of ['capped', 'viewOn', 'collation', 'timeseries', 'clusteredIndex']) {
    if (isTrue(command[option]) || typeof command[option] === 'string' || isDocument(command[option])) {
      throw new CommandError(72, `the option ${option} is not supported`);
    }
  }
  const given = Object.entries(command)
    .slice(1)
    .filter(([name]) => validationOptions.includes(name));
  createCollection(context, ns, Object.fromEntries(given));
  return { ok: 1 };
}

/** collMod: the validator, and the time to live of an index (recordings: indexes, handshake). */
export async function collMod(context: Context): Promise<Reply> {
  const { engine, command, deadline } = context;
  const ns = namespaceOf(context);
  return engine.locks.exclusive(ns, deadline, () => {
    const collection = engine.catalog.find(ns);
    if (collection === undefined) throw new CommandError(26, 'ns does not exist');
    const given = Object.entries(command).filter(([name]) => validationOptions.includes(name));
    refuseUnknownOptions(command, ['index', 'usePowerOf2Sizes', 'noPadding']);
    const index = documentField(context, 'index');
    if (index !== undefined) changeExpiry(collection, index);
    setOptions(collection, { ...collection.options, ...Object.fromEntries(given) });
    collection.definedAt = engine.transactions.define(() => {
      engine.catalog.save(collection);
    });
    return { ok: 1 };
  });
}

/** drop. Waits for open transactions on the collection. Throws 26 if it does not exist. */
export async function drop(context: Context): Promise<Reply> {
  const { engine, deadline } = context;
  const ns = namespaceOf(context);
  return engine.locks.exclusive(ns, deadline, () => {
    const collection = engine.catalog.find(ns);
    if (collection === undefined) throw new CommandError(26, 'ns not found');
    dropCollections(context, [collection]);
    return { nIndexesWas: collection.indexes.length, ns, ok: 1 };
  });
}

/** renameCollection, between databases too. Throws 26, 48, and 72 for one name twice. */
export async function renameCollection(context: Context): Promise<Reply> {
  const { engine, command, deadline } = context;
  const [from, to] = [command['renameCollection'], command['to']].map((name) => {
    if (typeof name !== 'string' || !name.includes('.'))
      throw new CommandError(73, `Invalid namespace: ${shown(name)}`);
    const dot = name.indexOf('.');
    return checkedNamespace(name.slice(0, dot), name.slice(dot + 1));
  });
  if (from === undefined || to === undefined || from === to) {
    throw new CommandError(20, "Can't rename a collection to itself");
  }
  return engine.locks.exclusive(from, deadline, () =>
    engine.locks.exclusive(to, deadline, () => {
      const collection = engine.catalog.find(from);
      const target = engine.catalog.find(to);
      if (collection === undefined) throw new CommandError(26, 'source namespace does not exist');
      if (target !== undefined && !isTrue(command['dropTarget'])) throw new CommandError(48, 'target namespace exists');
      if (target !== undefined) forgetCursors(context, [target]);
      collection.definedAt = engine.transactions.define(() => {
        if (target !== undefined) engine.catalog.drop(target);
        engine.catalog.rename(collection, to);
      });
      return { ok: 1 };
    }),
  );
}

/** dropDatabase. Waits for open transactions on any of its collections. */
export async function dropDatabase(context: Context): Promise<Reply> {
  const { engine, database, deadline } = context;
  return engine.locks.exclusive(database, deadline, () => {
    const collections = engine.catalog.all().filter((collection) => collection.database === database);
    if (collections.length > 0) dropCollections(context, collections);
    return { ...(collections.length > 0 && { dropped: database }), ok: 1 };
  });
}

/** listCollections. */
export function listCollections(context: Context): Reply {
  const { engine, database, command } = context;
  const filter = documentField(context, 'filter');
  const matches = filter === undefined ? () => true : compileMatch(filter);
  const documents = engine.catalog
    .all()
    .filter((collection) => collection.database === database)
    .map((collection) => describe(collection))
    .filter((description) => matches(description))
    .map((description) => {
      const { name, type } = description;
      return serialize(isTrue(command['nameOnly']) ? { name, type } : description);
    });
  const results = { documents: documents.values(), remaining: Infinity };
  return openCursor(context, `${database}.$cmd.listCollections`, results, cursorBatchSize(context));
}

/** listDatabases: a database exists from its first collection on. */
export function listDatabases(context: Context): Reply {
  const { engine, command } = context;
  const filter = documentField(context, 'filter');
  const matches = filter === undefined ? () => true : compileMatch(filter);
  const names = [...new Set(engine.catalog.all().map(({ database }) => database))].sort();
  const databases = names.filter((name) => matches({ name }));
  if (isTrue(command['nameOnly'])) return { databases: databases.map((name) => ({ name })), ok: 1 };
  return { databases: databases.map((name) => ({ name, sizeOnDisk: 0, empty: false })), totalSize: 0, ok: 1 };
}

function refuseUnknownOptions(command: Document, others: string[]): void {
  for (const name of Object.keys(command).slice(1)) {
    const isKnown =
      [...validationOptions, ...generic, ...ofTransactions, ...others].includes(name) || name.startsWith('$');
    if (!isKnown) throw new CommandError(72, `The field '${name}' is not a valid collection option`);
  }
  const { validator, validationLevel: level = 'strict', validationAction: action = 'error' } = command;
  if (validator !== undefined && !isDocument(validator))
    throw new CommandError(14, "'validator' has to be a document.");
  if (!['off', 'strict', 'moderate'].includes(shown(level)) || !['warn', 'error'].includes(shown(action))) {
    throw new CommandError(2, 'invalid validation level or action');
  }
}

function forgetCursors({ engine }: Context, collections: Collection[]): void {
  const namespaces = collections.map(({ ns }) => ns);
  for (const [id, cursor] of engine.cursors) if (namespaces.includes(cursor.ns)) engine.cursors.delete(id);
}

function dropCollections(context: Context, collections: Collection[]): void {
  const { engine } = context;
  forgetCursors(context, collections);
  engine.transactions.define(() => {
    for (const collection of collections) engine.catalog.drop(collection);
  });
}

function describe({ name, options, uuid, indexes }: Collection): Document {
  const info = { readOnly: false, uuid: new Binary(uuid.buffer, 4) };
  return { name, type: 'collection', options, info, idIndex: indexes[0]?.spec ?? {} };
}

function changeExpiry(collection: Collection, change: Document): void {
  const pattern = asDocument(change['keyPattern']);
  const found = collection.indexes.find(({ name, spec }) =>
    pattern === undefined ? name === change['name'] : compareValues(spec['key'], pattern) === 0,
  );
  if (found === undefined) throw new CommandError(27, `cannot find index for ns ${collection.ns}`);
  const seconds = change['expireAfterSeconds'];
  if (!isNumeric(seconds)) throw new CommandError(72, 'no expireAfterSeconds field');
  if (found.spec['expireAfterSeconds'] === undefined) {
    throw new CommandError(72, 'no expireAfterSeconds field to update');
  }
  found.spec['expireAfterSeconds'] = seconds instanceof Int32 ? Long.fromInt(seconds.value) : seconds;
}
