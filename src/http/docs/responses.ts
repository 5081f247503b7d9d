import { STATUS_CODES } from 'node:http';
import { catalogue, errorNames, namedField, type ErrorName } from '../../errors.ts';
import { inputErrors } from './input-errors.ts';
import type { JsonObject, Schemas } from './schemas.ts';
import type { Operation } from '../route.ts';

const inHeaders = errorNames.filter((name) => catalogue[name].metBy !== 'order');
/** What any request can meet, whatever it asks for. */
const common = inHeaders.filter((name) => catalogue[name].metBy === 'request');
/** Those of them that a request without a body meets only if it sends one all the same. */
const ofBodies = new Set<ErrorName>(['BODY_TOO_LARGE', 'BODY_ENCODED', 'MEDIA_TYPE_UNSUPPORTED']);
/** Reasons that a query or body can meet in several fields at once. */
const several = new Set(inHeaders.filter((name) => catalogue[name].code === 'RQ4001' || name === 'BIZ_ID_CONFLICT'));
const commonResponse = 'AnyRequest';

const headers: Readonly<Record<string, JsonObject>> = {
  'X-Request-Id': headerOf('Names the request in the service’s log.'),
  'X-Error-Field': headerOf('`error.field` of the body; `%` and what is not printable ASCII are percent-encoded.'),
  'X-Error-Fields': headerOf(
    '`error.fields` of the body, such as `amount AMOUNT_ZERO, currency CURRENCY_UNKNOWN`, each name percent-encoded.',
  ),
  'X-Error-Value': headerOf('`error.value` of the body; `%` and what is not printable ASCII are percent-encoded.'),
  'Retry-After': headerOf('Seconds after which a retry makes sense.', { type: 'integer' }),
  RateLimit: headerOf('What is left of the limit, as in the IETF draft “RateLimit header fields for HTTP”.'),
};

