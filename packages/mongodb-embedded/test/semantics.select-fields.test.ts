import { Decimal128, Double, Int32, Long, ObjectId, serialize } from 'bson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileProjection, fieldSelection } from '../src/semantics/project.ts';
import { fieldsOfFilter, selectFields } from '../src/semantics/select-fields.ts';
import { storedVersion } from '../src/storage/version.ts';
import type { Document, Value } from '../src/semantics/values.ts';

const name = fc.constantFrom('_id', 'a', 'b', 'ab', 'ä', 'amount', 'c');
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.constantFrom(null, new Int32(1), new Double(1.5), Long.fromNumber(2), Decimal128.fromString('1.10')),
  fc.constantFrom(new Date(5), new ObjectId('a'.repeat(24)), { a: new Int32(1) }, [new Int32(1), 'b']),
);
const document = fc.dictionary(name, value) as fc.Arbitrary<Document>;
const [shown, hidden] = [new Int32(1), new Int32(0)];

describe('selectFields', () => {
  it('leaves of the bytes what a projection leaves of the document', () => {
    fc.assert(
      fc.property(document, fc.uniqueArray(name), fc.boolean(), fc.boolean(), (given, names, including, withId) => {
        const fields = names.filter((field) => field !== '_id');
        const specification: Document = {
          ...Object.fromEntries(fields.map((field) => [field, including ? shown : hidden])),
          ...(withId ? {} : { _id: hidden }),
        };
        const selection = fieldSelection(specification);
        if (selection === undefined) return Object.keys(specification).length === 0;
        const expected = serialize(compileProjection(specification)(given));
        return Buffer.compare(selectFields(serialize(given), selection), expected) === 0;
      }),
    );
  });

  it('takes the fields of bytes that lie anywhere in a buffer', () => {
    const bytes = serialize({ _id: shown, a: 'x', b: 'y' });
    const around = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]);
    const selection = fieldSelection({ b: hidden });
    expect(selection && selectFields(around.subarray(6, 6 + bytes.length), selection)).toEqual(
      Buffer.from(serialize({ _id: shown, a: 'x' })),
    );
  });

  it('is not for what asks inside of fields', () => {
    const asked: Document[] = [{ 'a.b': shown }, { 'a.b': hidden }, { 'a.$': shown }, { a: { $slice: shown } }, {}];
    for (const specification of asked) expect(fieldSelection(specification)).toBeUndefined();
  });
});

describe('fieldsOfFilter', () => {
  it('names what a filter looks at, at any depth', () => {
    const filter = { a: shown, $or: [{ 'b.x': shown }, { $and: [{ c: { $gt: shown } }, { $nor: [{ a: hidden }] }] }] };
    const names = ['a', 'b', 'c'].map((field) => Buffer.from(field));
    expect(fieldsOfFilter(filter)).toEqual({ names, including: true });
  });

  it('does not guess where a filter may look at any field', () => {
    const anywhere: Document[] = [{ $expr: { $eq: ['$a', shown] } }, { $jsonSchema: {} }, { $or: [{ $expr: true }] }];
    for (const filter of anywhere) expect(fieldsOfFilter({ a: shown, ...filter })).toBeUndefined();
  });
});

describe('a stored version', () => {
  it('gives the part of its document that is asked for, and all of it once it was looked at', () => {
    const version = storedVersion(serialize({ _id: shown, a: 'x', b: 'y' }));
    const fields = { names: [Buffer.from('b')], including: true };
    expect(version.partOf(fields)).toEqual({ b: 'y' });
    expect(version.partOf(fields)).toBe(version.document);
  });
});
