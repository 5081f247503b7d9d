import { CommandError } from '../errors.ts';
import { compareStrings, compareValues, keyText, textOf } from './compare.ts';
import type { Matcher, MatchOptions, PathMatcher } from './match-types.ts';
import { exactOf, integerOf } from './numbers.ts';
import { toBigInt, isZero } from './exact.ts';
import { anyAtPath } from './path.ts';
import { compileRegex } from './regex.ts';
import { compileTypeTest } from './type-names.ts';
import { asDocument, isBson, isDocument, isNumeric, rank, rankOf, type Document, type Value } from './values.ts';

/** All operators of one condition such as `{ $gt: 1, $lt: 5 }`. Throws 2 (BadValue) for unknown ones. */
export function compileOperators(condition: Document, options: MatchOptions, compile: CompileFilter): PathMatcher {
  const matchers = Object.entries(condition).map(([operator, argument]) =>
    compileOperator(operator, argument, condition, options, compile),
  );
  return all(matchers);
}

/** Compiles a whole filter; handed in, since a filter is made of conditions and these of filters. */
export type CompileFilter = (filter: Document, options: MatchOptions) => Matcher;

/** True when a document is a set of operators and not a value to compare with: its first field says. */
export function isOperators(condition: Document): boolean {
  return Object.keys(condition)[0]?.startsWith('$') ?? false;
}

/** Every matcher holds; none at all holds too. */
export function all<Arguments extends unknown[]>(
  matchers: ((...given: Arguments) => boolean)[],
): (...given: Arguments) => boolean {
  const [only] = matchers;
  if (only !== undefined && matchers.length === 1) return only;
  return (...given) => matchers.every((matches) => matches(...given));
}

/** Equality as queries mean it: numbers by value, null also for missing fields, arrays whole or by element. */
export function equals(expected: Value, options: MatchOptions): PathMatcher {
  if (expected === undefined) throw new CommandError(2, 'cannot compare to undefined');
  return leaf(equalTest(expected, options));
}

/** A regular expression on strings; it also equals itself. */
export function matchesRegex(pattern: string, flags: string): PathMatcher {
  return leaf(regexTest(pattern, flags));
}

type Test = (value: Value) => boolean;

function compileOperator(
  operator: string,
  argument: Value,
  condition: Document,
  options: MatchOptions,
  compile: CompileFilter,
): PathMatcher {
  switch (operator) {
    case '$eq':
      return equals(argument, options);
    case '$ne':
      if (isBson(argument, 'BSONRegExp')) throw new CommandError(2, "Can't have regex as arg to $ne.");
      return not(equals(argument, options));
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return leaf(rangeTest(operator, argument, options));
    case '$in':
      return leaf(inTest(operator, argument, options));
    case '$nin':
      return not(leaf(inTest(operator, argument, options)));
    case '$not':
      return not(compileNot(argument, options, compile));
    case '$exists':
      return exists(argument) ? leaf(isPresent, false) : not(leaf(isPresent, false));
    case '$type':
      return leaf(compileTypeTest(argument));
    case '$regex':
      return compileRegexOperator(argument, condition['$options']);
    case '$options':
      if (!('$regex' in condition)) throw new CommandError(2, '$options needs a $regex');
      return all([]);
    case '$mod':
      return leaf(modTest(argument));
    case '$size':
      return leaf(sizeTest(argument), false);
    case '$all':
      return compileAll(argument, options, compile);
    case '$elemMatch':
      return compileElemMatch(argument, options, compile);
    default:
      throw new CommandError(2, `unknown operator: ${operator}`);
  }
}

function leaf(test: Test, expandLast = true): PathMatcher {
  return (value, parts, inElement, details) =>
    anyAtPath(value, parts, expandLast && !inElement, (found, outer) => {
      if (!test(found)) return false;
      if (details !== undefined && outer !== undefined) details.position = outer;
      return true;
    });
}

function not(matches: PathMatcher): PathMatcher {
  return (value, parts, inElement) => !matches(value, parts, inElement);
}

function isPresent(value: Value): boolean {
  return value !== undefined;
}

function exists(argument: Value): boolean {
  if (argument === null || argument === undefined || argument === false) return false;
  return !isNumeric(argument) || !isZero(exactOf(argument));
}

function equalTest(expected: Value, { stringOrder }: MatchOptions): Test {
  if (expected === null) return (value) => value === null || value === undefined;
  return (value) => value !== undefined && compareValues(value, expected, stringOrder) === 0;
}

/** Ranges stay inside the type of their bound; MinKey and MaxKey bound all types, NaN only itself. */
function rangeTest(operator: '$gt' | '$gte' | '$lt' | '$lte', bound: Value, options: MatchOptions): Test {
  if (bound === undefined) throw new CommandError(2, 'cannot compare to undefined');
  if (isBson(bound, 'BSONRegExp')) throw new CommandError(2, `Can't have RegEx as arg to predicate over field.`);
  const orEqual = operator.endsWith('e');
  if (bound === null) return orEqual ? (value) => value === null || value === undefined : () => false;
  const up = operator.startsWith('$g');
  const bracket = rankOf(bound);
  const anyType = bracket === rank.minKey || bracket === rank.maxKey;
  return (value) => {
    if (!anyType && rankOf(value) !== bracket) return false;
    const order = compareValues(value, bound, options.stringOrder);
    if (order === 0) return orEqual;
    return order > 0 === up && (anyType || (!isNaN(value) && !isNaN(bound)));
  };
}

