import type { z } from 'zod';
import { anyScope } from '../../auth/pipeline.ts';
import { failureComponents, responsesOf } from './responses.ts';
import { Schemas, type JsonObject } from './schemas.ts';
import type { Operation, Route } from '../route.ts';
import { webhookMessages } from '../webhooks/messages.ts';

const description = [
  'Read wallets, balances and flows, and move money between the wallets of a workspace.',
  '',
  'Every request is signed: `X-Signature` is the Base64 of the HMAC-SHA256, under the secret, of five lines joined by a',
  'newline: the method, the path without its query string, the value of `X-Timestamp`, that of `X-Nonce`, and the',
  'lower-case hexadecimal SHA-256 of the body (of no bytes where there is none).',
  '',
  'Answers may gain fields: ignore what you do not know. A method and path that are not here, a trailing slash included,',
  'are answered 403 `50090201`.',
  '',
  'Postman imports [a collection](/docs/clients/postman-collection.json) that signs; a client can be tried on',
  '[requests whose signatures are known](/docs/signing-vectors.json).',
].join('\n');

const waiting = [
  '**Waiting.** With `Prefer: wait=N` the answer comes once the order has ended, or after N seconds, 10 at most, with the order',
  'as it then stands. `Preference-Applied` says that it was waited; nobody waits for a SCHEDULED order.',
].join('\n');

const paging = [
  '**Paging.** Follow `nextCursor` as `cursor` until it is null: rows that are added meanwhile neither repeat nor shift others.',
  'A page may have fewer rows than its size, or none, and a `nextCursor`. The cursor keeps the filters.',
].join('\n');

const securitySchemes = {
  apiKey: header('X-Api-Key', 'Public identifier of the API key.'),
  timestamp: header('X-Timestamp', 'Unix time in seconds; at most 60 s off.'),
  nonce: header('X-Nonce', '1 to 128 printable ASCII characters, used once; a UUID will do.'),
  signature: header('X-Signature', 'Base64 of the HMAC-SHA256 of the canonical message.'),
};

const locale = {
  name: 'X-LOCALE',
  in: 'header',
  required: false,
  description: 'Language of the sentence in a failure’s `message`, such as `en-US`.',
  schema: { type: 'string' },
};

/** What is described of a route: all but its handler. */
export type Described = Omit<Route, 'handle'>;

/** The OpenAPI 3.1 description of these routes, from the schemas that validate their requests and describe their answers. */
export function openApiDocument(routes: readonly Described[]): JsonObject {
  const schemas = new Schemas();
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  const { schemas: failures, ...shared } = failureComponents();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signed Wallet and Transfer API',
      version: '1.0.0',
      license: { name: 'MIT', identifier: 'MIT' },
      description,
    },
    servers: [{ url: '/' }],
    tags: [...new Map(routes.map(({ operation: { tag } }) => [tag.name, tag])).values()],
    paths,
    webhooks: webhooksOf(schemas),
    components: {
      schemas: { ...schemas.components, ...failures },
      ...shared,
      parameters: { Locale: locale },
      securitySchemes,
    },
  };
}

/** What is sent to webhooks. Source: docs/webhooks.md. */
function webhooksOf(schemas: Schemas): JsonObject {
  const header = (name: string, text: string) => ({ ...locale, name, required: true, description: text });
  const parameters = [
    header('webhook-id', 'Of the event: the same at every attempt.'),
    header('webhook-timestamp', 'Unix time in seconds, of the attempt.'),
    header(
      'webhook-signature',
      '`v1,` and the Base64 of the HMAC-SHA256 of `id.timestamp.body`; several with spaces between.',
    ),
  ];
  const operations = Object.entries(webhookMessages).map(([type, { summary, message }]) => {
    const operation = {
      operationId: type.replace(/\.(.)/, (_, first: string) => first.toUpperCase()),
      summary,
      description:
        'Verify the signature before anything else. The same event may come more than once, and in any order.',
      // No API key: the message is signed, in its headers.
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.describe(message, 'output') } },
      },
      responses: { '2XX': { description: 'Delivered. Anything else is tried again, for three days.' } },
    };
    return [type, { post: operation }];
  });
  return Object.fromEntries(operations) as JsonObject;
}

function operationOf(route: Described, schemas: Schemas): JsonObject {
  const { scope, alsoNeeds, path, operation } = route;
  const { id, tag, summary, query, body, isBodyOptional = false, headers = {} } = operation;
  const scopes = [scope === anyScope ? [] : scope, alsoNeeds ?? []].flat();
  return {
    operationId: id,
    summary,
    tags: [tag.name],
    description: describe(operation, scopes),
    // OpenAPI calls them roles: the scopes that a key needs besides its signature.
    security: [{ apiKey: scopes, timestamp: [], nonce: [], signature: [] }],
    parameters: [
      ...pathParameters(path),
      ...(query === undefined ? [] : queryParameters(query, schemas)),
      ...Object.entries(headers).map(([name, text]) => ({ ...locale, name, description: text })),
      { $ref: '#/components/parameters/Locale' },
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !isBodyOptional,
            content: { 'application/json': { schema: schemas.describe(body, 'input') } },
          },
        }),
    responses: responsesOf(operation, schemas),
  };
}

/** What the operation says of itself, and what holds for all of its kind. */
function describe({ description: own, headers = {}, query }: Operation, scopes: readonly string[]): string {
  const named = scopes.map((each) => `\`${each}\``).join(' and ');
  const isList = query !== undefined && 'cursor' in query.shape;
  return [
    own,
    named === '' ? '**Scope.** Any will do.' : `**Scope.** ${named}.`,
    ...('Prefer' in headers ? [waiting] : []),
    ...(isList ? [paging] : []),
  ].join('\n\n');
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description:
      name === 'bizId'
        ? 'The client’s own id of the order, or its transferId.'
        : `The ${path.includes('/webhooks/') ? 'webhook' : 'wallet'}.`,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodObject, schemas: Schemas): JsonObject[] {
  const { properties } = schemas.describe(query, 'output') as { properties: Record<string, JsonObject> };
  return Object.entries(properties).map(([name, { description: text, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    ...(text === undefined ? {} : { description: text }),
    schema,
  }));
}

function header(name: string, text: string) {
  return { type: 'apiKey', in: 'header', name, description: text };
}
