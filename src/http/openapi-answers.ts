import { catalogue } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import { examples } from './examples.ts';
import type { Operation } from './routes.ts';

type JsonObject = Record<string, unknown>;

/** What any request to any endpoint can be answered: by the pipeline, for its body, or where something is away. */
const commonErrors: readonly ErrorName[] = [
  'API_KEY_MISSING',
  'API_KEY_NOT_FOUND',
  'API_KEY_DISABLED',
  'WORKSPACE_NOT_FOUND',
  'NOT_WORKSPACE_MEMBER',
  'TIMESTAMP_EXPIRED',
  'SIGNATURE_INVALID',
  'IP_NOT_WHITELISTED',
  'SCOPE_MISSING',
  'MALFORMED_BODY',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
];

/** Statuses that the HTTP parser answers, with the code of a malformed request. */
const parserStatuses = { 408: 'The request took too long to arrive.', 431: 'The headers are too large.' };

/** The moment of the examples, in milliseconds. */
const timestamp = 1_767_259_800_000;

/** Every status that an operation can be answered with, and every code under it. */
export function answersOf(operation: Operation): JsonObject {
  const { query, body, errors = [] } = operation;
  const own: ErrorName[] = query === undefined && body === undefined ? [] : ['VALIDATION_FAILED'];
  if (query !== undefined) own.push('PAGE_TOO_DEEP');
  const byStatus = Map.groupBy([...new Set([...own, ...errors, ...commonErrors])], (name) => catalogue[name].status);
  const failures = [...byStatus].map(([status, names]) => [status, failureAnswer(names)] as const);
  const refusals = Object.entries(parserStatuses).map(
    ([status, text]) => [status, { ...failureAnswer(['MALFORMED_BODY']), description: text }] as const,
  );
  return Object.fromEntries([['200', successAnswer(operation)], ...failures, ...refusals]);
}

function successAnswer({ answer, answerHeaders = {} }: Operation): JsonObject {
  const data = { $ref: `#/components/schemas/${answer}` };
  const example = {
    version: '1.0',
    timestamp,
    success: true,
    code: '2000',
    message: 'SUCCESS',
    data: examples[answer],
  };
  const headers = Object.entries(answerHeaders).map(([name, text]) => [name, headerOf(text)]);
  return {
    description: 'Success.',
    headers: Object.fromEntries(headers) as JsonObject,
    content: {
      'application/json': {
        schema: envelopeOf({ const: true }, { const: '2000' }, { const: 'SUCCESS' }, data),
        example,
      },
    },
  };
}

function failureAnswer(names: readonly ErrorName[]): JsonObject {
  const entries = names.map((name) => catalogue[name]);
  const codes = { enum: [...new Set(entries.map(({ code }) => code))] };
  const text = { type: 'string', description: 'The symbolic name, or a sentence in the language of `X-LOCALE`.' };
  const mayRetry = entries.some(({ status }) => status === 429 || status === 503);
  return {
    description: entries.map(({ code, message, when }) => `\`${code}\` ${message}: ${when}.`).join('\n\n'),
    ...(mayRetry ? { headers: { 'Retry-After': headerOf('Seconds after which a retry makes sense.') } } : {}),
    content: {
      'application/json': {
        schema: envelopeOf({ const: false }, codes, text, { type: 'null' }),
        examples: Object.fromEntries(
          entries.map(({ code, message }) => [
            code,
            { summary: message, value: { version: '1.0', timestamp, success: false, code, message, data: null } },
          ]),
        ),
      },
    },
  };
}

/** Source: docs/contract.md, "Envelope". */
function envelopeOf(success: JsonObject, code: JsonObject, message: JsonObject, data: JsonObject): JsonObject {
  const properties = {
    version: { const: '1.0' },
    timestamp: { type: 'integer', description: 'Server time, in milliseconds since the Unix epoch.' },
    ...{ success, code, message, data },
  };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function headerOf(text: string): JsonObject {
  return { description: text, schema: { type: 'string' } };
}
