import { z } from 'zod';

export type JsonObject = Record<string, unknown>;

/** Which side of a schema is described: what is sent to the service, or what it answers. */
type Side = 'input' | 'output';

/** Turns zod's schemas into those of an OpenAPI document, and collects the named ones as its components. */
export class Schemas {
  readonly components: Record<string, JsonObject> = {};

  /** @returns the schema; of one that has a name (`id` in its metadata) a reference to its component. */
  describe(schema: z.ZodType, side: Side): JsonObject {
    // Zod makes a component only of a schema that is inside another one, so this one is put inside an object.
    const outer = z.toJSONSchema(z.object({ described: schema }), { io: side, override: keepExamples });
    const { properties, $defs = {} } = placed(outer, side) as { properties: JsonObject; $defs?: Schemas['components'] };
    Object.assign(this.components, $defs);
    return properties['described'] as JsonObject;
  }
}

/** Zod leaves out the examples of what has a part that it transforms. */
function keepExamples({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonObject }): void {
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples !== undefined && jsonSchema['$ref'] === undefined) jsonSchema['examples'] = examples;
}

/**
 * References lead to the document's components. Answers are open: a client ignores what it does not know. What a `date-time`
 * is, its format says; the pattern that zod adds would only be long.
 * Source: docs/contract.md, "Envelope".
 */
function placed(schema: object, side: Side): unknown {
  return JSON.parse(JSON.stringify(schema), function (this: JsonObject, key, value: unknown) {
    if (key === '$ref' && typeof value === 'string') return value.replace('#/$defs/', '#/components/schemas/');
    if (key === 'pattern' && this['format'] === 'date-time') return undefined;
    return side === 'output' && key === 'additionalProperties' && value === false ? undefined : value;
  });
}
