import { CommandError } from '../errors.ts';
import { compareValues, textOf } from './compare.ts';
import { exactOf, integerOf, plainNumber } from './numbers.ts';
import { compareExact } from './exact.ts';
import { compileRegex } from './regex.ts';
import { compileTypeTest } from './type-names.ts';
import { asDocument, isDocument, isNumeric, rank, rankOf, type Document, type Value } from './values.ts';

/**
 * Compiles `$jsonSchema` as validators use it. Throws 9 (FailedToParse) for unknown keywords, 14 (TypeMismatch) for
 * arguments of a wrong type. Source: manual, "$jsonSchema"; `dependencies` and `patternProperties` are not known.
 */
export function compileJsonSchema(schema: Document): (value: Value) => boolean {
  const tests = Object.entries(schema).flatMap(([keyword, argument]) => {
    if (['title', 'description', 'exclusiveMinimum'].includes(keyword)) return [];
    const compile = keywords[keyword];
    if (compile === undefined) throw new CommandError(9, `Unknown $jsonSchema keyword: ${keyword}`);
    return [compile(argument, schema)];
  });
  return allOf(tests);
}

type Test = (value: Value) => boolean;

const jsonTypes: Record<string, string[]> = {
  object: ['object'],
  array: ['array'],
  number: ['number'],
  boolean: ['bool'],
  string: ['string'],
  null: ['null'],
};

// A keyword says nothing about values of types other than its own.
const keywords: Record<string, ((argument: Value, schema: Document) => Test) | undefined> = {
  bsonType: (argument) => compileTypeTest(argument),
  type: (argument) => compileTypeTest((Array.isArray(argument) ? argument : [argument]).flatMap(jsonType)),
  enum: (argument) => {
    const allowed = listOf('enum', argument);
    const texts = new Set(allowed.filter((choice) => rankOf(choice) === rank.string).map(textOf));
    return (value) =>
      typeof value === 'string' ? texts.has(value) : allowed.some((choice) => compareValues(choice, value) === 0);
  },
  required: (argument) => {
    const fields = listOf('required', argument).map((field) => textArgument('required', field));
    return onDocuments((document) => {
      for (const field of fields) if (!Object.hasOwn(document, field)) return false;
      return true;
    });
  },
  properties: (argument) => {
    const tests = Object.entries(schemaOf('properties', argument)).map(
      ([field, schema]) => [field, compileJsonSchema(schemaOf(field, schema))] as const,
    );
    return onDocuments((document) => {
      for (const [field, test] of tests) if (Object.hasOwn(document, field) && !test(document[field])) return false;
      return true;
    });
  },
  additionalProperties: (argument, schema) => {
    const known = new Set(Object.keys(asDocument(schema['properties']) ?? {}));
    const test = typeof argument === 'boolean' ? () => argument : compileJsonSchema(schemaOf('additional', argument));
    return onDocuments((document) =>
      Object.entries(document).every(([field, value]) => known.has(field) || test(value)),
    );
  },
  minimum: (argument, schema) => limit('minimum', argument, 1, schema['exclusiveMinimum'] === true),
  maximum: (argument) => limit('maximum', argument, -1, false),
  minLength: (argument) => atLeast('minLength', argument, textLength),
  maxLength: (argument) => atMost('maxLength', argument, textLength),
  pattern: (argument) => {
    const regex = compileRegex(textArgument('pattern', argument), '');
    return (value) => typeof value !== 'string' || regex.test(value);
  },
  maxItems: (argument) => atMost('maxItems', argument, itemCount),
  items: (argument) => {
    const schemas = (Array.isArray(argument) ? argument : [argument]).map((one) =>
      compileJsonSchema(schemaOf('items', one)),
    );
    if (!Array.isArray(argument)) return (value) => !Array.isArray(value) || value.every((item) => schemas[0]?.(item));
    return (value) => !Array.isArray(value) || value.every((item, index) => schemas[index]?.(item) ?? true);
  },
  allOf: (argument) => combine('allOf', argument, (tests, value) => tests.every((test) => test(value))),
  anyOf: (argument) => combine('anyOf', argument, (tests, value) => tests.some((test) => test(value))),
  oneOf: (argument) => combine('oneOf', argument, (tests, value) => tests.filter((test) => test(value)).length === 1),
  not: (argument) => {
    const test = compileJsonSchema(schemaOf('not', argument));
    return (value) => !test(value);
  },
};

/** Validators run for every document that is written, so their tests are plain loops over what was compiled. */
function allOf(tests: readonly Test[]): Test {
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return only;
  return (value) => {
    for (const test of tests) if (!test(value)) return false;
    return true;
  };
}

function jsonType(name: Value): string[] {
  const types = jsonTypes[textArgument('type', name)];
  if (types === undefined) throw new CommandError(2, 'Unknown type name alias in $jsonSchema type');
  return types;
}

function onDocuments(test: (document: Document) => boolean): Test {
  return (value) => {
    const document = asDocument(value);
    return document === undefined || test(document);
  };
}

function combine(keyword: string, argument: Value, decide: (tests: Test[], value: Value) => boolean): Test {
  const tests = listOf(keyword, argument).map((schema) => compileJsonSchema(schemaOf(keyword, schema)));
  return (value) => decide(tests, value);
}

function limit(keyword: string, argument: Value, sign: 1 | -1, exclusive: boolean): Test {
  const bound = numberArgument(keyword, argument);
  const [plainBound, exactBound] = [plainNumber(bound), exactOf(bound)];
  const least = exclusive ? 1 : 0;
  return (value) => {
    if (!isNumeric(value)) return true;
    const plain = plainBound === undefined ? undefined : plainNumber(value);
    if (plain === undefined || plainBound === undefined)
      return compareExact(exactOf(value), exactBound) * sign >= least;
    return exclusive ? plain * sign > plainBound * sign : plain * sign >= plainBound * sign;
  };
}

function atLeast(keyword: string, argument: Value, measure: (value: Value) => number | undefined): Test {
  const least = integerOf(numberArgument(keyword, argument)) ?? 0;
  return (value) => (measure(value) ?? least) >= least;
}

function atMost(keyword: string, argument: Value, measure: (value: Value) => number | undefined): Test {
  const most = integerOf(numberArgument(keyword, argument)) ?? 0;
  return (value) => (measure(value) ?? most) <= most;
}

function textLength(value: Value): number | undefined {
  return typeof value === 'string' ? Array.from(value).length : undefined;
}

function itemCount(value: Value): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function schemaOf(keyword: string, argument: Value): Document {
  if (isDocument(argument)) return argument;
  throw new CommandError(14, `$jsonSchema keyword '${keyword}' must be an object`);
}

function listOf(keyword: string, argument: Value): Value[] {
  if (Array.isArray(argument) && argument.length > 0) return argument;
  throw new CommandError(14, `$jsonSchema keyword '${keyword}' must be a nonempty array`);
}

function numberArgument(keyword: string, argument: Value) {
  if (isNumeric(argument)) return argument;
  throw new CommandError(14, `$jsonSchema keyword '${keyword}' must be a number`);
}

function textArgument(keyword: string, argument: Value): string {
  if (typeof argument === 'string') return argument;
  throw new CommandError(14, `$jsonSchema keyword '${keyword}' must be a string`);
}
