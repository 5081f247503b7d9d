import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../../local/executables.ts';
import { apiDescription } from '../../../script/docs/api-description.ts';
import { bizIdForm } from '../../../src/orders/order.ts';
import { catalogue, errorNames } from '../../../src/errors.ts';
import { serviceForTests } from '../../support/service.ts';

interface Schema {
  $ref?: string;
  description?: string;
  format?: string;
  pattern?: string;
  enum?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

interface Media {
  description: string;
  headers: { 'X-Error-Reason'?: { schema: Schema } };
  content: { 'application/json': { schema: object } };
}

interface Operation {
  operationId: string;
  tags: string[];
  security: { apiKey: string[] }[];
  parameters: { name: string; $ref?: string; description?: string }[];
  requestBody?: Media;
  responses: Record<string, Media> & { default: { $ref: string } };
  description: string;
}

interface Api {
  openapi: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema & { examples?: unknown[] }>;
    responses: Record<string, Media>;
  };
}

const api = apiDescription() as unknown as Api;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: 'api', components: api.components });

/** A schema of the document, whose references lead to the document's components. */
function compile(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components');
  return ajv.compile(JSON.parse(text) as object);
}

const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
);

/** The reasons that a response tells of in words. */
function reasonsShown(response: Media | { $ref: string } | undefined): string[] {
  const text = response === undefined || '$ref' in response ? '' : response.description;
  return [...text.matchAll(/`([A-Z0-9_]+)`/g)].flatMap(([, name = '']) => (name in catalogue ? name : []));
}

const component = ({ $ref = '' }: Schema) => api.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {};

/** The places where a value has a field that its schema has not: answers are open, so the schema alone finds none. */
function strays(schema: Schema, value: unknown, place = ''): string[] {
  const { $ref, items, anyOf, properties } = schema;
  if ($ref !== undefined) return strays(component(schema), value, place);
  if (anyOf !== undefined) {
    const fitting = anyOf.filter((each) => compile(each)(value)).map((each) => strays(each, value, place));
    return fitting.find((found) => found.length === 0) ?? fitting.flat();
  }
  if (Array.isArray(value)) return value.flatMap((each, at) => strays(items ?? {}, each, `${place}[${at}]`));
  if (properties === undefined || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) =>
    properties[name] === undefined ? [`${place}.${name}`] : strays(properties[name], held, `${place}.${name}`),
  );
}

/** Each schema inside one, with its place. */
function inside(schema: Schema, place: string): [string, Schema][] {
  const parts = [
    ...Object.entries(schema.properties ?? {}).map(([name, part]) => [`${place}.${name}`, part] as const),
    ...[schema.items ?? [], schema.anyOf ?? []].flat().map((part, at) => [`${place}[${at}]`, part] as const),
  ];
  return parts.flatMap(([name, part]): [string, Schema][] => [[name, part], ...inside(part, name)]);
}

