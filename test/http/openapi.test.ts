import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bizIdForm } from '../../src/domain/order.ts';
import { catalogue } from '../../src/errors.ts';
import { examples } from '../../src/http/examples.ts';
import { resources } from '../../src/http/resources.ts';
import type { ResourceName } from '../../src/http/resources.ts';
import { startService } from '../support/service.ts';
import type { RunningService } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';
import type { TestWorkspace } from '../support/workspace.ts';

interface Operation {
  operationId: string;
  tags: string[];
  parameters: { name: string; in: string; schema: object }[];
  requestBody?: { content: { 'application/json': { schema: object; example: unknown } } };
  responses: Record<string, { content: { 'application/json': { schema: object; example?: unknown } } }>;
}

interface Api {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

let service: RunningService;
let workspace: TestWorkspace;
let api: Api;
let ajv: Ajv2020;

beforeAll(async () => {
  service = await startService();
  workspace = await createWorkspace(service);
  api = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as Api;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'api', components: api.components });
});
afterAll(() => service.stop());

/** A schema of the document, whose references lead to the document's components. */
function compile(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components');
  return ajv.compile(JSON.parse(text) as object);
}

function expectDescribed(template: string, method: string, status: number, answered: unknown): void {
  const described = api.paths[template]?.[method.toLowerCase()]?.responses[status];
  expect(described, `${method} ${template} ${status}`).toBeDefined();
  const validate = compile(described!.content['application/json'].schema);
  expect(validate(answered), `${method} ${template} ${status} ${JSON.stringify(validate.errors)}`).toBe(true);
}

const operations = (): [string, string, Operation][] =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  );

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

  it('is OpenAPI 3.1, as its own schema has it', async () => {
    expect(api.openapi).toBe('3.1.0');
    expect(await new Validator().validate(JSON.parse(JSON.stringify(api)) as Record<string, unknown>)).toMatchObject({
      valid: true,
    });
  });

  it('has the nine endpoints of the contract with their scopes', () => {
    expect(operations().map(([path, method, { tags }]) => `${tags.join()} ${method.toUpperCase()} ${path}`)).toEqual([
      'wallet:read GET /api/v1/wallets',
      'wallet:read GET /api/v1/wallets/{id}',
      'wallet:read GET /api/v1/wallets/{id}/balance',
      'wallet:read GET /api/v1/wallets/{id}/flows',
      'transfer:read GET /api/v1/transfer/query/orders',
      'transfer:read GET /api/v1/transfer/query/orders/wallet/{walletId}',
      'transfer:read GET /api/v1/transfer/query/orders/{bizId}',
      'transfer:read GET /api/v1/transfer/query/orders/{bizId}/completed',
      'transfer:create POST /api/v1/transfer/command/create',
    ]);
  });

  it('has every code of the catalogue that an endpoint can answer', () => {
    const text = JSON.stringify(api.paths);
    const elsewhere = new Set(['50090201', 'TR4223', 'TR4224']);
    for (const { code } of Object.values(catalogue)) expect(text.includes(`"${code}"`)).toBe(!elsewhere.has(code));
  });

  it('has examples that are of their schemas', () => {
    for (const [name, example] of Object.entries(examples)) {
      expect(resources[name as ResourceName].parse(example)).toEqual(example);
    }
    for (const [, , { requestBody, responses }] of operations()) {
      for (const { content } of Object.values(responses)) {
        const { schema, example } = content['application/json'];
        if (example !== undefined) expect(compile(schema)(example)).toBe(true);
      }
      const body = requestBody?.content['application/json'];
      if (body !== undefined) expect(compile(body.schema)(body.example)).toBe(true);
    }
  });
});

describe('what the service answers', () => {
  it('is what the description says', async () => {
    const [alice, bob] = [await workspace.wallet('10'), await workspace.wallet()];
    const body = { sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' };
    const created = await workspace.client.request<{ transferId: string }>('POST', '/api/v1/transfer/command/create', {
      body,
      headers: { Prefer: 'wait=10' },
    });
    const known: Record<string, string> = { id: alice, walletId: alice, bizId: created.envelope!.data.transferId };
    for (const [template, method, { parameters, requestBody }] of operations()) {
      const fill = (values: Record<string, string>) =>
        template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'unknown');
      const request = requestBody === undefined ? {} : { body };
      const asked = [
        workspace.client.request(method.toUpperCase(), fill(known), request),
        workspace.client.request(method.toUpperCase(), fill({}), request),
        workspace.client.request(method.toUpperCase(), fill(known), { ...request, query: { size: 0 } }),
        workspace.client.request(method.toUpperCase(), fill(known), { headers: { 'X-Signature': 'x' } }),
        workspace.client.request(method.toUpperCase(), fill(known), { headers: { 'X-Api-Key': 'unknown' } }),
        workspace.client.request(method.toUpperCase(), fill(known), { body: 'x'.repeat(70_000) }),
        workspace.client.request(method.toUpperCase(), fill(known), {
          body: '{}',
          headers: { 'Content-Type': 'text/plain' },
        }),
      ];
      const answers = await Promise.all(asked);
      for (const { status, envelope } of answers) expectDescribed(template, method, status, envelope);
      const isList = parameters.some(({ name }) => name === 'size');
      expect(answers.map(({ status }) => status).slice(2)).toEqual([isList ? 400 : 200, 401, 401, 413, 415]);
    }
  });

  it('follows each rule of a create', async () => {
    const template = '/api/v1/transfer/command/create';
    const [alice, frozen, euro] = [
      await workspace.wallet(),
      await workspace.wallet(),
      await workspace.wallet('0', 'EUR'),
    ];
    await service.admin('wallet', 'freeze', '--wallet', frozen);
    const good = { sourceWalletId: alice, targetWalletId: euro, amount: '1', currency: 'USD', bizId: 'once' };
    const bodies: [object | string, string][] = [
      [good, 'TR4222'],
      [{ ...good, targetWalletId: alice }, 'TR4221'],
      [{ ...good, targetWalletId: frozen }, 'WA4221'],
      [{ ...good, targetWalletId: 'wa_unknown' }, 'WA4041'],
      [{ ...good, amount: '0' }, 'RQ4001'],
      ['{', 'RQ4002'],
    ];
    for (const [body, code] of bodies) {
      const answer = await workspace.client.request('POST', template, { body });
      expect(answer.envelope?.code).toBe(code);
      expectDescribed(template, 'POST', answer.status, answer.envelope);
    }
  });
});

describe('the page', () => {
  it.each([
    ['/docs', 'text/html'],
    ['/docs/page.css', 'text/css'],
    ['/docs/page.js', 'text/javascript'],
    ['/docs/sign.js', 'text/javascript'],
    ['/openapi.json', 'application/json'],
  ])('%s is served without a signature, and loads nothing from elsewhere', async (path, type) => {
    const response = await fetch(`${service.baseUrl}${path}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(await response.text()).not.toMatch(/https?:\/\/(?!localhost)/);
  });

  it.each(['/', '/docs/', '/docs/x', '/openapi', '/__proto__', '/docs/../src/main.ts'])(
    '%s is not there',
    async (path) => {
      const response = await fetch(`${service.baseUrl}${path}`);
      expect(response.status).toBe(404);
    },
  );
});
