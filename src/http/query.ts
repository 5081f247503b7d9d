import { ServiceError, type ErrorName } from '../errors.ts';

/** No endpoint takes a quarter of it. */
const parametersMax = 64;

/** The parameters of a query by their names, as they were given. */
export type Query = Readonly<Record<string, string>>;

/**
 * Reads a target's query.
 * @param names of the parameters that the endpoint takes.
 * @throws ServiceError TOO_MANY_VALUES: to read thousands of parameters takes milliseconds; FIELD_UNKNOWN one has another name: a
 * misspelt filter would otherwise find everything; FIELD_REPEATED one of them comes twice.
 */
export function readQuery(text: string, names: readonly string[]): Query {
  if (text.split('&', parametersMax + 1).length > parametersMax) throw new ServiceError('TOO_MANY_VALUES');
  const query = new URLSearchParams(text);
  const unknown = new Set(query.keys()).difference(new Set(names));
  refuseAll('FIELD_UNKNOWN', [...unknown], names.length === 0 ? undefined : names.join(','));
  const present = names.filter((name) => query.has(name));
  refuseAll(
    'FIELD_REPEATED',
    present.filter((name) => query.getAll(name).length > 1),
  );
  return Object.fromEntries(present.map((name) => [name, query.get(name) ?? '']));
}

/** @throws ServiceError naming all of these parameters; none if there are none. */
export function refuseAll(reason: ErrorName, fields: readonly string[], value?: string): void {
  const [field] = fields;
  if (field !== undefined)
    throw new ServiceError(reason, { field, value, faults: fields.map((each) => ({ reason, field: each })) });
}
