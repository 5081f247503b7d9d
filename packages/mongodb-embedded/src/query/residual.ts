import type { Bounds } from '../semantics/bounds.ts';
import { isDocument, type Document, type Value } from '../semantics/values.ts';
import type { Index } from '../storage/collection.ts';
import type { IndexBounds } from './intervals.ts';

/** The filter without the conditions that the intervals of an index are themselves. */
export function residualOf(
  index: Index,
  { points, range }: IndexBounds,
  filter: Document,
  equal: Map<string, Value>,
  ranges: Map<string, Bounds>,
): Document {
  const residual = { ...filter };
  for (const [at, path] of index.paths.slice(0, points.length + 1).entries()) {
    const condition = filter[path];
    if (condition === undefined) continue;
    // The point may come from another condition on the same path, inside `$and`: only the very same one is settled.
    const point = equal.has(path) ? equal.get(path) : ranges.get(path)?.in;
    const isSettled =
      at < points.length
        ? point !== undefined && point === settledBy(condition)
        : range?.isExact === true && isOnly(condition, ranges.get(path));
    if (isSettled) Reflect.deleteProperty(residual, path);
  }
  return residual;
}

/** A value or a list of values. Null is more than its key, for that is also the key of other things. */
function settledBy(condition: Value): Value {
  if (condition === undefined || condition === null) return undefined;
  if (!isDocument(condition) || !(Object.keys(condition)[0]?.startsWith('$') ?? false)) return condition;
  const { $in: list } = condition;
  return Object.keys(condition).length === 1 && Array.isArray(list) && !list.includes(null) ? list : undefined;
}

/** Whether a condition asks for bounds of a range and for nothing else. */
function isOnly(condition: Value, bounds: Bounds | undefined): boolean {
  if (bounds === undefined || !isDocument(condition)) return false;
  const asked = Object.entries(bounds).map(([name, value]) => [`$${name}`, value] as const);
  const operators = Object.entries(condition);
  return (
    operators.length > 0 &&
    operators.every(([operator, value]) => asked.some(([name, bound]) => name === operator && bound === value))
  );
}
