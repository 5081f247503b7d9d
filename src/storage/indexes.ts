import type { Collection, CreateIndexesOptions, IndexDescriptionInfo } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { errorCodes } from './errorCodes.ts';

export interface IndexDeclaration {
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly options: Pick<CreateIndexesOptions, 'unique' | 'partialFilterExpression'> & { readonly name: string };
}

/** An index exists otherwise than this code declares it; nothing was changed. */
export class IndexConflictError extends Error {
  override readonly name = 'IndexConflictError';
}

/**
 * Builds the indexes that a collection lacks; what exists is only listed.
 * @throws IndexConflictError one exists under a declared name with another definition, or the other way round: to drop an
 * index is the operator's decision, because nothing guards or finds what it did meanwhile.
 */
export async function ensureIndexes(collection: Collection, declared: readonly IndexDeclaration[]): Promise<void> {
  const built = await collection.indexes();
  for (const { key, options } of declared) {
    const namesake = built.find(({ name }) => name === options.name);
    if (namesake === undefined) await build(collection, { key, options }, built);
    else if (definitionOf(namesake) !== definitionOf({ key, ...options })) {
      throw conflict(collection, { key, options }, namesake);
    }
  }
}

async function build(
  collection: Collection,
  { key, options }: IndexDeclaration,
  built: readonly IndexDescriptionInfo[],
): Promise<void> {
  try {
    await collection.createIndex(key, options);
  } catch (error) {
    // MongoDB before 5.0 has one index of a key pattern, whatever its name and its options.
    const alike = built.find((index) => JSON.stringify(index.key) === JSON.stringify(key));
    if (alike === undefined || !(error instanceof MongoServerError) || !conflictCodes.has(error.code)) throw error;
    throw conflict(collection, { key, options }, alike, error);
  }
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
