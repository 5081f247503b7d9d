import { z } from 'zod';
import { answersOf } from './openapi-answers.ts';
import { createTransferExample } from './examples.ts';
import { resources } from './resources.ts';
import type { Route } from './routes.ts';

type JsonObject = Record<string, unknown>;

const description = [
  'Read wallets, balances and flows, and move money between the wallets of a workspace.',
  '',
  'Every request is signed: `X-Signature` is the Base64 of the HMAC-SHA256, under the secret, of five lines joined by a',
  'newline: the method, the path without its query string, the value of `X-Timestamp`, that of `X-Nonce`, and the',
  'lower-case hexadecimal SHA-256 of the body (of no bytes where there is none).',
].join('\n');

const securitySchemes = {
  apiKey: header('X-Api-Key', 'Public identifier of the API key.'),
  timestamp: header('X-Timestamp', 'Unix time in seconds; at most 60 s off.'),
  nonce: header('X-Nonce', '1 to 128 printable ASCII characters, used once; a UUID will do.'),
  signature: header('X-Signature', 'Base64 of the HMAC-SHA256 of the canonical message.'),
};

/** The OpenAPI 3.1 description of these routes, from the schemas that validate their requests and describe their answers. */
export function openApiDocument(routes: readonly Route[]): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Signed Wallet and Transfer API', version: '1.0.0', description },
    servers: [{ url: '/' }],
    security: [Object.fromEntries(Object.keys(securitySchemes).map((name) => [name, []]))],
    paths,
    components: { schemas: resourceSchemas(), securitySchemes },
  };
}

function operationOf(route: Route): JsonObject {
  const { id, summary, query, body, headers = {} } = route.operation;
  return {
    operationId: id,
    summary,
    tags: [route.scope],
    description: `Needs the scope \`${route.scope}\`.`,
    parameters: [
      ...pathParameters(route.path),
      ...(query === undefined ? [] : queryParameters(query)),
      ...Object.entries({
        ...headers,
        'X-LOCALE': 'Language of the sentence in a failure’s `message`, such as `en-US`.',
      }).map(([name, text]) => ({
        name,
        in: 'header',
        required: false,
        description: text,
        schema: { type: 'string' },
      })),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(body, 'input'), example: createTransferExample } },
          },
        }),
    responses: answersOf(route.operation),
  };
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(name === 'bizId' ? { description: 'The client’s own id of the order, or its transferId.' } : {}),
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodObject): JsonObject[] {
  const properties = schemaOf(query, 'output')['properties'] as Record<string, JsonObject>;
  return Object.entries(properties).map(([name, { description: text, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    ...(text === undefined ? {} : { description: text }),
    schema,
  }));
}

function resourceSchemas(): JsonObject {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(resources)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutOrigin(schema)]));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  return withoutOrigin(z.toJSONSchema(schema, { io }));
}

/** Inside an OpenAPI document a schema is of its dialect, and named by its place. */
function withoutOrigin({ $schema, $id, ...schema }: JsonObject): JsonObject {
  return schema;
}

function header(name: string, text: string) {
  return { type: 'apiKey', in: 'header', name, description: text };
}
