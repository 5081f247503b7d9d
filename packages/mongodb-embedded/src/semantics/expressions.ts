import { isZero } from './exact.ts';
import { arithmeticOperators } from './expression-arithmetic.ts';
import { arrayOperators, specialArrayOperators } from './expression-arrays.ts';
import { conversionOperators, specialConversionOperators } from './expression-conversion.ts';
import { specialDateOperators } from './expression-dates.ts';
import { compileLogic, comparisonOperators } from './expression-logic.ts';
import { powerOperators } from './expression-powers.ts';
import { specialStringOperators, stringOperators } from './expression-strings.ts';
import { fail, type Expression, type PlainOperator, type SpecialOperator } from './expression-types.ts';
import { exactOf } from './numbers.ts';
import { fieldOf } from './path.ts';
import { asDocument, isDocument, isNumeric, type Document, type Value } from './values.ts';

export type { Expression, Variables } from './expression-types.ts';

/**
 * Compiles an aggregation expression: field paths, variables, documents and arrays of expressions, operators. Throws
 * 168 for unknown operators, 16020 for a wrong number of arguments; evaluation throws the codes of each operator.
 * Source: manual, "Aggregation Pipeline Operators" (recordings: aggregate).
 */
export function compileExpression(specification: Value): Expression {
  if (typeof specification === 'string' && specification.startsWith('$')) return compilePath(specification);
  if (Array.isArray(specification)) {
    const elements = specification.map(compileExpression);
    return (root, variables) => elements.map((evaluate) => evaluate(root, variables) ?? null);
  }
  if (!isDocument(specification)) return () => specification;
  const [name] = Object.keys(specification);
  return name?.startsWith('$') ? compileOperator(name, specification) : compileDocument(specification);
}

/** Whether a value counts as true: all but false, null, missing and zero. */
export function isTrue(value: Value): boolean {
  if (value === null || value === undefined || value === false) return false;
  return !isNumeric(value) || !isZero(exactOf(value));
}

/** The value at a path of an expression: through an array it gives the array of what its documents have there. */
function valueAt(value: Value, parts: string[]): Value {
  const [part, ...rest] = parts;
  if (part === undefined) return value;
  if (Array.isArray(value)) {
    return value.flatMap((element) => {
      const found = asDocument(element) === undefined ? undefined : valueAt(element, parts);
      return found === undefined ? [] : [found];
    });
  }
  return valueAt(fieldOf(value, part), rest);
}

const plainOperators: Readonly<Record<string, PlainOperator | undefined>> = {
  ...arithmeticOperators,
  ...powerOperators,
  ...comparisonOperators,
  ...arrayOperators,
  ...conversionOperators,
  ...stringOperators,
};

const specialOperators: Readonly<Record<string, SpecialOperator | undefined>> = {
  ...compileLogic(isTrue),
  ...specialArrayOperators(isTrue),
  ...specialConversionOperators,
  ...specialDateOperators,
  ...specialStringOperators,
};

function compilePath(path: string): Expression {
  if (path === '$') fail(16872, "'$' by itself is not a valid FieldPath");
  const parts = path.replace(/^\$\$?/, '').split('.');
  if (parts.includes('')) fail(15998, 'FieldPath field names may not be empty strings.');
  if (!path.startsWith('$$')) return (root) => valueAt(root, parts);
  const [name = '', ...rest] = parts;
  if (name === 'REMOVE') return () => undefined;
  if (name === 'ROOT' || name === 'CURRENT') {
    return (root, variables) => valueAt(name in variables ? variables[name] : root, rest);
  }
  return (_root, variables) => {
    if (!(name in variables)) fail(17276, `Use of undefined variable: ${name}`);
    return valueAt(variables[name], rest);
  };
}

function compileDocument(specification: Document): Expression {
  const fields = Object.entries(specification).map(([field, value]) => {
    if (field.startsWith('$')) fail(168, `Unrecognized expression '${field}'`);
    if (field.includes('.')) fail(16412, `FieldPath field names may not contain '.': ${field}`);
    return [field, compileExpression(value)] as const;
  });
  return (root, variables) => {
    const result: Document = {};
    for (const [field, evaluate] of fields) {
      const value = evaluate(root, variables);
      if (value !== undefined) result[field] = value;
    }
    return result;
  };
}

function compileOperator(name: string, specification: Document): Expression {
  const count = Object.keys(specification).length;
  if (count !== 1) fail(15983, `an expression specification must contain exactly one field, found ${count}`);
  const argument = specification[name];
  const special = specialOperators[name];
  if (special !== undefined) return special(argument, compileExpression);
  const operator = plainOperators[name];
  if (operator === undefined) return fail(168, `Unrecognized expression '${name}'`);
  const compiled = (Array.isArray(argument) ? argument : [argument]).map(compileExpression);
  if (compiled.length < operator.least || compiled.length > operator.most) {
    fail(16020, `Expression ${name} takes exactly ${operator.least} arguments. ${compiled.length} were passed in.`);
  }
  return (root, variables) => operator.apply(compiled.map((evaluate) => evaluate(root, variables)));
}
