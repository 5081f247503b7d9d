import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { catalogue, namedField } from '../../src/errors.ts';
import { description, formsOf, type Operation, type Response } from './described-api.ts';

export interface DescribedAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** Undefined where the answer has none, as that to a HEAD. */
  readonly envelope: unknown;
}

/** The headers that some endpoints declare for a success. */
const ownHeaders = ['Preference-Applied', 'Idempotent-Replayed', 'X-Error-Fields'];
/** What every request names, beside the headers that sign it. */
const usualHeaders = ['Host', 'Content-Type', 'Content-Encoding', 'Idempotency-Key'];
/** Reasons whose field is the client's own word. */
const unknownNames = ['FIELD_UNKNOWN', 'KEY_REPEATED'];

const templates = Object.keys(description.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: 'api', components: { schemas: closed(description.components.schemas) } });
const compiled = new Map<object, ValidateFunction>();

/**
 * Holds an answer against the published description of the API. The description lets answers gain fields; here a field that
 * it does not have is a fault.
 * @returns what is wrong; undefined where nothing is, or where the target is not one of the API.
 */
export function undescribed(method: string, target: string, answer: DescribedAnswer): string | undefined {
  const path = target.split('?')[0] ?? '';
  if (!path.startsWith('/api/') || answer.envelope === undefined) return undefined;
  const { template = '' } = templates.find(({ pattern }) => pattern.test(path)) ?? {};
  const operation = description.paths[template]?.[method.toLowerCase()];
  const response = responseOf(operation, answer.status);
  const fault =
    response === undefined
      ? 'a status that is not described'
      : (faultOf(response, answer) ?? misnamed(operation, answer));
  return fault === undefined ? undefined : `${method} ${path} ${answer.status}: ${fault}`;
}

/**
 * Holds what was sent to a webhook against the published description, as {@link undescribed} does an answer.
 * @param headers by lower-case names.
 */
export function undescribedMessage(body: string, headers: Readonly<Record<string, string>>): string | undefined {
  const message = JSON.parse(body) as { type: string };
  const described = description.webhooks[message.type]?.post;
  if (described === undefined) return `a message of the type ${message.type}, which is not described`;
  const missing = described.parameters.find(({ name }) => headers[name] === undefined);
  if (missing !== undefined) return `a message without the header ${missing.name}`;
  const validate = compile(described.requestBody.content['application/json'].schema);
  return validate(message) ? undefined : `${JSON.stringify(validate.errors)} in ${body}`;
}

/** What an operation does not describe of its own, and what is no endpoint, is answered as any request may be. */
function responseOf(operation: Operation | undefined, status: number): Response | undefined {
  const response = operation?.responses[String(status)];
  return response === undefined || '$ref' in response ? description.components.responses['AnyRequest'] : response;
}

function faultOf(response: Response, answer: DescribedAnswer): string | undefined {
  const validate = compile(response.content['application/json'].schema);
  if (!validate(answer.envelope)) return `${JSON.stringify(validate.errors)} in ${JSON.stringify(answer.envelope)}`;
  const undeclared = ownHeaders.find((name) => answer.header(name) !== undefined && !(name in response.headers));
  if (undeclared !== undefined) return `the header ${undeclared}, which is not declared`;
  return answer.status === 200 ? undefined : faultOfReason(response, answer);
}

/** The names by which a request of an operation can name something: of a body's fields the outermost. */
function namesIn(operation: Operation | undefined): string[] {
  const parameters = (operation?.parameters ?? []).map(({ name }) => name);
  const signing = Object.values(description.components.securitySchemes).map(({ name }) => name);
  const properties = (operation ? formsOf(operation) : []).flatMap(({ properties: all = {} }) => Object.keys(all));
  // That of the order whose bizId was given again.
  return [...parameters, ...signing, ...usualHeaders, ...properties, 'type'];
}

