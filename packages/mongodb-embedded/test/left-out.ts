/** Something of MongoDB that the engine leaves out: what asks for it, the error it gets, and why it is not there. */
export interface LeftOut {
  what: string;
  command: Record<string, unknown>;
  code: number;
  reason: string;
}

const noNeed = 'a transfer service has no need of it';

/** The whole list. Every recorded scenario passes, so none of them is named here. */
export const leftOut: LeftOut[] = [
  {
    what: 'bulkWrite',
    command: { bulkWrite: 1, ops: [{ insert: 0, document: {} }], nsInfo: [{ ns: 'left_out.c' }] },
    code: 59,
    reason: '4.4 does not know it',
  },
  {
    what: 'the time in the filter of a delete',
    command: { delete: 'c', deletes: [{ q: { $expr: { $lt: ['$at', { $subtract: ['$$NOW', 1] }] } }, limit: 0 }] },
    code: 51144,
    reason: 'the recorded version does not know it there',
  },
  {
    what: 'expressions in the projection of a find',
    command: { find: 'c', projection: { a: { $add: ['$a', 1] } } },
    code: 168,
    reason: noNeed,
  },
  {
    what: 'values in the projection of a find',
    command: { find: 'c', projection: { a: '$b' } },
    code: 2,
    reason: noNeed,
  },
  { what: 'capped collections', command: { create: 'x', capped: true, size: 4096 }, code: 72, reason: noNeed },
  { what: 'views', command: { create: 'x', viewOn: 'c', pipeline: [] }, code: 72, reason: noNeed },
  { what: 'default collations', command: { create: 'x', collation: { locale: 'en' } }, code: 72, reason: noNeed },
  {
    what: 'text indexes',
    command: { createIndexes: 'c', indexes: [{ key: { a: 'text' }, name: 'a' }] },
    code: 67,
    reason: noNeed,
  },
  {
    what: 'geo indexes',
    command: { createIndexes: 'c', indexes: [{ key: { a: '2d' }, name: 'a' }] },
    code: 67,
    reason: noNeed,
  },
  { what: '$out', command: { aggregate: 'c', pipeline: [{ $out: 'o' }], cursor: {} }, code: 40324, reason: noNeed },
  {
    what: '$merge',
    command: { aggregate: 'c', pipeline: [{ $merge: { into: 'o' } }], cursor: {} },
    code: 40324,
    reason: noNeed,
  },
  {
    what: 'change streams',
    command: { aggregate: 'c', pipeline: [{ $changeStream: {} }], cursor: {} },
    code: 40324,
    reason: 'the service has its queue',
  },
  {
    what: 'mapReduce',
    command: { mapReduce: 'c', map: 'x', reduce: 'y', out: { inline: 1 } },
    code: 59,
    reason: noNeed,
  },
  { what: 'users and roles', command: { usersInfo: 1 }, code: 59, reason: 'it listens on this machine only' },
  { what: 'tailable cursors', command: { find: 'c', tailable: true }, code: 2, reason: 'they need capped collections' },
];
