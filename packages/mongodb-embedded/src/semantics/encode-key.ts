import type { Binary, BSONRegExp, Code, ObjectId, Timestamp } from 'bson';
import { isZero, topDigit } from './exact.ts';
import { exactOf, plainNumber } from './numbers.ts';
import { asDocument, isBson, rank, rankOf, type Document, type Numeric, type Value } from './values.ts';

/**
 * The binary key of an index entry: bytes compare as `compareValues` does on the values, each in its direction;
 * equal numbers of different types give equal bytes; the key of the first k values is a prefix of the whole key.
 * No value's encoding is a prefix of another's, so keys of different lengths never mix. The layout is our own, in
 * the manner of MongoDB's KeyString.
 */
export function encodeKey(values: Value[], directions: (1 | -1)[]): Uint8Array {
  length = 0;
  for (let index = 0; index < values.length; index++) {
    const start = length;
    putValue(values[index]);
    if (directions[index] === -1) invert(start);
  }
  return Uint8Array.prototype.slice.call(scratch, 0, length);
}

/** A text that two values share exactly when they are equal: what sets and maps of values are kept by. */
export function keyText(value: Value): string {
  length = 0;
  putValue(value);
  return scratch.toString('latin1', 0, length);
}

// One buffer for all keys: encoding is synchronous, and an allocation for each entry would cost more than the rest.
let scratch = Buffer.allocUnsafe(4096);
let length = 0;

const sign = { nan: 0x10, negativeInfinity: 0x20, negative: 0x40, zero: 0x80, positive: 0xc0, infinity: 0xe0 } as const;
const exponentBias = 0x4000;

function putValue(value: Value): void {
  const valueRank = rankOf(value);
  reserve(16);
  scratch[length++] = valueRank;
  switch (valueRank) {
    case rank.number:
      putNumber(value as Numeric);
      return;
    case rank.string:
      putText(isBson(value, 'BSONSymbol') ? value.value : (value as string));
      return;
    case rank.document:
      putDocument(asDocument(value) ?? {});
      return;
    case rank.array:
      for (const element of value as Value[]) putValue(element);
      putEnd();
      return;
    case rank.binary:
      putBinary(value as Binary);
      return;
    case rank.objectId:
      scratch.set((value as ObjectId).id, length);
      length += 12;
      return;
    case rank.boolean:
      scratch[length++] = Number(value);
      return;
    case rank.date:
      putDate((value as Date).getTime());
      return;
    case rank.timestamp:
      length = scratch.writeUInt32BE((value as Timestamp).t, length);
      length = scratch.writeUInt32BE((value as Timestamp).i, length);
      return;
    case rank.regex:
      putText((value as BSONRegExp).pattern);
      putText((value as BSONRegExp).options);
      return;
    case rank.code:
      putText((value as Code).code);
      return;
    case rank.codeWithScope:
      putText((value as Code).code);
      putDocument((value as Code).scope as Document);
  }
}

/** A sign byte, the power of ten of the first digit, then pairs of digits without trailing zeros. */
function putNumber(value: Numeric): void {
  const plain = plainNumber(value);
  if (plain !== undefined && Number.isSafeInteger(plain)) {
    putWhole(plain);
    return;
  }
  const exact = exactOf(value);
  if (exact.kind === 'nan') scratch[length++] = sign.nan;
  else if (exact.kind === 'infinite') scratch[length++] = exact.negative ? sign.negativeInfinity : sign.infinity;
  else if (isZero(exact)) scratch[length++] = sign.zero;
  else putDigits(exact.negative, exact.coefficient.toString(), topDigit(exact));
}

function putWhole(value: number): void {
  if (value === 0) {
    scratch[length++] = sign.zero;
    return;
  }
  const digits = String(Math.abs(value));
  putDigits(value < 0, digits, digits.length - 1);
}

function putDigits(negative: boolean, digits: string, exponent: number): void {
  let count = digits.length;
  while (digits.charCodeAt(count - 1) === 48) count--;
  reserve(count + 8);
  scratch[length++] = negative ? sign.negative : sign.positive;
  const start = length;
  length = scratch.writeUInt16BE(exponent + exponentBias, length);
  for (let index = 0; index < count; index += 2) {
    const tens = digits.charCodeAt(index) - 48;
    const ones = index + 1 < count ? digits.charCodeAt(index + 1) - 48 : 0;
    scratch[length++] = 1 + tens * 10 + ones;
  }
  scratch[length++] = 0;
  if (negative) invert(start);
}

/** UTF-8 ended by 0; the bytes 0 and 1 become 1 1 and 1 2, which keeps the order and frees 0 as the end. */
function putText(text: string): void {
  reserve(text.length * 6 + 2);
  const start = length;
  length += scratch.write(text, length, 'utf8');
  let low = 0;
  for (let index = start; index < length; index++) if ((scratch[index] ?? 0) < 2) low++;
  const end = length + low;
  if (low > 0) {
    for (let from = length - 1, to = end - 1; from >= start; from--) {
      const byte = scratch[from] ?? 0;
      if (byte >= 2) scratch[to--] = byte;
      else {
        scratch[to--] = byte + 1;
        scratch[to--] = 1;
      }
    }
  }
  length = end;
  scratch[length++] = 0;
}

/** Each field by type, name and value: the type again comes first in the value, which does no harm. */
function putDocument(document: Document): void {
  for (const field of Object.keys(document)) {
    reserve(2);
    scratch[length++] = rankOf(document[field]);
    putText(field);
    putValue(document[field]);
  }
  putEnd();
}

function putBinary(binary: Binary): void {
  const bytes = binary.value();
  reserve(bytes.length + 8);
  length = scratch.writeUInt32BE(bytes.length, length);
  scratch[length++] = binary.sub_type;
  scratch.set(bytes, length);
  length += bytes.length;
}

/** 64 bits of milliseconds, shifted so that dates before 1970 come first. */
function putDate(milliseconds: number): void {
  const whole = Number.isNaN(milliseconds) ? 0 : milliseconds;
  const high = Math.floor(whole / 2 ** 32);
  length = scratch.writeUInt32BE(high + 2 ** 31, length);
  length = scratch.writeUInt32BE(whole - high * 2 ** 32, length);
}

function putEnd(): void {
  reserve(1);
  scratch[length++] = 0;
}

function invert(start: number): void {
  for (let index = start; index < length; index++) scratch[index] = ~(scratch[index] ?? 0);
}

function reserve(bytes: number): void {
  if (length + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, length + bytes));
  scratch.copy(larger, 0, 0, length);
  scratch = larger;
}
