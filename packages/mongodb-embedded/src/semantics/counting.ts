import { Double, Int32 } from 'bson';
import { integerOf, toInteger } from './numbers.ts';
import { isBson, isDocument, isNumeric, type Document, type Value } from './values.ts';

/** A pipeline whose result depends on nothing but the number of documents that go in. */
export interface Counting {
  /** Beyond so many documents the result is the same. */
  countMax: number;
  /** The documents that come out, for so many that go in. */
  resultOf: (count: number) => Document[];
}

/**
 * Reads `$skip` and `$limit` followed by `$count`, or by a `$group` of everything that sums constants (what drivers send
 * for `countDocuments`). Undefined for any other pipeline. The stages must have been checked.
 */
export function countingPipeline(stages: Document[]): Counting | undefined {
  const last = stages.at(-1);
  const total = last === undefined ? undefined : totalOf(last);
  if (total === undefined) return undefined;
  let skipped = 0;
  let countMax = Infinity;
  for (const stage of stages.slice(0, -1)) {
    const [[name, argument] = ['', null]] = Object.entries(stage);
    const number = isNumeric(argument) ? (integerOf(argument) ?? 0) : 0;
    if (name === '$skip') skipped += number;
    else if (name === '$limit') countMax = Math.min(countMax, skipped + number);
    else return undefined;
  }
  return {
    countMax,
    resultOf: (count) => {
      const left = Math.min(count, countMax) - skipped;
      return left > 0 ? [total(left)] : [];
    },
  };
}

function totalOf(stage: Document): ((count: number) => Document) | undefined {
  const { $count: name, $group: group } = stage;
  if (typeof name === 'string') return (count) => ({ [name]: new Int32(count) });
  if (!isDocument(group)) return undefined;
  const { _id: id, ...fields } = group;
  const sums = Object.entries(fields).map(
    ([field, value]) => [field, isDocument(value) ? value['$sum'] : null] as const,
  );
  if (!isConstant(id) || !sums.every(([, added]) => isBson(added, 'Int32'))) return undefined;
  return (count) => {
    const totals = sums.map(([field, added]) => [field, multiplied(added as Int32, count)] as const);
    return { _id: id ?? null, ...Object.fromEntries(totals) };
  };
}

/** Neither a path nor an expression, nor anything that may hold one. */
function isConstant(value: Value): boolean {
  if (typeof value === 'string') return !value.startsWith('$');
  return !isDocument(value) && !Array.isArray(value);
}

function multiplied(added: Int32, count: number): Value {
  return toInteger(BigInt(added.value) * BigInt(count), false) ?? new Double(added.value * count);
}
