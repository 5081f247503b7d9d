/** The middle one, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const ascending = values.toSorted((a, b) => a - b);
  const middle = ascending.length / 2;
  const upper = ascending[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((ascending[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}
