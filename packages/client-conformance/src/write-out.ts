import type { Json, JsonObject } from './case.ts';

/**
 * What is written short, at its length: `$repeat`, `$text` and `$soon`.
 * @param beganMs of the case, Unix time in milliseconds.
 */
export function writeOut(value: Json, beganMs: number, number?: number): Json {
  if (typeof value === 'string') return numbered(value, number);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.flatMap((element) => elementsOf(element, beganMs, number));
  if ('$text' in value) {
    const parts = [value['$text']].flat() as unknown as (string | { of: string; count: number })[];
    return parts.map((part) => (typeof part === 'string' ? part : part.of.repeat(part.count))).join('');
  }
  if ('$soon' in value) return new Date(beganMs + (value['$soon'] as number)).toISOString();
  if ('$n' in value && number !== undefined) return number;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [numbered(name, number), writeOut(member, beganMs, number)]),
  );
}

function numbered(text: string, number: number | undefined): string {
  return number === undefined ? text : text.replaceAll('{n}', String(number));
}

function elementsOf(element: Json, beganMs: number, number: number | undefined): Json[] {
  if (!isObject(element) || !('$repeat' in element)) return [writeOut(element, beganMs, number)];
  const { count, from = 1, value } = element['$repeat'] as { count: number; from?: number; value: Json };
  return Array.from({ length: count }, (_, index) => writeOut(value, beganMs, from + index));
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
