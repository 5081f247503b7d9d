import { Binary, BSONRegExp, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import type { Value } from '../src/semantics/values.ts';

/** Decimals of all digits and exponents, the special ones among them. */
export const decimals = fc.oneof(
  fc.constantFrom('NaN', 'Infinity', '-Infinity', '0', '-0', '0E+6111', '0E-6176', '1E-6176').map(decimal),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 34n) + 1n, max: 10n ** 34n - 1n }), fc.integer({ min: -6176, max: 6111 }))
    .map(([coefficient, exponent]) => decimal(`${coefficient}E${exponent}`)),
  money(),
);

/** Amounts as people write them. */
export function money(): fc.Arbitrary<Decimal128> {
  return fc
    .tuple(fc.bigInt({ min: -1_000_000n, max: 1_000_000n }), fc.integer({ min: -4, max: 4 }))
    .map(([coefficient, exponent]) => decimal(`${coefficient}E${exponent}`));
}

/** Numbers of all four types, often close to each other. */
export const numbers = fc.oneof(
  fc.integer().map((value) => new Int32(value)),
  fc.integer({ min: -3, max: 3 }).map((value) => new Int32(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc.integer({ min: -3, max: 3 }).map((value) => Long.fromNumber(value)),
  fc.double().map((value) => new Double(value)),
  fc.integer({ min: -12, max: 12 }).map((value) => new Double(value / 4)),
  decimals,
);

/** Values of all types, nested. */
export const values: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    numbers,
    fc.constantFrom<Value>(null, undefined, true, false, new MinKey(), new MaxKey()),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('\0', '\x01', '\x02', 'a', '\ud83d\ude00', '\uffff') }),
    fc.date({ noInvalidDate: true }),
    fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
    fc.tuple(fc.uint8Array({ maxLength: 4 }), fc.constantFrom(0, 4, 128)).map(([b, type]) => new Binary(b, type)),
    fc.tuple(fc.nat(3), fc.nat(3)).map(([t, i]) => new Timestamp({ t, i })),
    fc.constantFrom('a', 'b').map((pattern) => new BSONRegExp(pattern, 'i')),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'ab', ''), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

/** A decimal by its text. */
export function decimal(text: string): Decimal128 {
  return Decimal128.fromString(text);
}

/** A document that nobody can change: the engine shares those it keeps, so whatever reads one must leave it as it is. */
export function frozen<T>(value: T): T {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