describe('the description', () => {
  it('lets no bizId be a word that stands in its place in another path', () => {
    const paths = Object.keys(api.paths).map((path) => path.split('/'));
    const words = paths.flatMap((named) => {
      const place = named.indexOf('{bizId}');
      const beside = paths.filter((path) => place > 0 && named.slice(0, place).every((part, at) => part === path[at]));
      return beside.flatMap((path) => path[place] ?? []).filter((part) => !part.startsWith('{'));
    });
    expect(words).toContain('wallet');
    for (const word of words) {
      expect(word).not.toMatch(bizIdForm);
      expect(`${word}s`).toMatch(bizIdForm);
    }
  });

  it('is OpenAPI 3.1 of which a linter has nothing to say', async () => {
    expect(api.openapi).toBe('3.1.0');
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(api));
    const lint = ['lint', '--config', 'redocly.yaml', '--format', 'json', file];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off' };
    const said = await run(process.execPath, ['node_modules/@redocly/cli/bin/cli.js', ...lint], env);
    expect(JSON.parse(said)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
  });

  it('has the nine endpoints of the contract with their scopes', () => {
    const described = operations.map(
      ([path, method, { security }]) => `${security[0]?.apiKey.join() ?? ''} ${method.toUpperCase()} ${path}`,
    );
    expect(described).toEqual(
      expect.arrayContaining([
        'wallet:read GET /api/v1/wallets',
        'wallet:read GET /api/v1/wallets/{id}',
        'wallet:read GET /api/v1/wallets/{id}/balance',
        'wallet:read GET /api/v1/wallets/{id}/flows',
        'transfer:read GET /api/v1/transfer/query/orders',
        'transfer:read GET /api/v1/transfer/query/orders/wallet/{walletId}',
        'transfer:read GET /api/v1/transfer/query/orders/{bizId}',
        'transfer:read GET /api/v1/transfer/query/orders/{bizId}/completed',
        'transfer:create POST /api/v1/transfer/command/create',
      ]),
    );
  });

  it('describes each group, and gives each endpoint one', () => {
    const names = api.tags.map(({ name }) => name);
    for (const { description } of api.tags) expect(description).toMatch(/^\S.{10,}\.$/);
    for (const [path, , { tags }] of operations) expect(names, path).toEqual(expect.arrayContaining(tags));
  });

  it('has every reason: that of the endpoints alone with one that declares it, that of an order in its failure', () => {
    const shown = new Set(operations.flatMap(([, , { responses }]) => Object.values(responses).flatMap(reasonsShown)));
    const ofAny = reasonsShown(api.components.responses['AnyRequest']);
    for (const name of errorNames) {
      const { metBy, code } = catalogue[name];
      expect(api.components.schemas['ErrorReason']?.enum?.includes(name), name).toBe(metBy !== 'order');
      expect(ofAny.includes(name), name).toBe(metBy === 'request');
      if (metBy === 'order') expect(api.components.schemas['FailureCode']?.enum).toContain(code);
      else expect(shown.has(name) || ofAny.includes(name), name).toBe(true);
    }
  });

  it('says of each operation the errors of its own, and those of any request once', () => {
    for (const [path, method, { responses, requestBody }] of operations) {
      expect(responses.default).toEqual({ $ref: '#/components/responses/AnyRequest' });
      expect(Object.keys(responses).includes('413'), path).toBe(requestBody !== undefined);
      expect(Object.keys(responses).includes('415'), path).toBe(requestBody !== undefined);
      expect(Object.keys(responses), `${method} ${path}`).not.toEqual(expect.arrayContaining(['401', '500']));
      const { default: _any, 200: _success, ...failures } = responses;
      for (const [status, failure] of Object.entries(failures)) {
        const shown = reasonsShown(failure);
        expect(shown.length).toBeGreaterThan(0);
        for (const name of shown) {
          const entry = catalogue[name as keyof typeof catalogue];
          expect(String(entry.status)).toBe(status);
          expect(failure.headers['X-Error-Reason']?.schema.anyOf?.[0]?.enum).toContain(name);
          expect(failure.description).toContain(`\`${name}\` | \`${entry.code}\``);
        }
      }
    }
    const create = api.paths['/api/v1/transfer/command/create']?.['post']?.responses['400'];
    expect(reasonsShown(create)).toEqual(expect.arrayContaining(['AMOUNT_ZERO', 'CURRENCY_UNKNOWN', 'FIELD_MISSING']));
    for (const other of ['PAGE_TOO_DEEP', 'CURSOR_MALFORMED', 'FIELD_REPEATED', 'VALUE_NOT_ALLOWED', 'HOST_MISSING'])
      expect(reasonsShown(create)).not.toContain(other);
  });

  it('tells of every operation what it does, and who may ask for it', () => {
    for (const [path, , { description, parameters }] of operations) {
      expect(description, path).toMatch(/^\S.{40,}/);
      expect(description, path).toMatch(/\*\*Scope\.\*\* /);
      for (const { $ref, name, description: text } of parameters)
        expect($ref ?? text, `${path} ${name}`).toMatch(/^\S.{5,}/);
    }
  });

  it('describes every property, and gives a name to what stands in several places', () => {
    const places = new Map<string, string[]>();
    for (const [name, component] of Object.entries(api.components.schemas)) {
      expect(component.description, name).toMatch(/^\S.{5,}/);
      for (const [place, schema] of inside(component, name)) {
        const named = [schema, ...(schema.anyOf ?? [])].some(({ $ref }) => $ref !== undefined);
        if (!named && !place.endsWith(']')) expect(schema.description, place).toMatch(/^\S.{4,}/);
        if (schema.format === 'date-time') expect(schema.pattern, place).toBeUndefined();
        const form = schema.enum ?? (schema.properties === undefined ? undefined : Object.keys(schema.properties));
        if (form !== undefined) places.set(form.join(), [...(places.get(form.join()) ?? []), place]);
      }
    }
    for (const [form, found] of places) expect(found, form).toHaveLength(1);
  });

  it('has patterns that every engine of regular expressions reads alike', () => {
    const patterns = new Set(
      [...JSON.stringify(api).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, text = '']) => text),
    );
    expect(patterns.size).toBeGreaterThan(5);
    for (const pattern of [...patterns].map((text) => JSON.parse(text) as string)) {
      // Anchors, classes, groups and counts; of what is escaped only a dot, and ASCII by two digits.
      expect(pattern).toMatch(/^\^[ -~]*\$$/);
      expect(pattern.replaceAll(/\\\.|\\x[0-7][0-9a-f]/g, '')).not.toMatch(/\\|\(\?|[*+?}][+?]/);
    }
  });

  it.each([true, false])(
    'takes texts of any script, by code points, whether patterns are read as Unicode (%j) or not',
    (unicodeRegExp) => {
      const reader = new Ajv2020({ strict: false, unicodeRegExp });
      formats.default(reader);
      reader.addSchema({ $id: 'api', components: api.components });
      const text = '😀𠮷é'.repeat(33);
      for (const [name, longest, field] of [
        ['CreateTransfer', 200, 'description'],
        ['CreateWallet', 100, 'name'],
        ['CreateWebhook', 200, 'description'],
      ] as const) {
        const example = api.components.schemas[name]?.examples?.[0] as object;
        const validate = reader.compile({ $ref: `api#/components/schemas/${name}` });
        for (const taken of [text, '😀'.repeat(longest)]) {
          expect(validate({ ...example, [field]: taken }), `${name} ${JSON.stringify(validate.errors)}`).toBe(true);
        }
        for (const refused of ['a\n', '\x7f', '😀'.repeat(longest + 1)]) {
          expect(validate({ ...example, [field]: refused }), name).toBe(false);
        }
      }
    },
  );

  it('has examples that are of their schemas and have no other field, one of every body among them', () => {
    for (const [name, { examples = [] }] of Object.entries(api.components.schemas)) {
      const schema = { $ref: `#/components/schemas/${name}` };
      const validate = compile(schema);
      for (const example of examples) {
        expect(validate(example), `${name} ${JSON.stringify(validate.errors)}`).toBe(true);
        expect(strays(schema, example), name).toEqual([]);
      }
    }
    const bodies = operations.flatMap(([, , { requestBody }]) => requestBody?.content['application/json'].schema ?? []);
    for (const body of bodies) expect(component(body).examples, JSON.stringify(body)).toHaveLength(1);
  });

  it('lets the choices of answers gain values, and those of requests not', () => {
    const later = '#/components/schemas/LaterValue';
    /** Every schema that is reached from here, by references too, with what it stands in. */
    const reached = (
      part: unknown,
      seen = new Set<unknown>(),
      within?: Schema,
    ): (readonly [Schema, Schema | undefined])[] => {
      if (typeof part !== 'object' || part === null || seen.has(part)) return [];
      // A named choice is met once for each place that names it.
      if (!('enum' in part)) seen.add(part);
      const schema = part as Schema;
      const named = schema.$ref === undefined ? [] : reached(component(schema), seen, within);
      const { examples: _, ...members } = part as { examples?: unknown };
      const parts = Array.isArray(part) ? part : Object.values(members);
      const around = 'anyOf' in part ? schema : Array.isArray(part) ? within : undefined;
      return [[schema, within], ...named, ...parts.flatMap((each) => reached(each, seen, around))];
    };
    const closed = (parts: unknown) =>
      reached(parts).flatMap(([{ enum: values }, within]) =>
        values === undefined || within?.anyOf?.some(({ $ref }) => $ref === later) === true ? [] : [values.join()],
      );
    const answers = operations.map(([, , { responses }]) => responses);
    expect(new Set(closed([answers, api.components.responses]))).toEqual(new Set(['DEBIT,CREDIT']));
    const requests = operations.map(([, , { requestBody, parameters }]) => [requestBody, parameters]);
    expect(JSON.stringify(reached(requests).map(([schema]) => schema))).not.toContain(later);
    const { examples: [order] = [] } = api.components.schemas['Order'] ?? {};
    expect(compile({ $ref: '#/components/schemas/Order' })({ ...(order as object), type: 'NEW', status: 'NEW' })).toBe(
      true,
    );
    const create = compile({ $ref: '#/components/schemas/CreateWebhook' });
    expect(create({ url: 'https://example.com', events: ['transfer.new'] })).toBe(false);
  });

  it('takes no key of metadata that the service refuses', () => {
    const body = JSON.parse('{"currency":"USD","metadata":{"plan":"1"}}') as object;
    const hostile = JSON.parse('{"currency":"USD","metadata":{"__proto__":"1"}}') as object;
    const validate = compile({ $ref: '#/components/schemas/CreateWallet' });
    expect([validate(body), validate(hostile)]).toEqual([true, false]);
  });

  it('lets answers gain fields, and requests not', () => {
    const requests = operations.flatMap(([, , { requestBody }]) =>
      [...JSON.stringify(requestBody ?? {}).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name),
    );
    expect(requests).toContain('CreateTransfer');
    for (const [name, component] of Object.entries(api.components.schemas)) {
      if (requests.includes(name)) expect(component, name).toMatchObject({ additionalProperties: false });
      else expect(JSON.stringify(component), name).not.toContain('"additionalProperties":false');
    }
  });
});

