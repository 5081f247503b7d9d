import { BSONRegExp, Double, Int32, Long } from 'bson';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareValues } from '../src/semantics/compare.ts';
import { bounds, compileMatch, equalities } from '../src/semantics/match.ts';
import { compileSort } from '../src/semantics/sort.ts';
import type { Document } from '../src/semantics/values.ts';
import { decimal, values } from './semantics.values.ts';

const zero = new Int32(0);
const one = new Int32(1);
const two = new Int32(2);
const five = new Int32(5);

describe('compileMatch', () => {
  test.each<[Document, Document, boolean]>([
    [{ a: five }, { a: decimal('5.00') }, true],
    [{ a: five }, { a: [one, five] }, true],
    [{ a: [one, five] }, { a: [one, five] }, true],
    [{ a: null }, {}, true],
    [{ a: null }, { a: [null] }, true],
    [{ a: null }, { a: [] }, false],
    [{ a: { $ne: one } }, { a: [one, two] }, false],
    [{ a: { $gt: one } }, { a: '2' }, false],
    [{ a: { $gte: null } }, {}, true],
    [{ a: { $lt: five } }, { a: new Double(NaN) }, false],
    [{ a: { $in: [one, new BSONRegExp('^x', '')] } }, { a: 'xy' }, true],
    [{ a: { $nin: [one] } }, {}, true],
    [{ a: { $not: { $gt: one } } }, {}, true],
    [{ a: { $exists: true } }, { a: null }, true],
    [{ a: { $type: 'number' } }, { a: Long.fromNumber(1) }, true],
    [{ a: { $type: 'array' } }, { a: [] }, true],
    [{ a: { $size: two } }, { a: [one, two] }, true],
    [{ a: { $all: [one, two] } }, { a: [two, one, five] }, true],
    [{ a: { $all: [] } }, { a: [] }, false],
    [{ a: { $all: [[one]] } }, { a: [[one], two] }, true],
    [{ a: { $mod: [two, one] } }, { a: five }, true],
    [{ a: { $mod: [two, one] } }, { a: 'x' }, false],
    [{ a: { $elemMatch: { x: one, y: one } } }, { a: [{ x: one }, { y: one }] }, false],
    [{ a: { $elemMatch: { $gt: one, $lt: five } } }, { a: [one, two] }, true],
    [{ 'a.b': one }, { a: [{ b: two }, { b: [one] }] }, true],
    [{ 'a.0.b': one }, { a: [{ b: one }] }, true],
    [{ 'a.b': null }, { a: [] }, false],
    [{ 'a.b': { $exists: false } }, { a: [] }, true],
    [{ a: { $regex: 'B', $options: 'i' } }, { a: 'abc' }, true],
    [{ $expr: { $gt: ['$a', '$b'] } }, { a: two, b: decimal('1.9') }, true],
    [{ $nor: [{ a: one }, { a: two }] }, { a: five }, true],
    [{ $jsonSchema: { required: ['a'], properties: { a: { bsonType: 'int', minimum: two } } } }, { a: five }, true],
    [{ $jsonSchema: { required: ['a'], properties: { a: { bsonType: 'int', minimum: two } } } }, { a: one }, false],
    [{ $jsonSchema: { properties: { a: { minimum: zero, exclusiveMinimum: true } } } }, { a: decimal('0.00') }, false],
    [{ $jsonSchema: { properties: { a: { minimum: zero, exclusiveMinimum: true } } } }, { a: decimal('0.01') }, true],
    [{ $jsonSchema: { properties: { a: { minimum: zero } } } }, { a: decimal('NaN') }, false],
    [{ $jsonSchema: { properties: { a: { minimum: zero } } } }, { a: new Double(NaN) }, false],
    [{ $jsonSchema: { properties: { a: { maximum: two } } } }, { a: new Double(Infinity) }, false],
    [{ $jsonSchema: { properties: { a: { maximum: two } } } }, { a: 'text' }, true],
    [{ $jsonSchema: { properties: { a: { enum: ['x', null] } } } }, { a: 'x' }, true],
    [{ $jsonSchema: { properties: { a: { enum: ['x', null] } } } }, { a: 'y' }, false],
    [{ $jsonSchema: { properties: { a: { enum: ['x', null] } } } }, { a: null }, true],
    [{ $jsonSchema: { properties: { a: { enum: [two] } } } }, { a: new Double(2) }, true],
    [{ $jsonSchema: { properties: { a: {} }, additionalProperties: false } }, { a: one, b: one }, false],
  ])('%j on %j: %s', (filter, document, expected) => {
    expect(compileMatch(filter)(document)).toBe(expected);
  });

  test.each<[Document, number]>([
    [{ a: { $noSuch: one } }, 2],
    [{ $noSuch: one }, 2],
    [{ a: { $gt: one, b: two } }, 2],
    [{ a: { $in: one } }, 2],
    [{ a: { $type: 'nosuch' } }, 2],
    [{ a: { $regex: '(' } }, 51091],
    [{ $and: [] }, 2],
    [{ $expr: { $noSuch: one } }, 168],
  ])('%j is refused with %i', (filter, code) => {
    expect(() => compileMatch(filter)).toThrow(expect.objectContaining({ code }));
  });

  test('finds every value equal to itself, and ranges split the values of one type', () => {
    fc.assert(
      fc.property(values, (value) => {
        fc.pre(value !== undefined);
        expect(compileMatch({ a: { $eq: value } })({ a: value })).toBe(true);
      }),
    );
    const word = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(word, word, (value, bound) => {
        expect(compileMatch({ a: { $gt: bound } })({ a: value })).toBe(compareValues(value, bound) > 0);
        expect(compileMatch({ a: { $lte: bound } })({ a: value })).toBe(compareValues(value, bound) <= 0);
      }),
    );
  });

  test('tells the position that a positional operator needs', () => {
    const details = {};
    expect(compileMatch({ 'a.b': two })({ a: [{ b: one }, { b: two }] }, details)).toBe(true);
    expect(details).toEqual({ position: 1 });
  });
});

describe('what an index may serve', () => {
  test('is taken from the filter itself and its $and, without arrays and regular expressions', () => {
    const filter = {
      a: one,
      $and: [{ b: { $gte: one, $lt: five } }, { c: { $in: [one] } }],
      d: [one],
      $or: [{ e: one }],
    };
    expect(equalities(filter)).toEqual(new Map([['a', one]]));
    expect(bounds(filter)).toEqual(
      new Map<string, object>([
        ['b', { gte: one, lt: five }],
        ['c', { in: [one] }],
      ]),
    );
  });
});

describe('compileSort', () => {
  test('takes the least element upwards and the greatest downwards, missing as null', () => {
    const documents: Document[] = [{ a: [one, five] }, { a: two }, {}];
    expect(documents.toSorted(compileSort({ a: one }))).toEqual([{}, { a: [one, five] }, { a: two }]);
    expect(documents.toSorted(compileSort({ a: new Int32(-1) }))).toEqual([{ a: [one, five] }, { a: two }, {}]);
    expect(() => compileSort({ a: five })).toThrow(expect.objectContaining({ code: 2 }));
  });
});
