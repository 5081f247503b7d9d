import type { Document, Long } from 'bson';
import type { Json } from './extended-json.ts';
import type { Symbols } from './symbols.ts';

/** What of a step decides how its reply is compared. */
export interface ReplyRules {
  cmd: Record<string, Json>;
  pick?: string[];
  anyOrder?: boolean;
}

const documents = ['value', 'values', 'keyPattern', 'keyValue'];
const compared = [
  ...['ok', 'n', 'nModified', 'upserted', 'lastErrorObject', 'cursor', 'code', 'codeName', 'errorLabels', 'was'],
  ...['writeErrors', 'writeConcernError', 'numIndexesBefore', 'numIndexesAfter', 'createdCollectionAutomatically'],
  ...['nIndexesWas', 'cursorsKilled', 'cursorsNotFound', 'cursorsAlive', 'cursorsUnknown', 'dropped', ...documents],
];

/** Reduces a reply to what the recordings hold of it. */
export function normaliseReply(reply: Document, rules: ReplyRules, symbols: Symbols): Json {
  const kept = rules.pick ?? compared;
  for (const failure of [reply, ...((reply['writeErrors'] as Document[] | undefined) ?? [])]) nameKeyFields(failure);
  const entries = Object.entries(reply).filter(([field]) => kept.includes(field));
  return Object.fromEntries(entries.map(([field, value]) => [field, normaliseField(field, value, rules, symbols)]));
}

function normaliseField(field: string, value: unknown, rules: ReplyRules, symbols: Symbols): Json {
  if (value === null) return null;
  switch (field) {
    case 'cursor':
      return normaliseCursor(value as Document, rules, symbols);
    case 'values':
      return sortedIf(rules.anyOrder, (value as unknown[]).map(symbols.fromDocument));
    case 'value':
    case 'keyPattern':
    case 'keyValue':
      return symbols.fromDocument(value);
    case 'upserted':
      return (value as Document[]).map((entry) => pickFields(entry, symbols, ['index'], ['_id']));
    case 'lastErrorObject':
      return pickFields(value as Document, symbols, ['n', 'updatedExisting'], ['upserted']);
    case 'writeErrors':
      return (value as Document[]).map((entry) =>
        pickFields(entry, symbols, ['index', 'code'], ['keyPattern', 'keyValue']),
      );
    case 'writeConcernError':
      return pickFields(value as Document, symbols, ['code', 'codeName'], []);
    case 'errorLabels':
      return (value as string[]).toSorted();
    default:
      return symbols.fromField(value);
  }
}

function normaliseCursor(cursor: Document, rules: ReplyRules, symbols: Symbols): Json {
  const [command = ''] = Object.keys(rules.cmd);
  const normalised: Record<string, Json> = { id: symbols.fromCursorId(cursor['id'] as Long) };
  if (cursor['ns'] !== undefined) normalised['ns'] = symbols.fromDocument(cursor['ns']);
  for (const name of ['firstBatch', 'nextBatch']) {
    if (cursor[name] === undefined) continue;
    let batch = (cursor[name] as unknown[]).map(symbols.fromDocument);
    if (command === 'listIndexes' || command === 'listCollections') batch = batch.map(normaliseListed);
    if (command === 'listCollections') batch.sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
    normalised[name] = sortedIf(rules.anyOrder, batch);
  }
  return normalised;
}

/** An entry of a catalogue: sorted fields, without those that name this very collection. */
function normaliseListed(entry: Json): Json {
  const fields = entry as Record<string, Json>;
  const kept = Object.keys(fields)
    .toSorted()
    .filter((name) => name !== 'ns' && name !== 'uuid');
  const listed: Record<string, Json> = Object.fromEntries(kept.map((name) => [name, fields[name] ?? null]));
  const pickOf = (name: string, inner: string[]): void => {
    const value = listed[name] as Record<string, Json> | undefined;
    if (value !== undefined) listed[name] = Object.fromEntries(inner.map((field) => [field, value[field] ?? null]));
  };
  pickOf('info', ['readOnly']);
  pickOf('idIndex', ['key', 'name', 'v']);
  return listed;
}

function pickFields(entry: Document, symbols: Symbols, plain: string[], user: string[]): Json {
  const all = Object.entries(entry).filter(([name]) => plain.includes(name) || user.includes(name));
  return Object.fromEntries(
    all.map(([name, value]) => [name, plain.includes(name) ? symbols.fromField(value) : symbols.fromDocument(value)]),
  );
}

function nameOf(entry: Json): string {
  return (entry as { name: string }).name;
}

function sortedIf(isSorted: boolean | undefined, values: Json[]): Json[] {
  return isSorted ? values.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)) : values;
}

/** Version 4.2 itself leaves the names in `keyValue` empty; later ones fill them in, and so do the recordings. */
function nameKeyFields(failure: Document): void {
  const [name = ''] = Object.keys((failure['keyPattern'] as Document | undefined) ?? {});
  const values = failure['keyValue'] as Document | undefined;
  if (values !== undefined && '' in values && name !== '') failure['keyValue'] = { [name]: values[''] as unknown };
}
