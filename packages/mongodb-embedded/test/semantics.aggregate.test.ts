import { Double, Int32, Long } from 'bson';
import { describe, expect, test } from 'vitest';
import { distinctValues, runPipeline } from '../src/semantics/aggregate.ts';
import { identical } from '../src/semantics/compare.ts';
import type { Document, Value } from '../src/semantics/values.ts';
import { decimal, frozen } from './semantics.values.ts';

const zero = new Int32(0);
const one = new Int32(1);
const two = new Int32(2);
const three = new Int32(3);
const now = new Date('2024-02-29T13:14:15.016Z');

describe('expressions', () => {
  const document: Document = {
    a: [one, two, three],
    n: null,
    s: 'Hé',
    o: { x: [{ y: one }, { y: two }, {}] },
    m: decimal('10.50'),
  };
  test.each<[Value, Value]>([
    ['$o.x.y', [one, two]],
    [
      ['$n', '$none'],
      [null, null],
    ],
    [{ $add: [one, decimal('0.10')] }, decimal('1.10')],
    [{ $add: ['$$NOW', new Int32(1000)] }, new Date(now.getTime() + 1000)],
    [{ $subtract: ['$m', one] }, decimal('9.50')],
    [{ $multiply: [new Int32(2147483647), two] }, Long.fromString('4294967294')],
    [{ $divide: [one, two] }, new Double(0.5)],
    [{ $mod: [new Int32(-7), three] }, new Int32(-1)],
    [{ $round: [decimal('2.345'), two] }, decimal('2.34')],
    [{ $pow: [two, three] }, new Int32(8)],
    [{ $sum: '$a' }, new Int32(6)],
    [{ $gt: ['$n', '$none'] }, true],
    [{ $and: ['$a', zero] }, false],
    [{ $cond: [{ $eq: ['$s', 'Hé'] }, 'yes', 'no'] }, 'yes'],
    [{ $ifNull: ['$none', 'd'] }, 'd'],
    [{ $switch: { branches: [{ case: false, then: one }], default: two } }, two],
    [{ $let: { vars: { q: two }, in: { $add: ['$$q', one] } } }, three],
    [{ $map: { input: '$a', as: 'v', in: { $multiply: ['$$v', two] } } }, [two, new Int32(4), new Int32(6)]],
    [{ $filter: { input: '$a', as: 'v', cond: { $gt: ['$$v', one] } } }, [two, three]],
    [{ $reduce: { input: '$a', initialValue: zero, in: { $add: ['$$value', '$$this'] } } }, new Int32(6)],
    [{ $arrayElemAt: ['$a', new Int32(-1)] }, three],
    [{ $concat: ['$s', '$none'] }, null],
    [{ $strLenBytes: '$s' }, three],
    [{ $toDecimal: '1.50' }, decimal('1.50')],
    [{ $toDecimal: new Double(0.1) }, decimal('0.100000000000000')],
    [{ $convert: { input: 'x', to: 'int', onError: 'bad' } }, 'bad'],
    [{ $type: '$none' }, 'missing'],
    [{ $dayOfWeek: '$$NOW' }, new Int32(5)],
    [{ $dateToString: { date: '$$NOW', format: '%Y-%m-%d %H:%M', timezone: '+02:00' } }, '2024-02-29 15:14'],
    [{ $literal: '$a' }, '$a'],
  ])('%j', (expression, expected) => {
    const [result] = run([document], { $project: { r: expression } });
    expect(identical(result?.['r'], expected)).toBe(true);
  });

  test.each<[Value, number]>([
    [{ $add: ['$s', one] }, 16554],
    [{ $divide: [one, zero] }, 16608],
    [{ $noSuch: one }, 168],
    [{ $eq: [one] }, 16020],
    [{ $toInt: 'x' }, 241],
    [{ $size: '$n' }, 17124],
    ['$$nobody', 17276],
  ])('%j is refused with %i', (expression, code) => {
    expect(() => run([document], { $project: { r: expression } })).toThrow(expect.objectContaining({ code }));
  });
});

