import { Binary, Double, Int32, Long, ObjectId, Timestamp } from 'bson';
import { randomUUID } from 'node:crypto';
import { encode, type Json } from './extended-json.ts';

/** The names that stand in a recording for what differs from run to run, and what they stand for in this one. */
export interface Symbols {
  readonly database: string;
  /** A recorded value with the symbols replaced, ready to be sent. */
  toSend: (value: unknown) => unknown;
  /** A user's document in a reply: exact types, order kept. */
  fromDocument: (value: unknown) => Json;
  /** Any other field of a reply: numbers are plain there. */
  fromField: (value: unknown) => Json;
  fromCursorId: (id: Long) => Json;
  sessions: () => unknown[];
}

const nowToleranceMs = 3_600_000;

export function createSymbols(database: string): Symbols {
  const sessions = new Map<string, { id: Binary }>();
  const cursors = new Map<string, string>();
  const objectIds = new Map<string, string>();
  const sent = new Set<string>();
  const replaceText = (text: string): unknown => {
    if (text === '$db' || text.startsWith('$db.')) return database + text.slice(3);
    if (/^\$lsid:\d+$/.test(text)) {
      const known = sessions.get(text) ?? { id: newUuid() };
      sessions.set(text, known);
      return known;
    }
    if (!/^\$cursor:\d+$/.test(text)) return text;
    const [id = '424242'] = [...cursors].find(([, symbol]) => symbol === text) ?? [];
    return Long.fromString(id);
  };
  const symbols: Symbols = {
    database,
    sessions: () => [...sessions.values()],
    toSend(value) {
      if (typeof value === 'string') return replaceText(value);
      if (value instanceof ObjectId) sent.add(value.toHexString());
      if (Array.isArray(value)) return value.map(symbols.toSend);
      return mapDocument(value, symbols.toSend) ?? value;
    },
    fromDocument(value) {
      if (typeof value === 'string') return value.replaceAll(database, '$db');
      if (Array.isArray(value)) return value.map(symbols.fromDocument);
      if (value instanceof Date && Math.abs(value.getTime() - Date.now()) < nowToleranceMs) return '$now';
      if (value instanceof Timestamp) {
        return Math.abs(value.t * 1000 - Date.now()) < nowToleranceMs ? '$nowTimestamp' : encode(value);
      }
      if (value instanceof ObjectId && !sent.has(value.toHexString())) {
        const id = value.toHexString();
        if (!objectIds.has(id)) objectIds.set(id, `$oid:${objectIds.size + 1}`);
        return objectIds.get(id) ?? null;
      }
      return (mapDocument(value, symbols.fromDocument) as Json | undefined) ?? encode(value);
    },
    fromField(value) {
      if (value instanceof Long && cursors.has(value.toString())) return cursors.get(value.toString()) ?? null;
      if (value instanceof Long || value instanceof Int32 || value instanceof Double) return Number(value.toString());
      if (Array.isArray(value)) return value.map(symbols.fromField);
      return (mapDocument(value, symbols.fromField) as Json | undefined) ?? symbols.fromDocument(value);
    },
    fromCursorId(id) {
      if (id.isZero()) return 0;
      const known = cursors.get(id.toString()) ?? `$cursor:${cursors.size + 1}`;
      cursors.set(id.toString(), known);
      return known;
    },
  };
  return symbols;
}

function mapDocument(value: unknown, map: (inner: unknown) => unknown): object | undefined {
  const isPlain = value !== null && typeof value === 'object' && !('_bsontype' in value) && !(value instanceof Date);
  if (!isPlain) return undefined;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, map(inner)]));
}

function newUuid(): Binary {
  return new Binary(Buffer.from(randomUUID().replaceAll('-', ''), 'hex'), 4);
}
