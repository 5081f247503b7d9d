import { Int32 } from 'bson';
import { compareValues } from './compare.ts';
import {
  fail,
  fixed,
  isNullish,
  type Expression,
  type PlainOperators,
  type SpecialOperator,
} from './expression-types.ts';
import { isDocument, typeName, type Document, type Value } from './values.ts';

/** Comparison over all types, missing below null. Source: manual, "Comparison Expression Operators". */
export const comparisonOperators: PlainOperators = {
  $eq: fixed(2, (left, right) => compareValues(left, right) === 0),
  $ne: fixed(2, (left, right) => compareValues(left, right) !== 0),
  $gt: fixed(2, (left, right) => compareValues(left, right) > 0),
  $gte: fixed(2, (left, right) => compareValues(left, right) >= 0),
  $lt: fixed(2, (left, right) => compareValues(left, right) < 0),
  $lte: fixed(2, (left, right) => compareValues(left, right) <= 0),
  $cmp: fixed(2, (left, right) => new Int32(compareValues(left, right))),
};

/** Boolean, conditional and variable operators, which evaluate only what they need. */
export function compileLogic(isTrue: (value: Value) => boolean): Readonly<Record<string, SpecialOperator>> {
  return {
    $and: (argument, compile) => {
      const parts = listOf(argument).map(compile);
      return (root, variables) => parts.every((part) => isTrue(part(root, variables)));
    },
    $or: (argument, compile) => {
      const parts = listOf(argument).map(compile);
      return (root, variables) => parts.some((part) => isTrue(part(root, variables)));
    },
    $not: (argument, compile) => {
      const [part = missing] = compileList('$not', argument, 1, compile);
      return (root, variables) => !isTrue(part(root, variables));
    },
    $cond: (argument, compile) => {
      const [test = missing, then = missing, otherwise = missing] = isDocument(argument)
        ? condParts(argument).map(compile)
        : compileList('$cond', argument, 3, compile);
      return (root, variables) => (isTrue(test(root, variables)) ? then : otherwise)(root, variables);
    },
    $ifNull: (argument, compile) => {
      const [value = missing, replacement = missing] = compileList('$ifNull', argument, 2, compile);
      return (root, variables) => {
        const found = value(root, variables);
        return isNullish(found) ? replacement(root, variables) : found;
      };
    },
    $switch: (argument, compile) => compileSwitch(argument, compile, isTrue),
    $literal: (argument) => () => argument,
    $let: (argument, compile) => {
      const { vars, in: body } = namedArguments('$let', argument, { vars: 16876, in: 16877 }, 16875);
      if (!isDocument(vars)) fail(16874, 'invalid parameter: expected an object (vars)');
      const bindings = Object.entries(vars).map(([name, value]) => [name, compile(value)] as const);
      const evaluate = compile(body);
      return (root, variables) => {
        const bound = bindings.map(([name, value]) => [name, value(root, variables)] as const);
        return evaluate(root, { ...variables, ...Object.fromEntries(bound) });
      };
    },
  };
}

/** The named arguments of an operator. Throws the given codes for missing ones, `unknown` for others. */
export function namedArguments<Name extends string>(
  operator: string,
  argument: Value,
  required: Record<Name, number>,
  unknown: number,
  optional: string[] = [],
): Record<Name, Value> & Document {
  if (!isDocument(argument)) {
    return fail(unknown, `${operator} only supports an object as its argument, not ${typeName(argument)}`);
  }
  for (const name of Object.keys(argument)) {
    if (!(name in required) && !optional.includes(name))
      fail(unknown, `Unrecognized parameter to ${operator}: ${name}`);
  }
  for (const [name, code] of Object.entries<number>(required)) {
    if (!(name in argument)) fail(code, `Missing '${name}' parameter to ${operator}`);
  }
  return argument as Record<Name, Value> & Document;
}

type Compile = (specification: Value) => Expression;

const missing: Expression = () => undefined;

function compileList(name: string, argument: Value, count: number, compile: Compile): Expression[] {
  const parts = listOf(argument);
  if (parts.length !== count) {
    fail(16020, `Expression ${name} takes exactly ${count} arguments. ${parts.length} were passed in.`);
  }
  return parts.map(compile);
}

function listOf(argument: Value): Value[] {
  return Array.isArray(argument) ? argument : [argument];
}

function condParts(argument: Document): Value[] {
  const named = namedArguments('$cond', argument, { if: 17080, then: 17081, else: 17082 }, 17083);
  return [named.if, named.then, named.else];
}

function compileSwitch(argument: Value, compile: Compile, isTrue: (value: Value) => boolean): Expression {
  const named = namedArguments('$switch', argument, { branches: 40068 }, 40067, ['default']);
  if (!Array.isArray(named.branches)) return fail(40061, '$switch expected an array for branches');
  const branches = named.branches.map((branch) => {
    const parts = namedArguments('$switch', branch, { case: 40064, then: 40065 }, 40063);
    return { test: compile(parts.case), then: compile(parts.then) };
  });
  const otherwise = 'default' in named ? compile(named['default']) : undefined;
  return (root, variables) => {
    const hit = branches.find(({ test }) => isTrue(test(root, variables)))?.then ?? otherwise;
    if (hit === undefined) return fail(40066, '$switch could not find a matching branch and has no default');
    return hit(root, variables);
  };
}