const service = await serviceForTests({ workers: 0 });

describe('the page', () => {
  it.each([
    ['/docs', 'text/html'],
    ['/docs/page.js', 'text/javascript'],
    ['/docs/sign.js', 'text/javascript'],
    ['/', 'text/html'],
    ['/docs/', 'text/html'],
    ['/docs/signing-vectors.json', 'application/json'],
    ['/openapi.json', 'application/json'],
  ])('%s is served without a signature, and loads nothing from elsewhere', async (path, type) => {
    const response = await fetch(`${service.baseUrl}${path}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(await response.text()).not.toMatch(/https?:\/\/(?!localhost|example\.com)/);
  });

  it('is of the description that is published', async () => {
    const served: unknown = await (await fetch(`${service.baseUrl}/openapi.json`)).json();
    expect(served).toEqual(JSON.parse(JSON.stringify(api)));
  });

  it('serves what the description leads to', async () => {
    const links = [...JSON.stringify(api).matchAll(/\((\/docs\/[^)]+)\)/g)].map(([, link = '']) => link);
    expect(links).toEqual(['/docs/clients/postman-collection.json', '/docs/signing-vectors.json']);
    for (const link of links) {
      const served = await fetch(`${service.baseUrl}${link}`);
      expect(await served.text()).toBe(readFileSync(join('docs', basename(link)), 'utf8'));
    }
  });

  it.each(['/docs/x', '/docs/api.md', '/openapi', '/__proto__', '/docs/../src/main.ts'])(
    '%s is not there',
    async (path) => {
      const response = await fetch(`${service.baseUrl}${path}`);
      expect(response.status).toBe(404);
    },
  );
});
