import { MongoServerError, type Collection, type CreateIndexesOptions, type IndexDescriptionInfo } from 'mongodb';
import { errorCodes } from './error-codes.ts';

export interface IndexDeclaration {
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly options: Pick<CreateIndexesOptions, 'unique' | 'partialFilterExpression' | 'expireAfterSeconds'> & {
    readonly name: string;
  };
}

/** An index exists otherwise than this code declares it; nothing was changed. */
export class IndexConflictError extends Error {
  override readonly name = 'IndexConflictError';
}

/**
 * Builds the indexes that a collection lacks, and returns once all are built, by whomever: a list names those under way
 * as well, so all are asked for. The server waits for one that another process builds, and has nothing to do for one that
 * is there: to see that, it takes no lock that an open transaction would block. Source: MongoDB manual, "createIndexes".
 * @throws IndexConflictError one exists under a declared name with another definition, or the other way round: to drop an
 * index is the operator's decision, because nothing guards or finds what it did meanwhile.
 */
export async function ensureIndexes(collection: Collection, declared: readonly IndexDeclaration[]): Promise<void> {
  if (declared.length === 0) return;
  const listed = await collection.indexes();
  for (const index of declared) {
    const namesake = listed.find(({ name }) => name === index.options.name);
    if (namesake !== undefined && definitionOf(namesake) !== definitionOf({ key: index.key, ...index.options })) {
      throw conflict(collection, index, namesake);
    }
  }
  try {
    await collection.createIndexes(declared.map(({ key, options }) => ({ key, ...options })));
  } catch (error) {
    if (!(error instanceof MongoServerError) || !conflictCodes.has(error.code)) throw error;
    throw conflictOfKeys(collection, declared, listed, error) ?? error;
  }
}

/** MongoDB before 5.0 has one index of a key pattern, whatever its name and its options. */
function conflictOfKeys(
  collection: Collection,
  declared: readonly IndexDeclaration[],
  listed: readonly IndexDescriptionInfo[],
  cause: Error,
): IndexConflictError | undefined {
  for (const index of declared) {
    const isAlike = ({ name, key }: IndexDescriptionInfo): boolean =>
      name !== index.options.name && JSON.stringify(key) === JSON.stringify(index.key);
    const alike = listed.find(isAlike);
    if (alike !== undefined) return conflict(collection, index, alike, cause);
  }
  return undefined;
}

const conflictCodes: ReadonlySet<unknown> = new Set([
  errorCodes.IndexOptionsConflict,
  errorCodes.IndexKeySpecsConflict,
]);

function conflict(
  { collectionName }: Collection,
  { key, options }: IndexDeclaration,
  found: IndexDescriptionInfo,
  cause?: unknown,
): IndexConflictError {
  const message = [
    `the index ${options.name} of ${collectionName} cannot be built, because another is in its place:`,
    `  in the database: ${found.name ?? ''} ${definitionOf(found)}`,
    `  this code wants: ${options.name} ${definitionOf({ key, ...options })}`,
    `Drop the one in the database with db.${collectionName}.dropIndex("${found.name ?? ''}") and start again, or run the`,
    'release that built it; docs/operations.md, "Changing an index", says what to mind.',
  ].join('\n');
  return new IndexConflictError(message, { cause });
}

/** What makes two indexes the same: keys in their order, uniqueness, and which documents they hold. */
function definitionOf({ key, unique, partialFilterExpression }: Partial<IndexDescriptionInfo>): string {
  return JSON.stringify({
    key,
    ...(unique === true ? { unique } : {}),
    ...(partialFilterExpression === undefined ? {} : { partialFilterExpression }),
  });
}
