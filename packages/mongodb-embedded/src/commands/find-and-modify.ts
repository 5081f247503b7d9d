import { CommandError } from '../errors.ts';
import { compileProjection } from '../semantics/project.ts';
import { asDocument, type Document, type Value } from '../semantics/values.ts';
import type { Reply } from '../wire/reply.ts';
import type { Context } from './context.ts';
import { deleteFirst } from './delete.ts';
import { documentField, isTrue, namespaceOf } from './fields.ts';
import { remember } from './insert.ts';
import { readUpdate, updateDocuments } from './update.ts';
import { runWrite, type Work } from './write-unit.ts';

/** findAndModify. Source: manual, "findAndModify" (recordings: findandmodify, retryable). */
export function findAndModify(context: Context): Promise<Reply> {
  const { command, session, isRetryable } = context;
  const ns = namespaceOf(context);
  const isRemove = isTrue(command['remove']);
  const isNew = isTrue(command['new']);
  const isUpsert = isTrue(command['upsert']);
  refuseContradictions(command, isRemove, isUpsert, isNew);
  const filter = documentField(context, 'query') ?? {};
  const fields = documentField(context, 'fields') ?? documentField(context, 'projection') ?? {};
  const project = Object.keys(fields).length === 0 ? undefined : compileProjection(fields, filter);
  const rows = {
    filter,
    sort: documentField(context, 'sort') ?? {},
    hint: command['hint'],
    collation: command['collation'],
  };
  const statement = Number(command['stmtId'] ?? 0);
  const answer = (lastErrorObject: Document, value: Document | undefined): Reply => ({
    lastErrorObject,
    value: value === undefined ? null : project === undefined ? value : project(value),
    ok: 1,
  });
  const stored = isRetryable ? session?.statements.get(statement) : undefined;
  if (stored !== undefined) {
    const { lastErrorObject, value } = recalled(stored, { isRemove, isUpsert, isNew });
    return Promise.resolve(answer(lastErrorObject, value));
  }
  return runWrite(context, function* (unit): Work<Reply> {
    if (isRemove) {
      const removed = yield* deleteFirst(context, unit, ns, rows);
      if (removed !== undefined) remember(context, unit, statement, { op: 'd', before: removed });
      return answer({ n: Number(removed !== undefined) } as unknown as Document, removed);
    }
    const change = readUpdate(command['update']);
    const arrayFilters = (command['arrayFilters'] ?? []) as Document[];
    const request = { ns, ...rows, update: change, isUpsert, isMulti: false, arrayFilters };
    const done = yield* updateDocuments(context, unit, request, ({ upserted, before, after }) => {
      const kept =
        upserted === undefined ? { op: 'u', ...(isNew ? { after } : { before }) } : { op: 'i', _id: upserted, after };
      remember(context, unit, statement, kept);
    });
    const lastErrorObject: Record<string, unknown> = {
      n: done.n,
      updatedExisting: done.n > 0 && !('upserted' in done),
    };
    if ('upserted' in done) lastErrorObject['upserted'] = done.upserted;
    return answer(lastErrorObject as Document, isNew ? done.after : done.before);
  });
}

function refuseContradictions(command: Document, isRemove: boolean, isUpsert: boolean, isNew: boolean): void {
  const refuse = (message: string): never => {
    throw new CommandError(9, message);
  };
  const hasUpdate = command['update'] !== undefined;
  if (isRemove && hasUpdate) refuse('Cannot specify both an update and remove=true');
  if (isRemove && isUpsert) refuse('Cannot specify both upsert=true and remove=true');
  if (isRemove && isNew) {
    refuse("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
  }
  if (!isRemove && !hasUpdate) refuse('Either an update or remove=true must be specified');
}

/** The answer to a retry. Throws 4060x when the first was of another kind. */
function recalled(stored: Document, asked: { isRemove: boolean; isUpsert: boolean; isNew: boolean }) {
  const refuse = (code: number, what: string): never => {
    throw new CommandError(code, `findAndModify retry request is not compatible with previous write: ${what}`);
  };
  const image = (value: Value): Document | undefined => asDocument(value);
  switch (stored['op']) {
    case 'd':
      if (!asked.isRemove) refuse(40606, 'it was a delete');
      if (stored['before'] === undefined) refuse(40607, 'it kept no image of the document');
      return { lastErrorObject: { n: 1 } as unknown as Document, value: image(stored['before']) };
    case 'i': {
      if (!asked.isUpsert) refuse(40608, 'it was an insert');
      const lastErrorObject = { n: 1, updatedExisting: false, upserted: stored['_id'] } as unknown as Document;
      return { lastErrorObject, value: asked.isNew ? image(stored['after']) : undefined };
    }
    default: {
      if (asked.isRemove) refuse(40610, 'it was an update');
      const value = image(asked.isNew ? stored['after'] : stored['before']);
      if (value === undefined) refuse(asked.isNew ? 40611 : 40612, 'it kept another image of the document');
      return { lastErrorObject: { n: 1, updatedExisting: true } as unknown as Document, value };
    }
  }
}
