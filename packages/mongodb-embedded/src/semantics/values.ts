import type {
  BSONRegExp,
  BSONSymbol,
  Binary,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';

/** A number as BSON types it. No JavaScript number ever stands inside a document. */
export type Numeric = Int32 | Long | Double | Decimal128;

/** A document as `bson.deserialize` gives it with promoteValues and promoteBuffers off and bsonRegExp on. */
export interface Document {
  [field: string]: Value;
}

/** Any value inside a document; `undefined` stands for BSON's undefined and, in look-ups, for "missing". */
export type Value =
  | Numeric
  | ObjectId
  | Binary
  | BSONRegExp
  | BSONSymbol
  | Timestamp
  | MinKey
  | MaxKey
  | Code
  | DBRef
  | string
  | boolean
  | null
  | undefined
  | Date
  | Value[]
  | Document;

/**
 * The place of a value's type in MongoDB's order of BSON types; types of the same rank compare by value.
 * Source: manual, "Comparison/Sort Order". Gaps leave 0 free as the end mark of encoded keys.
 */
export const rank = {
  minKey: 1,
  missing: 3,
  null: 5,
  number: 10,
  string: 15,
  document: 20,
  array: 25,
  binary: 30,
  objectId: 35,
  boolean: 40,
  date: 45,
  timestamp: 47,
  regex: 50,
  code: 60,
  codeWithScope: 65,
  maxKey: 127,
} as const;

/** The rank of a value, see `rank`. */
export function rankOf(value: Value): number {
  switch (typeof value) {
    case 'string':
      return rank.string;
    case 'boolean':
      return rank.boolean;
    case 'undefined':
      return rank.missing;
    default:
      return value === null ? rank.null : typeInfo(value).rank;
  }
}

/** The name that `$type` and error messages give a value's type. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'undefined':
      return 'missing';
    default:
      return value === null ? 'null' : typeInfo(value).name;
  }
}

/** True for plain embedded documents, not for arrays, dates or instances of BSON's types. */
export function isDocument(value: Value): value is Document {
  return typeof value === 'object' && value !== null && typeInfo(value).name === 'object' && !isDbRef(value);
}

/** True for int, long, double and decimal. */
export function isNumeric(value: Value): value is Numeric {
  return typeof value === 'object' && value !== null && typeInfo(value).rank === rank.number;
}

/** The document's own class for a BSON type, when the value is an instance of it. */
export function isBson<Name extends keyof BsonClasses>(value: Value, name: Name): value is BsonClasses[Name] {
  return typeof value === 'object' && value !== null && bsonTypeOf(value) === name;
}

/** An embedded document's view of a value: reads DBRefs, which the decoder turns into a class, as documents. */
export function asDocument(value: Value): Document | undefined {
  if (isDocument(value)) return value;
  if (!isDbRef(value)) return undefined;
  const { collection, oid, db, fields } = value;
  return { $ref: collection, $id: oid, ...(db === undefined ? {} : { $db: db }), ...fields };
}

/** BSON's type numbers by the names that `$type` accepts. Source: manual, "BSON Types". */
export const typeNumbers: Readonly<Record<string, number>> = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: -1,
  maxKey: 127,
};

interface BsonClasses {
  Int32: Int32;
  Long: Long;
  Double: Double;
  Decimal128: Decimal128;
  ObjectId: ObjectId;
  Binary: Binary;
  BSONRegExp: BSONRegExp;
  BSONSymbol: BSONSymbol;
  Timestamp: Timestamp;
  MinKey: MinKey;
  MaxKey: MaxKey;
  Code: Code;
  DBRef: DBRef;
}

interface TypeInfo {
  name: string;
  rank: number;
}

const bsonTypes: Readonly<Record<string, TypeInfo | undefined>> = {
  Int32: { name: 'int', rank: rank.number },
  Long: { name: 'long', rank: rank.number },
  Double: { name: 'double', rank: rank.number },
  Decimal128: { name: 'decimal', rank: rank.number },
  BSONSymbol: { name: 'symbol', rank: rank.string },
  DBRef: { name: 'object', rank: rank.document },
  Binary: { name: 'binData', rank: rank.binary },
  ObjectId: { name: 'objectId', rank: rank.objectId },
  Timestamp: { name: 'timestamp', rank: rank.timestamp },
  BSONRegExp: { name: 'regex', rank: rank.regex },
  Code: { name: 'javascript', rank: rank.code },
  MinKey: { name: 'minKey', rank: rank.minKey },
  MaxKey: { name: 'maxKey', rank: rank.maxKey },
};
const documentType: TypeInfo = { name: 'object', rank: rank.document };
const arrayType: TypeInfo = { name: 'array', rank: rank.array };
const dateType: TypeInfo = { name: 'date', rank: rank.date };
const codeWithScopeType: TypeInfo = { name: 'javascriptWithScope', rank: rank.codeWithScope };

function typeInfo(value: object): TypeInfo {
  const name = bsonTypeOf(value);
  if (name !== undefined) {
    if (name === 'Code' && (value as Code).scope !== null) return codeWithScopeType;
    return bsonTypes[name] ?? documentType;
  }
  if (Array.isArray(value)) return arrayType;
  return value instanceof Date ? dateType : documentType;
}

/** BSON's classes carry their name on the prototype; a document's own field of that name must not pass for one. */
function bsonTypeOf(value: object): string | undefined {
  const name = (value as { _bsontype?: unknown })._bsontype;
  return typeof name === 'string' && !Object.hasOwn(value, '_bsontype') ? name : undefined;
}

function isDbRef(value: Value): value is DBRef {
  return isBson(value, 'DBRef');
}
