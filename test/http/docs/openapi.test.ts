import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../../local/executables.ts';
import { bizIdForm } from '../../../src/orders/order.ts';
import { catalogue, errorNames } from '../../../src/errors.ts';
import {
  bodyOf,
  description as api,
  operations,
  resolved,
  type Response,
  type Schema,
} from '../../support/described-api.ts';
import { serviceForTests } from '../../support/service.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: 'api', components: api.components });

/** A schema of the document, whose references lead to the document's components. */
function compile(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components');
  return ajv.compile(JSON.parse(text) as object);
}

/** The components that something names, and those that these name. */
function namedIn(part: object, known: readonly string[] = []): readonly string[] {
  const names = [...JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name);
  const found = names.filter((name, at) => !known.includes(name) && names.indexOf(name) === at);
  return found.reduce((all, name) => namedIn(api.components.schemas[name] ?? {}, [...all, name]), known);
}

const ofRequests = namedIn(operations.map(([, , { requestBody = {} }]) => requestBody));

/** The reasons that a response tells of in words. */
function reasonsShown(response: Response | undefined): string[] {
  const text = response?.description ?? '';
  return [...text.matchAll(/`([A-Z0-9_]+)`/g)].flatMap(([, name = '']) => (name in catalogue ? name : []));
}

/** The places where a value has a field that its schema has not: answers are open, so the schema alone finds none. */
function strays(schema: Schema, value: unknown, place = ''): string[] {
  const { $ref, items, anyOf, properties } = schema;
  if ($ref !== undefined) return strays(resolved(schema), value, place);
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
          expect(failure.headers['X-Error-Reason']?.schema?.anyOf?.[0]?.enum).toContain(name);
          expect(failure.description).toContain(`\`${name}\` | \`${entry.code}\``);
        }
      }
    }
    const create = api.paths['/api/v1/transfer/command/create']?.['post']?.responses['400'];
    expect(reasonsShown(create)).toEqual(expect.arrayContaining(['AMOUNT_ZERO', 'CURRENCY_UNKNOWN', 'FIELD_MISSING']));
    for (const other of ['PAGE_TOO_DEEP', 'CURSOR_MALFORMED', 'FIELD_REPEATED', 'HOST_MISSING'])
      expect(reasonsShown(create)).not.toContain(other);
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
    // Unless each has a name: of a request and of an answer.
    for (const [form, found] of places)
      if (!found.every((place) => place in api.components.schemas)) expect(found, form).toHaveLength(1);
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
    for (const [path, , operation] of operations.filter(([, , { requestBody }]) => requestBody !== undefined))
      expect(bodyOf(operation)?.examples, path).toHaveLength(1);
  });

  it('lets the choices of answers gain values, and those of requests not', () => {
    const later = '#/components/schemas/LaterValue';
    /** The choices of a schema's own that can gain none. */
    const closedIn = (schema: Schema): string[] => {
      const { anyOf = [], items, properties = {} } = schema;
      if (anyOf.some((each) => each.$ref === later)) return [];
      const { enum: values } = resolved(schema);
      const parts = [...anyOf, ...(items === undefined ? [] : [items]), ...Object.values(properties)];
      return [...(values === undefined ? [] : [values.join()]), ...parts.flatMap(closedIn)];
    };
    const answers = Object.entries(api.components.schemas).filter(
      ([name, { enum: values }]) => !ofRequests.includes(name) && values === undefined,
    );
    expect(new Set(answers.flatMap(([, schema]) => closedIn(schema)))).toEqual(new Set(['DEBIT,CREDIT']));
    const { examples: [order] = [] } = api.components.schemas['Order'] ?? {};
    const asOrder = compile({ $ref: '#/components/schemas/Order' });
    expect(asOrder({ ...(order as object), type: 'NEW', status: 'NEW' })).toBe(true);
    const create = compile({ $ref: '#/components/schemas/CreateWebhook' });
    expect(create({ url: 'https://example.com', events: ['transfer.new'] })).toBe(false);
  });

  describe('has a form of orders for each type', () => {
    const { examples: [transfer, journal] = [] } = api.components.schemas['Order'] ?? {};
    const lacking = { sourceWalletId: null, targetWalletId: null, amount: null, currency: null };
    const refers = { parentId: 'tr_1', reversedAmount: null };
    const hold = { state: 'HELD', captured: '0', released: '0', remaining: '1', expiresAt: '2026-01-01T00:00:00Z' };
    const reversal = { ...journal, ...refers, type: 'REVERSAL' };
    it.each([
      ['TRANSFER', transfer, { amount: null }, { parentId: 'tr_1' }, { legs: [] }, { reversedAmount: null }],
      ['DEPOSIT', { ...transfer, type: 'DEPOSIT' }, { sourceWalletId: null }, { hold }],
      ['WITHDRAWAL', { ...transfer, type: 'WITHDRAWAL' }, { targetWalletId: null }, { currency: null }],
      ['JOURNAL', journal, { legs: null }, { amount: '1' }, { reversedAmount: '0' }],
      ['REVERSAL of legs', reversal, { parentId: null }, { reversedAmount: '0' }],
      ['REVERSAL', { ...transfer, ...refers, type: 'REVERSAL' }, { parentId: null }],
      ['HOLD', { ...transfer, type: 'HOLD', reversedAmount: null, hold }, { hold: null }, { legs: [] }],
      ['CAPTURE', { ...transfer, type: 'CAPTURE', parentId: 'tr_1', legs: [], targetWalletId: null }, { amount: null }],
      ['RELEASE', { ...transfer, ...refers, type: 'RELEASE' }, { targetWalletId: null }, { parentId: null }],
      ['a later type', { ...transfer, ...lacking, type: 'NEW' }],
    ] as [string, object, ...object[]][])('%s', (_, order, ...others) => {
      const isOrder = compile({ $ref: '#/components/schemas/Order' });
      expect(isOrder(order)).toBe(true);
      for (const other of others) expect(isOrder({ ...order, ...other }), JSON.stringify(other)).toBe(false);
    });
  });

  it('describes a line of a batch, and what is previewed, as the body of a command with its type', () => {
    const isLine = compile({ $ref: '#/components/schemas/AnyCommand' });
    const commands = api.components.schemas['AnyCommand']?.anyOf?.map(resolved) ?? [];
    expect(commands).toHaveLength(8);
    for (const { examples: [example = {}] = [] } of commands) {
      expect(isLine(example)).toBe(true);
      expect(isLine({ ...example, type: 'NEW' })).toBe(false);
    }
    expect(isLine(api.components.schemas['CreateTransfer']?.examples?.[0])).toBe(true);
    expect(isLine(api.components.schemas['CreateJournal']?.examples?.[0])).toBe(false);
  });

  it('takes no key of metadata that the service refuses', () => {
    const body = JSON.parse('{"currency":"USD","metadata":{"plan":"1"}}') as object;
    const hostile = JSON.parse('{"currency":"USD","metadata":{"__proto__":"1"}}') as object;
    const validate = compile({ $ref: '#/components/schemas/CreateWallet' });
    expect([validate(body), validate(hostile)]).toEqual([true, false]);
  });

  it('lets answers gain fields, and requests not', () => {
    expect(ofRequests).toEqual(expect.arrayContaining(['CreateTransfer', 'JournalCommand', 'JournalLeg']));
    for (const [name, component] of Object.entries(api.components.schemas)) {
      if (component.properties === undefined) continue;
      if (ofRequests.includes(name)) expect(component, name).toMatchObject({ additionalProperties: false });
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