describe('stages', () => {
  const documents: Document[] = [
    { _id: one, k: 'a', p: decimal('1.10') },
    { _id: two, k: 'b', p: decimal('2.20') },
    { _id: three, k: 'a', p: decimal('2.20'), t: ['x', 'y'] },
  ];
  test.each<[string, Document[], Document[]]>([
    [
      '$group sums',
      [{ $group: { _id: '$k', p: { $sum: '$p' }, n: { $sum: one } } }, { $sort: { _id: one } }],
      [
        { _id: 'a', p: decimal('3.30'), n: two },
        { _id: 'b', p: decimal('2.20'), n: one },
      ],
    ],
    [
      '$group of missing is null',
      [{ $group: { _id: '$none', first: { $first: '$_id' } } }],
      [{ _id: null, first: one }],
    ],
    [
      '$project computes and narrows',
      [{ $limit: one }, { $project: { _id: zero, k: one, twice: { $multiply: ['$p', two] } } }],
      [{ k: 'a', twice: decimal('2.20') }],
    ],
    [
      '$addFields keeps places',
      [{ $limit: one }, { $addFields: { k: 'z', q: one } }],
      [{ _id: one, k: 'z', p: decimal('1.10'), q: one }],
    ],
    [
      '$unwind',
      [{ $unwind: '$t' }, { $project: { t: one } }],
      [
        { _id: three, t: 'x' },
        { _id: three, t: 'y' },
      ],
    ],
    ['$count', [{ $match: { k: 'a' } }, { $count: 'n' }], [{ n: two }]],
    ['$sortByCount', [{ $sortByCount: '$k' }, { $limit: one }], [{ _id: 'a', count: two }]],
    [
      '$lookup',
      [
        { $limit: one },
        { $project: { k: one } },
        { $lookup: { from: 'other', localField: 'k', foreignField: '_id', as: 'j' } },
      ],
      [{ _id: one, k: 'a', j: [{ _id: 'a', v: one }] }],
    ],
    [
      '$facet',
      [{ $facet: { n: [{ $count: 'n' }], none: [{ $match: { k: 'z' } }] } }],
      [{ n: [{ n: three }], none: [] }],
    ],
    ['$replaceWith', [{ $limit: one }, { $replaceWith: { k: '$k' } }], [{ k: 'a' }]],
  ])('%s', (_name, stages, expected) => {
    expect(identical(run(documents, ...stages), expected)).toBe(true);
  });

  test.each<[Document, number]>([
    [{ $noSuch: one }, 40324],
    [{ $match: {}, $limit: one }, 40323],
    [{ $limit: zero }, 15958],
    [{ $group: { n: { $sum: one } } }, 15955],
    [{ $project: { a: one, b: zero } }, 40178],
    [{ $unwind: 'a' }, 28818],
  ])('%j is refused with %i before anything is read', (stage, code) => {
    expect(() => runPipeline([], [stage], { read: () => [], now })).toThrow(expect.objectContaining({ code }));
  });

  test('read no more than they need', () => {
    let read = 0;
    function* endless(): Generator<Document> {
      for (;;) yield { n: new Int32(read++) };
    }
    const results = [
      ...runPipeline(endless(), [{ $match: { n: { $gte: two } } }, { $limit: two }], { read: () => [], now }),
    ];
    expect(results).toHaveLength(2);
    expect(read).toBe(4);
  });
});

test('distinctValues takes elements one by one and equal numbers once', () => {
  const found = distinctValues([{ a: [one, two] }, { a: new Double(2) }, { a: null }, {}, { a: [] }], 'a');
  expect(identical(found, [one, two, null])).toBe(true);
});

function run(documents: Document[], ...stages: Document[]): Document[] {
  const read = (collection: string): Document[] => (collection === 'other' ? [{ _id: 'a', v: one }] : []);
  return [...runPipeline(frozen(documents), stages, { read, now })];
}
