import type { Document } from 'mongodb';

/** What names a rule, such as a list of allowed values, is cut here. */
const ruleLengthMax = 200;

interface RefusedWrite {
  readonly collection: string;
  /** Of the documents that the write was for. */
  readonly ids: readonly unknown[];
  /** As MongoDB answered it, from 5.0 on. */
  readonly errInfo: unknown;
}

/**
 * Helps a person to find a document that MongoDB refused: by MongoDB's message, the collection and, where they are known, the id
 * and the first rule that the document breaks. No value of the document is in it.
 */
export function describeRefusedDocument(errmsg: string, { collection, ids, errInfo }: RefusedWrite): string {
  const { failingDocumentId, details } = isDocument(errInfo) ? errInfo : {};
  const id: unknown = failingDocumentId ?? (ids.length === 1 ? ids[0] : undefined);
  const where = typeof id === 'string' ? `${collection} ${id}` : collection;
  return `${errmsg} (${where}${isDocument(details) ? `: ${firstBroken(details)}` : ''})`;
}

/**
 * Follows the first branch of what a validator says was not satisfied. Source: MongoDB manual 5.0, "Improved Error Messages for
 * Schema Validation": each level names an operator, and what is below it in `details` or in a list `…NotSatisfied`.
 */
function firstBroken(level: Document, path: readonly string[] = []): string {
  const { propertyName, itemIndex, operatorName, specifiedAs, reason, missingProperties } = level;
  const here = [...path, ...[propertyName, itemIndex].filter((step) => step !== undefined).map(String)];
  const [, below] = Object.entries(level).find(([name]) => name === 'details' || name.endsWith('NotSatisfied')) ?? [];
  const next: unknown = Array.isArray(below) ? below[0] : below;
  if (isDocument(next)) return firstBroken(next, here);
  const field = here.length === 0 ? '' : `${here.join('.')}: `;
  if (Array.isArray(missingProperties)) return `${field}${missingProperties.join(', ')} missing`;
  const rule = JSON.stringify(specifiedAs ?? operatorName ?? null).slice(0, ruleLengthMax);
  return `${field}${rule}${typeof reason === 'string' ? `, ${reason}` : ''}`;
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