function isNaN(value: Value): boolean {
  return isNumeric(value) && exactOf(value).kind === 'nan';
}

function inTest(operator: string, argument: Value, options: MatchOptions): Test {
  if (!Array.isArray(argument)) throw new CommandError(2, `${operator} needs an array`);
  for (const element of argument) {
    if (isDocument(element) && isOperators(element)) throw new CommandError(2, 'cannot nest $ under $in');
  }
  const tests = argument.flatMap((element) => {
    if (isBson(element, 'BSONRegExp')) return [regexTest(element.pattern, element.options)];
    return options.stringOrder === undefined ? [] : [equalTest(element, options)];
  });
  // Lists are long where one command asks for a group of documents, so equality is looked up and not searched.
  const keys = new Set(options.stringOrder === undefined ? argument.map(keyText) : []);
  const hasNull = argument.includes(null);
  return (value) => {
    if (value === undefined) return hasNull;
    return keys.has(keyText(value)) || tests.some((test) => test(value));
  };
}

function regexTest(pattern: string, flags: string): Test {
  const regex = compileRegex(pattern, flags);
  return (value) => {
    if (rankOf(value) === rank.string) return regex.test(textOf(value));
    return isBson(value, 'BSONRegExp') && value.pattern === pattern && compareStrings(value.options, flags) === 0;
  };
}

function compileRegexOperator(argument: Value, flags: Value): PathMatcher {
  if (flags !== undefined && typeof flags !== 'string') throw new CommandError(2, '$options has to be a string');
  if (typeof argument === 'string') return matchesRegex(argument, flags ?? '');
  if (isBson(argument, 'BSONRegExp')) return matchesRegex(argument.pattern, flags ?? argument.options);
  throw new CommandError(2, '$regex has to be a string');
}

function compileNot(argument: Value, options: MatchOptions, compile: CompileFilter): PathMatcher {
  if (isBson(argument, 'BSONRegExp')) return matchesRegex(argument.pattern, argument.options);
  if (!isDocument(argument)) throw new CommandError(2, '$not needs a regex or a document');
  if (Object.keys(argument).length === 0) throw new CommandError(2, '$not cannot be empty');
  return compileOperators(argument, options, compile);
}

function modTest(argument: Value): Test {
  if (!Array.isArray(argument)) throw new CommandError(2, 'malformed mod, needs to be an array');
  if (argument.length < 2) throw new CommandError(2, 'malformed mod, not enough elements');
  if (argument.length > 2) throw new CommandError(2, 'malformed mod, too many elements');
  const [divisor, rest] = argument.map(wholeOf);
  if (divisor === undefined) throw new CommandError(2, 'malformed mod, divisor not a number');
  if (divisor === 0n) throw new CommandError(2, 'divisor cannot be 0');
  return (value) => {
    const whole = wholeOf(value);
    return whole !== undefined && whole % divisor === (rest ?? 0n);
  };
}

function wholeOf(value: Value): bigint | undefined {
  return isNumeric(value) ? toBigInt(exactOf(value)) : undefined;
}

function sizeTest(argument: Value): Test {
  if (!isNumeric(argument)) throw new CommandError(2, '$size needs a number');
  const size = integerOf(argument);
  if (size === undefined) throw new CommandError(2, '$size must be a whole number');
  if (size < 0) throw new CommandError(2, '$size may not be negative');
  return (value) => Array.isArray(value) && value.length === size;
}

function compileAll(argument: Value, options: MatchOptions, compile: CompileFilter): PathMatcher {
  if (!Array.isArray(argument)) throw new CommandError(2, '$all needs an array');
  if (argument.length === 0) return () => false;
  const first = argument[0];
  const elemMatches = isDocument(first) && '$elemMatch' in first;
  return all(
    argument.map((element) => {
      const isElemMatch = isDocument(element) && '$elemMatch' in element;
      if (isElemMatch !== elemMatches) throw new CommandError(2, '$all/$elemMatch has to be consistent');
      if (isElemMatch) return compileElemMatch(element['$elemMatch'], options, compile);
      if (isDocument(element) && isOperators(element)) throw new CommandError(2, 'no $ expressions in $all');
      if (isBson(element, 'BSONRegExp')) return matchesRegex(element.pattern, element.options);
      return equals(element, options);
    }),
  );
}

/** One element of an array meets all conditions: as a document, or as a value when these are operators. */
function compileElemMatch(argument: Value, options: MatchOptions, compile: CompileFilter): PathMatcher {
  if (!isDocument(argument)) throw new CommandError(2, '$elemMatch needs an Object');
  const byValue = isOperators(argument) && !['$and', '$or', '$nor'].includes(Object.keys(argument)[0] ?? '');
  const matchValue = byValue ? compileOperators(argument, options, compile) : undefined;
  const matchDocument = byValue ? undefined : compile(argument, options);
  const matchesElement = (element: Value): boolean => {
    if (matchValue !== undefined) return matchValue(element, [], true);
    const inside = Array.isArray(element) ? element : asDocument(element);
    return inside !== undefined && (matchDocument?.(inside) ?? false);
  };
  return (value, parts, _inElement, details) =>
    anyAtPath(value, parts, false, (found, outer) => {
      if (!Array.isArray(found)) return false;
      const position = found.findIndex(matchesElement);
      if (position >= 0 && details !== undefined) details.position = outer ?? position;
      return position >= 0;
    });
}
