import { CommandError } from '../errors.ts';
import type { StringOrder } from '../semantics/compare.ts';
import { isDocument, type Value } from '../semantics/values.ts';

/**
 * The order of strings under a `collation`, or undefined for the binary order. Throws 14 for another type, 2 for a
 * locale that is not known. Source: manual, "Collation".
 */
export function readCollation(collation: Value): StringOrder | undefined {
  if (collation === undefined) return undefined;
  if (!isDocument(collation)) throw new CommandError(14, 'collation must be an object');
  const { locale, strength, numericOrdering } = collation;
  if (locale === 'simple' || Object.keys(collation).length === 0) return undefined;
  if (typeof locale !== 'string') throw new CommandError(40414, "BSON field 'collation.locale' is missing");
  const sensitivity = ({ 1: 'base', 2: 'accent' } as const)[Number(strength ?? 3)] ?? 'variant';
  try {
    return new Intl.Collator(locale, { sensitivity, numeric: numericOrdering === true }).compare;
  } catch {
    throw new CommandError(2, `Field 'locale' is invalid: ${locale}`);
  }
}
