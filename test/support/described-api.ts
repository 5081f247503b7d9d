import { apiDescription } from '../../script/docs/api-description.ts';

// The description of the API as tests read it: what they look at, and no more.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly object[];
}

interface Body {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

/** Or a reference to one. */
export interface Response extends Body {
  readonly $ref?: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Required<Operation> }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, { readonly name: string }>>;
  };
}

export const description = apiDescription() as unknown as Description;

/** Each with its path and its method, in lower case. */
export const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
);

/** What a reference to a component leads to; otherwise the schema itself. */
export function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : description.components.schemas[schema.$ref.split('/').at(-1) ?? '']!;
}

/** What an operation takes as its body. */
export function bodyOf({ requestBody }: Operation): Schema | undefined {
  return requestBody && resolved(requestBody.content['application/json'].schema);
}

/** Each form that the body of an operation may have. */
export function formsOf(operation: Operation): readonly Schema[] {
  const body = bodyOf(operation);
  return body?.anyOf?.map(resolved) ?? [body ?? []].flat();
}
