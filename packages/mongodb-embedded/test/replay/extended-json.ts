import { BSONRegExp, Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';

/** Values as they stand in a recording. */
export type Json = null | boolean | number | string | Json[] | { [field: string]: Json };

type Decoder = (value: never) => unknown;

const decoders: Record<string, Decoder> = {
  $numberInt: (value: string) => new Int32(Number(value)),
  $numberLong: (value: string) => Long.fromString(value),
  $numberDouble: (value: string) => new Double(Number(value)),
  $numberDecimal: (value: string) => Decimal128.fromString(value),
  $oid: (value: string) => new ObjectId(value),
  $date: ({ $numberLong: time }: { $numberLong: string }) => new Date(Number(time)),
  $binary: ({ base64, subType }: { base64: string; subType: string }) =>
    new Binary(Buffer.from(base64, 'base64'), Number.parseInt(subType, 16)),
  $regularExpression: ({ pattern, options }: { pattern: string; options: string }) => new BSONRegExp(pattern, options),
  $timestamp: ({ t, i }: { t: number; i: number }) => new Timestamp({ t, i }),
  $minKey: () => new MinKey(),
  $maxKey: () => new MaxKey(),
};

/** Canonical Extended JSON to BSON values. Query operators such as `$regex` are data and stay as they are. */
export function decode(json: Json): unknown {
  if (json === null || typeof json !== 'object') return json;
  if (Array.isArray(json)) return json.map(decode);
  const [name, ...others] = Object.keys(json);
  const decoder = name !== undefined && others.length === 0 ? decoders[name] : undefined;
  if (decoder !== undefined && name !== undefined) return decoder(json[name] as never);
  return Object.fromEntries(Object.entries(json).map(([field, value]) => [field, decode(value)]));
}

/** BSON values to canonical Extended JSON. */
export function encode(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(encode);
  if (value instanceof Date) return { $date: { $numberLong: String(value.getTime()) } };
  if (value instanceof Int32) return { $numberInt: String(value.value) };
  if (value instanceof Timestamp) return { $timestamp: { t: value.t, i: value.i } };
  if (value instanceof Long) return { $numberLong: value.toString() };
  if (value instanceof Double) return { $numberDouble: encodeDouble(value.value) };
  if (value instanceof Decimal128) return { $numberDecimal: value.toString() };
  if (value instanceof ObjectId) return { $oid: value.toHexString() };
  if (value instanceof Binary) {
    const subType = value.sub_type.toString(16).padStart(2, '0');
    return { $binary: { base64: Buffer.from(value.value()).toString('base64'), subType } };
  }
  if (value instanceof BSONRegExp) return { $regularExpression: { pattern: value.pattern, options: value.options } };
  if (value instanceof MinKey) return { $minKey: 1 };
  if (value instanceof MaxKey) return { $maxKey: 1 };
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, encode(inner)]));
}

function encodeDouble(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? value.toFixed(1) : String(value);
}
