import { Double, Int32, Long } from 'bson';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identical } from '../src/semantics/compare.ts';
import { compileProjection } from '../src/semantics/project.ts';
import { compileUpdate, upsertSeed, type UpdateOptions } from '../src/semantics/update.ts';
import type { Document } from '../src/semantics/values.ts';
import { decimal, frozen, values } from './semantics.values.ts';

const one = new Int32(1);
const two = new Int32(2);
const five = new Int32(5);

describe('compileUpdate', () => {
  test.each<[string, Document | Document[], Document, Document]>([
    ['new fields stand by path', { $set: { z: one, m: one }, $inc: { b: one } }, {}, { b: one, m: one, z: one }],
    [
      'an int overflows to a long',
      { $inc: { a: one } },
      { a: new Int32(2147483647) },
      { a: Long.fromString('2147483648') },
    ],
    ['int and double give a double', { $inc: { a: new Double(0.5) } }, { a: one }, { a: new Double(1.5) }],
    ['decimals keep their places', { $inc: { a: decimal('0.10') } }, { a: decimal('1.10') }, { a: decimal('1.20') }],
    ['a missing factor is zero of its type', { $mul: { a: decimal('2.00') } }, {}, { a: decimal('0.00') }],
    ['$set pads arrays with null', { $set: { 'a.2': five } }, { a: [one] }, { a: [one, null, five] }],
    ['$unset in an array leaves null', { $unset: { 'a.0': '' } }, { a: [one, two] }, { a: [null, two] }],
    ['$rename moves to the end', { $rename: { a: 'c' } }, { a: one, b: two }, { b: two, c: one }],
    [
      '$pull by a condition on documents',
      { $pull: { a: { k: one } } },
      { a: [{ k: one, v: two }, { k: two }] },
      { a: [{ k: two }] },
    ],
    [
      '$push sorts and cuts',
      { $push: { a: { $each: [two], $sort: one, $slice: new Int32(-2) } } },
      { a: [five, one] },
      { a: [two, five] },
    ],
    [
      '$addToSet compares by value',
      { $addToSet: { a: { $each: [new Double(1), five] } } },
      { a: [one] },
      { a: [one, five] },
    ],
    ['$max over types', { $max: { a: 'x' } }, { a: five }, { a: 'x' }],
    ['$bit keeps the type', { $bit: { a: { xor: five } } }, { a: one }, { a: new Int32(4) }],
    ['a pipeline', [{ $set: { b: { $add: ['$a', decimal('0.50')] } } }], { a: one }, { a: one, b: decimal('1.50') }],
    ['a replacement', { b: two }, { a: one }, { b: two }],
  ])('%s', (_name, update, before, after) => {
    const { doc, changed } = run(update, { _id: one, ...before });
    expect(identical(doc, { _id: one, ...after })).toBe(true);
    expect(changed).toBe(true);
  });

  test.each<[string, Document, Document]>([
    ['an equal value', { $set: { a: one } }, { a: one }],
    ['zero added with other places', { $inc: { a: decimal('0.00') } }, { a: decimal('1.1') }],
    ['nothing to pull', { $pull: { a: five } }, { a: [one] }],
    ['a missing field to unset', { $unset: { 'b.c': '' } }, { a: one }],
    ['a greater minimum', { $min: { a: five } }, { a: one }],
    ['$setOnInsert on an update', { $setOnInsert: { b: one } }, { a: one }],
  ])('%s changes nothing', (_name, update, before) => {
    const document = { _id: one, ...before };
    expect(run(update, document)).toEqual({ doc: document, changed: false });
  });

  test.each<[string, Document, Document, number]>([
    ['two operators on one path', { $set: { a: one }, $inc: { a: one } }, {}, 40],
    ['a path and its child', { $set: { a: one, 'a.b': one } }, {}, 40],
    ['another _id', { $set: { _id: two } }, {}, 66],
    ['no _id', { $unset: { _id: '' } }, {}, 66],
    ['a replacement with another _id', { _id: two }, {}, 66],
    ['a field inside a scalar', { $set: { 'a.b': one } }, { a: one }, 28],
    ['a number added to text', { $inc: { a: one } }, { a: 'x' }, 14],
    ['a long that overflows', { $inc: { a: one } }, { a: Long.MAX_VALUE }, 2],
    ['a push on a scalar', { $push: { a: one } }, { a: one }, 2],
    ['an unknown operator', { $noSuch: { a: one } }, {}, 9],
    ['a position that the query did not match', { $set: { 'a.$': one } }, { a: [one] }, 2],
    ['an unknown identifier', { $set: { 'a.$[e]': one } }, { a: [one] }, 2],
    ['a dollar name', { $set: { $x: one } }, {}, 52],
    ['an empty name', { $set: { 'a..b': one } }, {}, 56],
  ])('%s is refused', (_name, update, before, code) => {
    expect(() => run(update, { _id: one, ...before })).toThrow(expect.objectContaining({ code }));
  });

  test('positional parts choose the matched, all or the filtered elements', () => {
    const document = { _id: one, a: [{ k: one }, { k: two }] };
    expect(run({ $set: { 'a.$.v': five } }, document, {}, { 'a.k': two }).doc['a']).toEqual([
      { k: one },
      { k: two, v: five },
    ]);
    expect(run({ $set: { 'a.$[].v': five } }, document).doc['a']).toEqual([
      { k: one, v: five },
      { k: two, v: five },
    ]);
    const filtered = run({ $inc: { 'a.$[e].k': five } }, document, { arrayFilters: [{ 'e.k': { $gte: two } }] });
    expect(filtered.doc['a']).toEqual([{ k: one }, { k: new Int32(7) }]);
  });

  test('never touches the document it was given', () => {
    fc.assert(
      fc.property(values, values, (value, other) => {
        const document: Document = { _id: one, a: value, l: [value] };
        const before = structuredCloneOf(document);
        run({ $set: { 'b.c': other, a: other }, $push: { l: other } }, document);
        expect(identical(document, before)).toBe(true);
      }),
    );
  });
});

