import { type Collection, type IndexDescription, type IndexDescriptionInfo } from 'mongodb';
import { isServerError } from '../shared/error-codes.ts';

export interface IndexDeclaration extends Pick<
  IndexDescription,
  'unique' | 'partialFilterExpression' | 'expireAfterSeconds'
> {
  readonly key: Record<string, 1 | -1>;
  readonly name: string;
}

/** An index differs from what this code declares; nothing was changed. */
export class IndexConflictError extends Error {
  override readonly name = 'IndexConflictError';
}

/** An index is missing, and the user of MONGODB_URI may not build it. */
export class IndexNotAllowedError extends Error {
  override readonly name = 'IndexNotAllowedError';

  constructor(collection: string, index: string, cause: unknown) {
    const message = `the index ${index} of ${collection} is missing, and this user of MongoDB may not build it`;
    super(`${message}: run \`admin schema apply\` as one who may (docs/deployment.md, "MongoDB's user")`, { cause });
  }
}

/**
 * Builds the indexes that a collection lacks, and returns once all are there, whoever built them. It asks for all of them,
 * because the server's list also names indexes that are still being built. The server waits for those. For an index that
 * exists it does nothing, and takes no lock that an open transaction would block. A user who may build no index is refused
 * even that, and goes on if all are listed. Source: MongoDB manual, "createIndexes".
 * @throws IndexNotAllowedError one is missing, and this user may not build it.
 * @throws IndexConflictError an index has a declared name but another definition, or the reverse. Dropping it is left to
 * the operator: until its successor is built, nothing guards what it keeps unique, or serves its queries.
 */
export async function ensureIndexes(collection: Collection, declared: readonly IndexDeclaration[]): Promise<void> {
  if (declared.length === 0) return;
  const listed = await collection.indexes();
  for (const index of declared) {
    const namesake = listed.find(({ name }) => name === index.name);
    if (namesake !== undefined && definitionOf(namesake) !== definitionOf(index)) {
      throw conflict(collection, index, namesake);
    }
  }
  try {
    await collection.createIndexes([...declared]);
  } catch (error) {
    if (isServerError(error, 'Unauthorized')) {
      const missing = declared.find((index) => !listed.some(({ name }) => name === index.name));
      if (missing === undefined) return;
      throw new IndexNotAllowedError(collection.collectionName, missing.name, error);
    }
    // MongoDB before 5.0 allows one index for each key pattern, whatever its name and options.
    if (!isServerError(error, 'IndexOptionsConflict') && !isServerError(error, 'IndexKeySpecsConflict')) throw error;
    for (const index of declared) {
      const isAlike = ({ name, key }: IndexDescriptionInfo): boolean =>
        name !== index.name && JSON.stringify(key) === JSON.stringify(index.key);
      const alike = listed.find(isAlike);
      if (alike !== undefined) throw conflict(collection, index, alike, error);
    }
    throw error;
  }
}

function conflict(
  { collectionName }: Collection,
  wanted: IndexDeclaration,
  stored: IndexDescriptionInfo,
  cause?: unknown,
): IndexConflictError {
  const message = [
    `the index ${wanted.name} of ${collectionName} cannot be built, because another is in its place:`,
    `  in the database: ${stored.name ?? ''} ${definitionOf(stored)}`,
    `  this code wants: ${wanted.name} ${definitionOf(wanted)}`,
    `Drop the one in the database with db.${collectionName}.dropIndex("${stored.name ?? ''}") and start again, or run the`,
    'release that built it; docs/deployment.md, "Changing an index", says what to mind.',
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
