import type { Binary, BSONRegExp, Code, Decimal128, Double, ObjectId, Timestamp } from 'bson';
import { compareExact } from './exact.ts';
import { exactOf, plainNumber } from './numbers.ts';
import { asDocument, isBson, rank, rankOf, typeName, type Document, type Numeric, type Value } from './values.ts';

export { encodeKey, keyText } from './encode-key.ts';

/** Compares two strings; given where a collation is in force. */
export type StringOrder = (left: string, right: string) => number;

/**
 * MongoDB's order over values of all types: by type first, numbers of all types by exact value (NaN below all,
 * -0 equals 0), strings by their UTF-8 bytes unless a collation orders them, documents field by field.
 * Source: manual, "Comparison/Sort Order".
 */
export function compareValues(left: Value, right: Value, stringOrder: StringOrder = compareStrings): number {
  const leftRank = rankOf(left);
  const rightRank = rankOf(right);
  if (leftRank !== rightRank) return leftRank < rightRank ? -1 : 1;
  switch (leftRank) {
    case rank.number:
      return compareNumbers(left as Numeric, right as Numeric);
    case rank.string:
      return stringOrder(textOf(left), textOf(right));
    case rank.document:
      return compareDocuments(asDocument(left) ?? {}, asDocument(right) ?? {}, stringOrder);
    case rank.array:
      return compareArrays(left as Value[], right as Value[], stringOrder);
    case rank.binary:
      return compareBinaries(left as Binary, right as Binary);
    case rank.objectId:
      return Math.sign(Buffer.compare((left as ObjectId).id, (right as ObjectId).id));
    case rank.boolean:
      return Number(left) - Number(right);
    case rank.date:
      // A date beyond JavaScript's range has no time; it must not make the order undefined.
      return Math.sign((left as Date).getTime() - (right as Date).getTime()) || 0;
    case rank.timestamp:
      return compareTimestamps(left as Timestamp, right as Timestamp);
    case rank.regex:
      return compareRegexes(left as BSONRegExp, right as BSONRegExp);
    case rank.code:
      return compareStrings((left as Code).code, (right as Code).code);
    case rank.codeWithScope:
      return compareScopedCodes(left as Code, right as Code, stringOrder);
    default:
      return 0;
  }
}

/** True when two values are the same in every bit that is stored: type, digits, order of fields. */
export function identical(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (typeName(left) !== typeName(right)) return false;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((value, index) => identical(value, right[index]));
  }
  if (isBson(left, 'Decimal128')) return Buffer.compare(left.bytes, (right as Decimal128).bytes) === 0;
  if (isBson(left, 'Double')) return Object.is(left.value, (right as Double).value);
  const leftDocument = asDocument(left);
  const rightDocument = asDocument(right);
  if (leftDocument === undefined || rightDocument === undefined) return compareValues(left, right) === 0;
  const leftFields = Object.entries(leftDocument);
  const rightFields = Object.entries(rightDocument);
  return (
    leftFields.length === rightFields.length &&
    leftFields.every(([field, value], index) => {
      const other = rightFields[index];
      return other?.[0] === field && identical(value, other[1]);
    })
  );
}

/** The order of UTF-8 bytes, which differs from JavaScript's where surrogate pairs meet U+E000 to U+FFFF. */
export function compareStrings(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit !== rightUnit) return byteOrder(leftUnit) < byteOrder(rightUnit) ? -1 : 1;
  }
  return left.length < right.length ? -1 : 1;
}

/** A string's text, also of the deprecated symbol type. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  return isBson(value, 'BSONSymbol') ? value.value : '';
}

function compareNumbers(left: Numeric, right: Numeric): number {
  const leftSmall = plainNumber(left);
  const rightSmall = plainNumber(right);
  if (leftSmall !== undefined && rightSmall !== undefined) {
    return leftSmall < rightSmall ? -1 : leftSmall > rightSmall ? 1 : 0;
  }
  return compareExact(exactOf(left), exactOf(right));
}

function compareDocuments(left: Document, right: Document, stringOrder: StringOrder): number {
  const leftFields = Object.keys(left);
  const rightFields = Object.keys(right);
  const length = Math.min(leftFields.length, rightFields.length);
  for (let index = 0; index < length; index++) {
    const leftField = leftFields[index] ?? '';
    const rightField = rightFields[index] ?? '';
    const order =
      rankOf(left[leftField]) - rankOf(right[rightField]) ||
      compareStrings(leftField, rightField) ||
      compareValues(left[leftField], right[rightField], stringOrder);
    if (order !== 0) return Math.sign(order);
  }
  return Math.sign(leftFields.length - rightFields.length);
}

function compareArrays(left: Value[], right: Value[], stringOrder: StringOrder): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const order = compareValues(left[index], right[index], stringOrder);
    if (order !== 0) return order;
  }
  return Math.sign(left.length - right.length);
}

function compareBinaries(left: Binary, right: Binary): number {
  return Math.sign(
    left.position - right.position || left.sub_type - right.sub_type || Buffer.compare(left.value(), right.value()),
  );
}

function compareTimestamps(left: Timestamp, right: Timestamp): number {
  return Math.sign(left.t - right.t || left.i - right.i);
}

function compareRegexes(left: BSONRegExp, right: BSONRegExp): number {
  return compareStrings(left.pattern, right.pattern) || compareStrings(left.options, right.options);
}

function compareScopedCodes(left: Code, right: Code, stringOrder: StringOrder): number {
  const order = compareStrings(left.code, right.code);
  return order || compareDocuments(left.scope as Document, right.scope as Document, stringOrder);
}

function byteOrder(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
