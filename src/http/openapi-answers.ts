import { STATUS_CODES } from 'node:http';
import { catalogue, errorNames, type ErrorName } from '../errors.ts';
import type { JsonObject, Schemas } from './openapi-schemas.ts';
import type { Operation } from './routes.ts';

/** The moment of the examples, in milliseconds. */
const timestamp = 1_767_259_800_000;

const inHeaders = errorNames.filter((name) => catalogue[name].metBy !== 'order');

const headers: Readonly<Record<string, JsonObject>> = {
  'X-Request-Id': headerOf('Names the request in the service’s log.'),
  'X-Error-Field': headerOf('The field, path part, query parameter or header at fault; beyond ASCII percent-encoded.'),
  'X-Error-Value': headerOf('What helps to mend it; which reasons have it, and what it tells, `x-reasons` says.'),
  'Retry-After': headerOf('Seconds after which a retry makes sense.', { type: 'integer' }),
  RateLimit: headerOf('What is left of the limit, as in the IETF draft “RateLimit header fields for HTTP”.'),
};

const failureSchemas: Readonly<Record<string, JsonObject>> = {
  Failure: {
    description:
      'What every failure is. Clients branch on `code`, or on the header `X-Error-Reason`, which tells more.',
    ...envelopeOf({
      success: { const: false },
      code: { $ref: '#/components/schemas/ErrorCode' },
      message: { type: 'string', description: 'The symbolic name, or a sentence in the language of `X-LOCALE`.' },
      data: { type: 'null' },
    }),
  },
  ErrorCode: {
    type: 'string',
    description: 'What went wrong, in few kinds. More may come.',
    enum: [...new Set(inHeaders.map((name) => catalogue[name].code))],
  },
  ErrorReason: {
    type: 'string',
    description: 'Why it went wrong: finer than the code. More may come.',
    enum: inHeaders,
    'x-reasons': Object.fromEntries(inHeaders.map((name) => [name, { ...catalogue[name], metBy: undefined }])),
  },
};

/** The components that all failures share: one response a status, with its headers and schemas. */
export function failureComponents(): { schemas: JsonObject; headers: JsonObject; responses: JsonObject } {
  const byStatus = Map.groupBy(inHeaders, (name) => catalogue[name].status);
  const responses = [...byStatus].map(([status, names]) => [responseName(status), failureResponse(names)] as const);
  return { schemas: failureSchemas, headers, responses: Object.fromEntries(responses) };
}

/** Every status that an operation can be answered with. */
export function responsesOf(operation: Operation, schemas: Schemas): JsonObject {
  const { query, body, errors = [] } = operation;
  const takesInput = query !== undefined || body !== undefined;
  const met = inHeaders.filter((name) => {
    const { metBy } = catalogue[name];
    return metBy === 'request' || (metBy === 'input' && takesInput) || errors.includes(name);
  });
  const statuses = new Set(met.map((name) => catalogue[name].status));
  const failures = [...statuses].map(
    (status) => [status, { $ref: `#/components/responses/${responseName(status)}` }] as const,
  );
  return Object.fromEntries([['200', successResponse(operation, schemas)], ...failures]);
}

/** Such as `NotFound`. */
function responseName(status: number): string {
  return (STATUS_CODES[status] ?? String(status)).replaceAll(/\W/g, '');
}

function successResponse({ answer, answerHeaders = {} }: Operation, schemas: Schemas): JsonObject {
  const data = schemas.describe(answer, 'output');
  const name = String(data['$ref']).replace(/.*\//, '');
  const { examples = [] } = (answer.meta() ?? {}) as { examples?: readonly unknown[] };
  schemas.components[`${name}Answer`] = {
    description: `The envelope around \`${name}\`.`,
    ...envelopeOf({ success: { const: true }, code: { const: '2000' }, message: { const: 'SUCCESS' }, data }),
    examples: examples.map((example) => exampleOf({ success: true, code: '2000', message: 'SUCCESS', data: example })),
  };
  return {
    description: 'Success.',
    headers: {
      ...refsTo(['X-Request-Id']),
      ...Object.fromEntries(Object.entries(answerHeaders).map(([header, text]) => [header, headerOf(text)])),
    },
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}Answer` } } },
  };
}

function failureResponse(names: readonly ErrorName[]): JsonObject {
  const codes = [...new Set(names.map((name) => catalogue[name].code))];
  const isLater = names.some((name) => [429, 503].includes(catalogue[name].status));
  const [someField, someValue] = (['field', 'value'] as const).map((key) =>
    names.some((name) => key in catalogue[name]),
  );
  const sharedHeaders = [
    'X-Request-Id',
    ...(someField === true ? ['X-Error-Field'] : []),
    ...(someValue === true ? ['X-Error-Value'] : []),
    ...(isLater ? ['Retry-After', 'RateLimit'] : []),
  ];
  return {
    description: names.map((name) => `- \`${catalogue[name].code}\` \`${name}\`: ${catalogue[name].when}`).join('\n'),
    headers: {
      'X-Error-Reason': headerOf('Why, in a symbol that stays.', {
        $ref: '#/components/schemas/ErrorReason',
        enum: names,
      }),
      ...refsTo(sharedHeaders),
    },
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Failure' }, { properties: { code: { enum: codes } } }] },
        examples: Object.fromEntries(names.map((name) => [name, failureExample(name)])),
      },
    },
  };
}

function failureExample(name: ErrorName): JsonObject {
  const { code, message, when } = catalogue[name];
  return { summary: when, value: exampleOf({ success: false, code, message, data: null }) };
}

function exampleOf(fields: JsonObject): JsonObject {
  return { version: '1.0', timestamp, ...fields };
}

/** Source: docs/contract.md, "Envelope". */
function envelopeOf(fields: JsonObject): JsonObject {
  const properties = {
    version: { const: '1.0' },
    timestamp: { type: 'integer', description: 'Server time, in milliseconds since the Unix epoch.' },
    ...fields,
  };
  return { type: 'object', properties, required: Object.keys(properties) };
}

function refsTo(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function headerOf(description: string, schema: JsonObject = { type: 'string' }): JsonObject {
  return { description, schema };
}