describe('upsertSeed', () => {
  test('takes equalities, _id first, and refuses overlaps', () => {
    const filter = { a: one, 'b.c': two, $and: [{ _id: five }], d: { $gt: one }, e: { $in: [one] } };
    const seed = upsertSeed(filter);
    expect(identical(seed, { _id: five, a: one, b: { c: two }, e: one })).toBe(true);
    expect(upsertSeed(filter, { isReplacement: true })).toEqual({ _id: five });
    expect(() => upsertSeed({ a: one, 'a.b': two })).toThrow(expect.objectContaining({ code: 54 }));
  });
});

describe('compileProjection', () => {
  const document = { _id: one, a: one, b: { c: one, d: two }, l: [{ x: one, y: one }, { x: two }] };
  test.each<[Document, Document]>([
    [{ a: one }, { _id: one, a: one }],
    [{ 'b.c': one, _id: false }, { b: { c: one } }],
    [
      { 'l.y': new Int32(0), b: false },
      { _id: one, a: one, l: [{ x: one }, { x: two }] },
    ],
    [
      { l: { $slice: new Int32(-1) }, a: one },
      { _id: one, a: one, l: [{ x: two }] },
    ],
    [{ l: { $elemMatch: { x: two } } }, { _id: one, l: [{ x: two }] }],
    [{ l: { $elemMatch: { x: five } } }, { _id: one }],
    // The id may be named beside what is excluded.
    [
      { b: { $slice: one }, _id: true },
      { _id: one, b: { c: one, d: two } },
    ],
    [
      { _id: one, b: false, l: false },
      { _id: one, a: one },
    ],
    [{ _id: one }, { _id: one }],
    [{ 'l.$': one }, { _id: one, l: [{ x: two }] }],
  ])('%j', (specification, expected) => {
    expect(identical(compileProjection(specification, { 'l.x': two })(frozen(document)), expected)).toBe(true);
  });

  test('puts what $elemMatch found after the other fields', () => {
    const project = compileProjection({ l: { $elemMatch: { x: one } }, z: one });
    expect(Object.keys(project({ _id: one, l: [{ x: one }], z: one }))).toEqual(['_id', 'z', 'l']);
  });

  test.each<[string, Document, number]>([
    ['an exclusion after an inclusion', { a: one, b: false }, 31_254],
    ['an inclusion after an exclusion', { a: false, b: one }, 31_253],
    ['a path through one before it', { b: one, 'b.c': one }, 31_249],
    ['a path that one before it leads through', { 'b.c': one, b: one }, 31_250],
    ['an expression', { a: { $add: ['$b', one] } }, 168],
    ['a path as a value', { a: '$b' }, 2],
    ['a document as a value', { b: { c: one } }, 2],
  ])('refuses %s', (_what, specification, code) => {
    expect(() => compileProjection(specification)).toThrow(expect.objectContaining({ code }));
  });
});

function run(update: Document | Document[], document: Document, options: UpdateOptions = {}, filter: Document = {}) {
  return compileUpdate(update, options)(frozen(document), { filter, isInsert: false, now: new Date() });
}

/** Values are immutable, so a copy of the containers is enough. */
function structuredCloneOf(value: Document): Document {
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, Array.isArray(v) ? [...v] : v]));
}