/** Every field that is named has the name that the operation has for it. */
function misnamed(operation: Operation | undefined, { header }: DescribedAnswer): string | undefined {
  const [reason = '', field] = [header('X-Error-Reason'), header('X-Error-Field')];
  if (field === undefined) return undefined;
  const names = namesIn(operation);
  const listed = listedFaults(header);
  const all = listed.length === 0 ? ([[field, reason]] as const) : listed;
  const isFirst = all[0]?.[1] === reason && (unknownNames.includes(reason) || all[0][0] === field);
  if (!isFirst) return `the field ${field} is not the first of ${header('X-Error-Fields') ?? ''}`;
  const [wrong] = all.filter(([at, why]) => !unknownNames.includes(why) && !names.includes(at.split(/[.[]/)[0] ?? ''));
  return wrong === undefined ? undefined : `the field ${wrong.join(' ')}, which the operation does not have`;
}

/** Names, encoded, and reasons. A parameter may have no name at all: then its reason stands alone. */
function listedFaults(header: DescribedAnswer['header']): readonly (readonly [name: string, reason: string])[] {
  const listed = header('X-Error-Fields')?.split(', ') ?? [];
  return listed.map((text) => (text.includes(' ') ? (text.split(' ') as [string, string]) : ['', text]));
}

function faultOfReason(response: Response, answer: DescribedAnswer) {
  const reason = answer.header('X-Error-Reason') ?? '';
  const known: Readonly<Record<string, (typeof catalogue)[keyof typeof catalogue]>> = catalogue;
  const entry = known[reason];
  if (entry === undefined || response.headers['X-Error-Reason']?.schema?.anyOf?.[0]?.enum?.includes(reason) !== true)
    return `the reason "${reason}" is not described`;
  const { code, error } = answer.envelope as { code: string; error: ErrorDetails };
  if (!isToldBy(error, answer.header)) return `the error ${JSON.stringify(error)}, which its headers do not say`;
  if (entry.code !== code) return `the reason ${reason} with the code ${code}`;
  return faultOfValues(reason, 'field' in entry ? entry.field : undefined, 'value' in entry, answer);
}

function faultOfValues(reason: string, wanted: string | undefined, mayHaveValue: boolean, answer: DescribedAnswer) {
  const field = answer.header('X-Error-Field');
  const isRight = wanted === namedField ? field !== undefined && field !== '' : field === wanted;
  if (!isRight) return `the reason ${reason} with the field "${field ?? ''}"`;
  const value = answer.header('X-Error-Value');
  return value === undefined || mayHaveValue ? undefined : `the reason ${reason} with the value "${value}"`;
}

function compile(schema: object): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify({ ...schema, unevaluatedProperties: false });
  const validate = ajv.compile(JSON.parse(text.replaceAll('"#/components', '"api#/components')) as object);
  compiled.set(schema, validate);
  return validate;
}

/** Every object as if it could hold nothing more, but for the envelopes, which are closed where they are used. */
function closed(schemas: Readonly<Record<string, object>>): unknown {
  return JSON.parse(JSON.stringify(schemas), (name, value: unknown) => {
    const isObject = typeof value === 'object' && value !== null && 'type' in value && value.type === 'object';
    const isEnvelope = name.endsWith('Answer');
    return isObject && !isEnvelope ? { additionalProperties: false, ...value } : value;
  });
}

interface ErrorDetails {
  readonly reason: string;
  readonly field: string | null;
  readonly value: string | null;
  readonly fields: readonly { readonly field: string; readonly reason: string }[];
}

/** Whether headers say the same as a body's error. They may be cut earlier, because they are encoded. */
function isToldBy({ reason, field, value, fields }: ErrorDetails, header: DescribedAnswer['header']): boolean {
  const said = (text: string | null, encoded: string | undefined): boolean =>
    text === null ? encoded === undefined : encoded !== undefined && text.startsWith(decodeURIComponent(encoded));
  const listed = listedFaults(header);
  return (
    said(reason, header('X-Error-Reason')) &&
    said(field, header('X-Error-Field')) &&
    said(value, header('X-Error-Value')) &&
    listed.length === fields.length &&
    fields.every((each, at) => {
      const [name, why] = listed[at] ?? [];
      return said(each.field, name) && each.reason === why;
    })
  );
}
