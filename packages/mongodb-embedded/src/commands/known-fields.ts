import { CommandError } from '../errors.ts';
import type { Document } from '../semantics/values.ts';

/** Fields that any command may have. */
const everywhere = [
  ...[
    '$db',
    '$clusterTime',
    '$readPreference',
    'lsid',
    'txnNumber',
    'autocommit',
    'startTransaction',
    'comment',
    'let',
  ],
  ...[
    'readConcern',
    'writeConcern',
    'maxTimeMS',
    'stmtId',
    'stmtIds',
    'collation',
    'hint',
    'allowDiskUse',
    'apiVersion',
  ],
];
const writes = ['ordered', 'bypassDocumentValidation'];

/** What a misspelt or unsupported field is answered with, and the fields that are not. */
const known: Record<string, { code: number; fields: string[] }> = {
  find: {
    code: 9,
    fields: [
      ...['find', 'filter', 'sort', 'projection', 'skip', 'limit', 'batchSize', 'singleBatch', 'tailable', 'awaitData'],
      ...['noCursorTimeout', 'allowPartialResults', 'oplogReplay', 'ntoreturn'],
    ],
  },
  getMore: { code: 9, fields: ['getMore', 'collection', 'batchSize'] },
  aggregate: { code: 9, fields: ['aggregate', 'pipeline', 'cursor', 'explain', 'bypassDocumentValidation'] },
  findAndModify: {
    code: 9,
    fields: [
      ...[
        'findAndModify',
        'findandmodify',
        'query',
        'sort',
        'remove',
        'update',
        'new',
        'fields',
        'projection',
        'upsert',
      ],
      ...['arrayFilters', 'bypassDocumentValidation'],
    ],
  },
  insert: { code: 40415, fields: ['insert', 'documents', ...writes] },
  update: { code: 40415, fields: ['update', 'updates', ...writes] },
  delete: { code: 40415, fields: ['delete', 'deletes', ...writes] },
  count: { code: 40415, fields: ['count', 'query', 'limit', 'skip', 'fields'] },
  distinct: { code: 40415, fields: ['distinct', 'key', 'query'] },
};

/** Refuses fields that a data command does not know, so that none is silently without effect. Throws 9 or 40415. */
export function refuseUnknownFields(name: string, command: Document): void {
  const rules = known[name];
  if (rules === undefined) return;
  for (const field of Object.keys(command)) {
    if (rules.fields.includes(field) || everywhere.includes(field)) continue;
    throw new CommandError(rules.code, `BSON field '${name}.${field}' is an unknown field.`);
  }
}
