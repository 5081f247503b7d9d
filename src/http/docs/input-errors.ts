import { z } from 'zod';
import { catalogue, errorNames, type ErrorName } from '../../errors.ts';
import type { JsonObject } from './schemas.ts';
import type { Operation } from '../route.ts';

/** What of an operation's query and body decides which faults a request can have. */
interface Input {
  readonly hasBody: boolean;
  readonly needsBody: boolean;
  readonly hasQuery: boolean;
  readonly hasRequired: boolean;
  readonly names: ReadonlySet<string>;
  /** Every schema inside, however deep. */
  readonly parts: readonly JsonObject[];
}

/** Those reasons that not every query or body can meet. */
const rules: Partial<Record<ErrorName, (input: Input) => boolean>> = {
  IDEMPOTENCY_KEY_UNSUPPORTED: ({ hasBody }) => hasBody,
  BODY_MISSING: ({ needsBody }) => needsBody,
  FIELD_MISSING: ({ hasRequired }) => hasRequired,
  FIELD_TYPE_WRONG: ({ hasBody, names }) => hasBody && names.size > 0,
  FIELD_MALFORMED: ({ names }) => names.size > 0,
  FIELD_REPEATED: ({ hasQuery }) => hasQuery,
  FIELD_OUT_OF_RANGE: ({ parts }) => parts.some((part) => part['type'] === 'integer' || 'maxItems' in part),
  VALUE_NOT_ALLOWED: ({ parts }) => parts.some((part) => 'enum' in part),
  CURRENCY_UNKNOWN: ({ names }) => names.has('currency'),
  TIME_MALFORMED: ({ parts }) => parts.some(({ format }) => format === 'date-time'),
  PAGE_TOO_DEEP: ({ names }) => names.has('page'),
  CURSOR_MALFORMED: ({ names }) => names.has('cursor'),
  CURSOR_CONFLICT: ({ names }) =>
    names.has('cursor') && [...names].some((name) => name !== 'cursor' && name !== 'size'),
};

/**
 * The reasons that an operation's query or body can meet because of its form. What a handler finds out of range beyond that,
 * its operation names.
 */
export function inputErrors(operation: Pick<Operation, 'query' | 'body' | 'isBodyOptional'>): ErrorName[] {
  const { query, body, isBodyOptional = false } = operation;
  const schemas = [query, body].filter((schema) => schema !== undefined);
  if (schemas.length === 0) return [];
  const parts = schemas.map((schema) => z.toJSONSchema(schema, { io: 'input' })).flatMap(partsOf);
  const input: Input = {
    hasBody: body !== undefined,
    needsBody: body !== undefined && !isBodyOptional,
    hasQuery: query !== undefined,
    hasRequired: parts.some(({ required }) => Array.isArray(required)),
    names: new Set(parts.flatMap(({ properties }) => Object.keys(properties ?? {}))),
    // A query's values are texts. What they are read as is its output.
    parts: [...parts, ...(query === undefined ? [] : partsOf(z.toJSONSchema(query)))],
  };
  return errorNames.filter((name) => {
    const { metBy, code } = catalogue[name];
    if (metBy !== 'input') return false;
    return rules[name]?.(input) ?? (code !== 'RQ4002' || input.hasBody);
  });
}

function partsOf(part: unknown): JsonObject[] {
  if (typeof part !== 'object' || part === null) return [];
  return [part as JsonObject, ...Object.values(part).flatMap(partsOf)];
}
