import { z } from 'zod';
import { errorNames, ServiceError, type ErrorName, type FieldFault } from '../errors.ts';
import { currencyErrors } from '../orders/body.ts';
import { namesMax } from './envelope.ts';

/**
 * Validates a body's object, or a query's parameters.
 * @throws ServiceError of the code RQ4001, naming the first field that is missing, unknown or malformed, and why; and the others,
 * up to {@link namesMax} fields in all.
 */
export function parse<T extends z.ZodType>(schema: T, values: object): z.output<T> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const byField = new Map<string, FieldFault & FieldRefusal>();
  for (const issue of parsed.error.issues) {
    const refusal = refusalOf(issue, values);
    for (const field of fieldsOf(issue)) {
      if (byField.size === namesMax) break;
      if (!byField.has(field)) byField.set(field, { ...refusal, field });
    }
  }
  const faults = [...byField.values()];
  const [first] = faults;
  if (first === undefined) throw parsed.error;
  const { reason, field, value } = first;
  throw new ServiceError(reason, { cause: parsed.error, field, value, faults });
}

/**
 * Reads a body that may repeat an earlier request, whose currency may have changed since.
 * @param schema by the currencies as they are now. @param anySchema for any currency.
 * @param isNamed whether the client named what is to be made, so that it can be found if it was made before.
 * @returns the values, and why they are refused unless they repeat a request. @throws ServiceError they cannot repeat one.
 */
export function parseRepeatable<Values>(
  schema: z.ZodType<Values>,
  anySchema: z.ZodType<Values>,
  body: object,
  isNamed: (values: Values) => boolean,
): { readonly values: Values; readonly refusal?: ServiceError } {
  try {
    return { values: parse(schema, body) };
  } catch (refusal) {
    if (!(refusal instanceof ServiceError) || !currencyErrors.has(refusal.errorName)) throw refusal;
    const { success, data: values } = anySchema.safeParse(body);
    if (!success || !isNamed(values)) throw refusal;
    return { values, refusal };
  }
}

/** The body of what takes no field. */
export const noFields = z
  .strictObject({})
  .meta({ id: 'NoFields', description: 'No fields: the body may be left out.', examples: [{}] });

interface FieldRefusal {
  readonly reason: ErrorName;
  readonly value?: string | undefined;
}

/** As places in the values. */
function fieldsOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== 'unrecognized_keys') return [placeOf(issue.path)];
  return issue.keys.map((key) => placeOf([...issue.path, key]));
}

/** A place in a body: `legs[3].amount`. */
export function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, depth) => (typeof part === 'number' ? `[${part}]` : (depth === 0 ? '' : '.') + String(part)))
    .join('');
}

function refusalOf(issue: z.core.$ZodIssue, values: object): FieldRefusal {
  if (issue.code === 'unrecognized_keys') return { reason: 'FIELD_UNKNOWN' };
  if (issue.code === 'custom') return customRefusal(issue.params ?? {});
  if (valueAt(values, issue.path) === undefined) return { reason: 'FIELD_MISSING' };
  switch (issue.code) {
    case 'invalid_type':
      return { reason: 'FIELD_TYPE_WRONG', value: issue.expected };
    case 'invalid_value':
      return { reason: 'VALUE_NOT_ALLOWED', value: issue.values.join(',') };
    case 'invalid_format':
      // With what was received, because a `+` that a query lost shows there.
      return issue.format === 'datetime'
        ? { reason: 'TIME_MALFORMED', value: String(valueAt(values, issue.path)) }
        : { reason: 'FIELD_MALFORMED', value: issue.pattern?.replace(/^\/(.*)\/[a-z]*$/s, '$1') };
    case 'too_small':
    case 'too_big': {
      const limit = issue.code === 'too_small' ? issue.minimum : issue.maximum;
      if (issue.origin === 'number' || issue.origin === 'array')
        return { reason: 'FIELD_OUT_OF_RANGE', value: String(limit) };
      return {
        reason: 'FIELD_MALFORMED',
        value: `length at ${issue.code === 'too_small' ? 'least' : 'most'} ${limit}`,
      };
    }
    default:
      return { reason: 'FIELD_MALFORMED' };
  }
}

function customRefusal({ reason, value }: Record<string, unknown>): FieldRefusal {
  const reasonName = errorNames.find((name) => name === reason) ?? 'FIELD_MALFORMED';
  return { reason: reasonName, value: typeof value === 'string' ? value : undefined };
}

function valueAt(values: object, path: readonly PropertyKey[]): unknown {
  let value: unknown = values;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value;
}
