import { CommandError } from '../errors.ts';
import { compareValues, identical } from './compare.ts';
import { compileCondition, compileMatch } from './match.ts';
import { isOperators } from './match-operators.ts';
import { integerOf } from './numbers.ts';
import { compileSort } from './sort.ts';
import { refuseDollarFields, type Change } from './update-paths.ts';
import { asDocument, isDocument, isNumeric, typeName, type Document, type Value } from './values.ts';

/** `$push`: appends a value, or `$each` of a list, then sorts and cuts. Throws 2 for a field that is no array. */
export function push(path: string, argument: Value): Change {
  const modifiers = isDocument(argument) && '$each' in argument ? argument : undefined;
  const added = modifiers === undefined ? [argument] : eachOf('$push', modifiers['$each']);
  added.forEach((value) => {
    refuseDollarFields(value, path);
  });
  const { position, slice, compare } = parseModifiers(modifiers ?? {});
  return (current) => {
    const array = arrayOf(current, () => `The field '${path}' must be an array but is of type ${typeName(current)}`);
    let next = [...array];
    next.splice(position ?? next.length, 0, ...added);
    if (compare !== undefined) next.sort(compare);
    if (slice !== undefined) next = slice < 0 ? next.slice(slice) : next.slice(0, slice);
    return current !== undefined && identical(next, array) ? current : next;
  };
}

/** `$addToSet`: appends values that the array does not hold yet. Throws 2 for a field that is no array. */
export function addToSet(path: string, argument: Value): Change {
  const each = isDocument(argument) && Object.keys(argument)[0] === '$each' ? argument : undefined;
  if (each !== undefined && Object.keys(each).length > 1) {
    throw new CommandError(2, `Found unexpected fields after $each in $addToSet on '${path}'`);
  }
  const added = each === undefined ? [argument] : eachOf('$addToSet', each['$each']);
  added.forEach((value) => {
    refuseDollarFields(value, path);
  });
  return (current) => {
    const array = arrayOf(current, () => `Cannot apply $addToSet to non-array field. Field named '${path}'`);
    const next = [...array];
    for (const value of added) if (!next.some((known) => compareValues(known, value) === 0)) next.push(value);
    return current !== undefined && next.length === array.length ? current : next;
  };
}

/** `$pull`: removes elements equal to a value or meeting a condition. Throws 2 for a field that is no array. */
export function pull(argument: Value): Change {
  return removing('$pull', pullTest(argument));
}

/** `$pullAll`: removes elements equal to one of a list. Throws 2 for a field that is no array. */
export function pullAll(argument: Value): Change {
  if (!Array.isArray(argument)) {
    throw new CommandError(2, `$pullAll requires an array argument but was given a ${typeName(argument)}`);
  }
  return removing('$pullAll', (element) => argument.some((value) => compareValues(value, element) === 0));
}

/** `$pop`: removes the last element (1) or the first (-1). Throws 9 for other arguments, 14 when it is no array. */
export function pop(path: string, argument: Value): Change {
  const end = isNumeric(argument) ? integerOf(argument) : undefined;
  if (end !== 1 && end !== -1) throw new CommandError(9, `$pop expects 1 or -1, found: ${end ?? typeName(argument)}`);
  return (current) => {
    if (current === undefined) return current;
    if (!Array.isArray(current)) {
      throw new CommandError(14, `Path '${path}' contains an element of non-array type '${typeName(current)}'`);
    }
    if (current.length === 0) return current;
    return end === 1 ? current.slice(0, -1) : current.slice(1);
  };
}

interface Modifiers {
  position: number | undefined;
  slice: number | undefined;
  compare: ((left: Value, right: Value) => number) | undefined;
}

function parseModifiers(modifiers: Document): Modifiers {
  for (const name of Object.keys(modifiers)) {
    if (!['$each', '$slice', '$sort', '$position'].includes(name)) {
      throw new CommandError(2, `Unrecognized clause in $push: ${name}`);
    }
  }
  return {
    position: wholeModifier(modifiers, '$position'),
    slice: wholeModifier(modifiers, '$slice'),
    compare: modifiers['$sort'] === undefined ? undefined : elementOrder(modifiers['$sort']),
  };
}

function wholeModifier(modifiers: Document, name: string): number | undefined {
  const value = modifiers[name];
  if (value === undefined) return undefined;
  const number = isNumeric(value) ? integerOf(value) : undefined;
  if (number === undefined) {
    throw new CommandError(2, `The value for ${name} must be an integer value but was given type: ${typeName(value)}`);
  }
  return number;
}

function elementOrder(sort: Value): (left: Value, right: Value) => number {
  if (isDocument(sort)) {
    if (Object.keys(sort).length === 0) throw new CommandError(2, 'The $sort pattern is empty');
    const byFields = compileSort(sort);
    return (left, right) => byFields(asDocument(left) ?? {}, asDocument(right) ?? {});
  }
  const direction = isNumeric(sort) ? integerOf(sort) : undefined;
  if (direction !== 1 && direction !== -1) {
    throw new CommandError(2, 'The $sort element value must be either 1 or -1');
  }
  return (left, right) => compareValues(left, right) * direction;
}

function eachOf(operator: string, each: Value): Value[] {
  if (Array.isArray(each)) return each;
  const code = operator === '$push' ? 2 : 14;
  throw new CommandError(code, `The argument to $each in ${operator} must be an array but was: ${typeName(each)}`);
}

function arrayOf(current: Value, complain: () => string): Value[] {
  if (current === undefined) return [];
  if (!Array.isArray(current)) throw new CommandError(2, complain());
  return current;
}

function removing(operator: string, goes: (element: Value) => boolean): Change {
  return (current) => {
    if (current === undefined) return current;
    if (!Array.isArray(current)) throw new CommandError(2, `Cannot apply ${operator} to a non-array value`);
    const kept = current.filter((element) => !goes(element));
    return kept.length === current.length ? current : kept;
  };
}

/** A plain document is a filter on elements that are documents; operators and values apply to the element itself. */
function pullTest(argument: Value): (element: Value) => boolean {
  if (isDocument(argument) && !isOperators(argument)) {
    const matches = compileMatch(argument);
    return (element) => isDocument(element) && matches(element);
  }
  if (isDocument(argument) && ['$and', '$or', '$nor'].includes(Object.keys(argument)[0] ?? '')) {
    const matches = compileMatch(argument);
    return (element) => matches(element);
  }
  const matches = compileCondition(argument, {});
  return (element) => matches(element, [], true);
}
