import { readFileSync } from 'node:fs';
import { apiDescription } from './api-description.ts';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: { readonly examples?: readonly string[] };
}

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly [string];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: { $ref: string } } } };
}

interface Description {
  readonly info: { readonly title: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly examples?: readonly object[] }>> };
}

const format = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const settings = { baseUrl: 'http://127.0.0.1:3000', apiKey: '', apiSecret: '' };

/**
 * docs/postman-collection.json: every operation of the OpenAPI document, with a script that signs. Written here, for the
 * converters make ids and values anew at each run, and know nothing of the signing.
 */
export function postmanCollection(): object {
  const { info, paths, components } = apiDescription() as unknown as Description;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0]);
  const item = [...byTag].map(([name, of]) => ({
    name,
    item: of.map(({ path, method, operation }) => ({
      name: operation.summary,
      request: {
        method,
        url: urlOf(path, operation),
        ...bodyOf(operation, components),
        description: operation.description,
      },
    })),
  }));
  const names = [...new Set(JSON.stringify(item).match(/(?<=\{\{)\w+(?=\}\})/g))].filter((name) => name !== 'baseUrl');
  const values: Record<string, string> = { ...settings, ...Object.fromEntries(names.map((name) => [name, ''])) };
  const script = readFileSync(new URL('postman-script.js', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return {
    info: { name: info.title, description: info.description, schema: format },
    variable: Object.entries(values).map(([key, value]) => ({ key, value })),
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: script } }],
    item,
  };
}

function urlOf(template: string, { parameters }: Operation): object {
  const path = template.replaceAll(/(\w+)s?\/\{(\w+)\}/g, (_, owner: string, name: string) => {
    const variable = name === 'id' ? `${owner.replace(/s$/, '')}Id` : name;
    return `${owner}/{{${variable}}}`;
  });
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, description = '', schema }) => {
      const [value] = schema?.examples ?? [];
      return { key: name, value: value ?? '', description, disabled: value === undefined };
    });
  // What has an example is asked for.
  const asked = query.flatMap(({ key, value, disabled }) => (disabled ? [] : `${key}=${value}`)).join('&');
  return {
    raw: `{{baseUrl}}${path}${asked === '' ? '' : `?${asked}`}`,
    host: ['{{baseUrl}}'],
    path: path.slice(1).split('/'),
    query,
  };
}

/** The schema's example; what names a wallet or an order is a variable, and an id of the client's own is new each time. */
function bodyOf({ requestBody }: Operation, { schemas }: Description['components']): object {
  if (requestBody === undefined) return {};
  const name = requestBody.content['application/json'].schema.$ref.replace(/.*\//, '');
  const variable = (field: string, value: unknown): unknown => {
    if (field.endsWith('WalletId') || field === 'transferId') return `{{${field}}}`;
    return field === 'bizId' ? '{{$guid}}' : value;
  };
  const raw = JSON.stringify(schemas[name]?.examples?.[0] ?? {}, variable, 2);
  const header = [{ key: 'Content-Type', value: 'application/json' }];
  return { header, body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } };
}