const failureSchemas: Readonly<Record<string, JsonObject>> = {
  FailureAnswer: {
    description: 'The envelope of every failure. Branch on `code`, or on `error.reason`, which tells more.',
    ...envelopeOf({
      success: false,
      code: openTo({ $ref: '#/components/schemas/ErrorCode' }),
      message: { type: 'string', description: 'The symbolic name, or a sentence in the language of `X-LOCALE`.' },
      data: { type: 'null', description: 'Nothing.' },
      error: { $ref: '#/components/schemas/ErrorDetails' },
    }),
  },
  ErrorDetails: {
    type: 'object',
    description: 'Why a request failed: what the headers `X-Error-…` say, not encoded.',
    properties: {
      reason: openTo({ $ref: '#/components/schemas/ErrorReason' }),
      field: {
        type: ['string', 'null'],
        description:
          'What is at fault, by the name that the request has for it: a part of the path, a query parameter, a header, or a place in the body, such as `legs[3].amount`; null where nothing of it is.',
      },
      value: {
        type: ['string', 'null'],
        description:
          'What helps to mend it; which reasons have it, and what it tells, `x-reasons` says. Null where there is nothing.',
      },
      fields: {
        type: 'array',
        description:
          'Where several fields are wrong, each with its reason, the first one first: at most 8; otherwise empty.',
        items: { $ref: '#/components/schemas/WrongField' },
      },
    },
    required: ['reason', 'field', 'value', 'fields'],
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

/** The components of failures: their schemas and headers, and the one response that all operations have in common. */
export function failureComponents(): { schemas: JsonObject; headers: JsonObject; responses: JsonObject } {
  const introduction = 'What any request can meet, whatever it asks for. ';
  const list = common.map((name) => `\`${name}\``).join(', ');
  const response = failureResponse(common, `${introduction}\`X-Error-Reason\` says which: ${list}.`);
  return { schemas: failureSchemas, headers, responses: { [commonResponse]: response } };
}

/**
 * Every status that an operation can be answered with. A failure of its own is described with it, and what any request can
 * meet once for all operations.
 */
export function responsesOf(operation: Operation, schemas: Schemas): JsonObject {
  const met = [
    ...(operation.body === undefined ? [] : ofBodies),
    ...inputErrors(operation),
    ...(operation.errors ?? []),
  ];
  const own = inHeaders.filter((name) => met.includes(name));
  const byStatus = Map.groupBy(own, (name) => catalogue[name].status);
  const failures = [...byStatus].map(([status, names]) => {
    // What any request can meet with this status is described elsewhere, but has to fit here.
    const taken = inHeaders.filter(
      (name) => names.includes(name) || (common.includes(name) && catalogue[name].status === status),
    );
    const title = `${STATUS_CODES[status] ?? 'Refused'}.`;
    return [String(status), failureResponse(taken, [title, '', ...tableOf(names)].join('\n'))] as const;
  });
  return {
    '200': successResponse(operation, schemas),
    ...Object.fromEntries(failures),
    default: { $ref: `#/components/responses/${commonResponse}` },
  };
}

function successResponse({ answer, answerHeaders = {} }: Operation, schemas: Schemas): JsonObject {
  const data = schemas.describe(answer, 'output');
  const name = String(data['$ref']).replace(/.*\//, '');
  schemas.components[`${name}Answer`] = {
    description: `The envelope around \`${name}\`.`,
    ...envelopeOf({
      success: true,
      code: { const: '2000', description: 'That of every success.' },
      message: { const: 'SUCCESS', description: 'That of every success.' },
      data,
    }),
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

/** @param taken are all reasons that an answer of this status can have here. */
function failureResponse(taken: readonly ErrorName[], description: string): JsonObject {
  const entries = taken.map((name) => catalogue[name]);
  const codes = [...new Set(entries.map(({ code }) => code))];
  const sharedHeaders = [
    'X-Request-Id',
    ...(taken.some((name) => several.has(name)) ? ['X-Error-Fields'] : []),
    ...(entries.some(({ field }) => field !== undefined) ? ['X-Error-Field'] : []),
    ...(entries.some(({ value }) => value !== undefined) ? ['X-Error-Value'] : []),
    ...(entries.some(({ status }) => [429, 503].includes(status)) ? ['Retry-After', 'RateLimit'] : []),
  ];
  return {
    description,
    headers: {
      'X-Error-Reason': headerOf(
        'Why, in a symbol that stays.',
        openTo({ $ref: '#/components/schemas/ErrorReason', enum: taken }),
      ),
      ...refsTo(sharedHeaders),
    },
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/FailureAnswer' }, { properties: { code: openTo({ enum: codes }) } }],
        },
      },
    },
  };
}

/** The failures of one status, as a table in Markdown. */
function tableOf(names: readonly ErrorName[]): string[] {
  const rows = names.map((name) => {
    const { code, when, field = '', value = '' } = catalogue[name];
    const shownField = field === '' || field === namedField ? field : `\`${field}\``;
    return `| \`${name}\` | \`${code}\` | ${shownField} | ${value} | ${when.replaceAll('|', '\\|')} |`;
  });
  return ['| reason | code | field | value | when |', '| --- | --- | --- | --- | --- |', ...rows];
}

/** Source: docs/contract.md, "Envelope". */
function envelopeOf({ success, ...fields }: JsonObject): JsonObject {
  const properties = {
    version: { const: '1.0', description: 'Of the envelope.' },
    timestamp: { type: 'integer', description: 'Server time, in milliseconds since the Unix epoch.' },
    success: { const: success, description: 'Whether what was asked was done.' },
    ...fields,
  };
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** As `open` of the schemas: a later service may have others. */
function openTo(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { $ref: '#/components/schemas/LaterValue' }] };
}

function refsTo(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function headerOf(description: string, schema: JsonObject = { type: 'string' }): JsonObject {
  return { description, schema };
}
