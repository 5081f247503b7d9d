import { Timestamp, type Timestamp as TimestampType } from 'bson';
import { CommandError } from '../errors.ts';
import { addNumbers, asWhole, multiplyNumbers, widthOf, zeroLike } from './arithmetic.ts';
import { compareValues, identical } from './compare.ts';
import { toInteger } from './numbers.ts';
import { refuseDollarFields, removed, type Change } from './update-paths.ts';
import { addToSet, pop, pull, pullAll, push } from './update-arrays.ts';
import { isDocument, isNumeric, typeName, type Numeric, type Value } from './values.ts';

/** What an operator may depend on besides the field. */
export interface UpdateMoment {
  isInsert: boolean;
  now: Date;
}

/** One update operator: whether it makes missing fields, and its change for one path and argument. */
export interface UpdateOperator {
  creates: boolean;
  compile: (path: string, argument: Value) => (moment: UpdateMoment) => Change;
}

/** The operators but `$rename`, which has two paths. Source: manual, "Update Operators" (recordings: update). */
export const updateOperators: Readonly<Record<string, UpdateOperator | undefined>> = {
  $set: { creates: true, compile: (path, argument) => always(set(path, argument)) },
  $setOnInsert: {
    creates: true,
    compile: (path, argument) => {
      const change = set(path, argument);
      return ({ isInsert }) => (isInsert ? change : keep);
    },
  },
  $unset: { creates: false, compile: () => always((current) => (current === undefined ? undefined : removed)) },
  $inc: { creates: true, compile: (path, argument) => always(arithmetic('$inc', 'increment', path, argument)) },
  $mul: { creates: true, compile: (path, argument) => always(arithmetic('$mul', 'multiply', path, argument)) },
  $min: { creates: true, compile: (path, argument) => always(extreme(path, argument, -1)) },
  $max: { creates: true, compile: (path, argument) => always(extreme(path, argument, 1)) },
  $currentDate: { creates: true, compile: currentDate },
  $bit: { creates: true, compile: (path, argument) => always(bit(path, argument)) },
  $push: { creates: true, compile: (path, argument) => always(push(path, argument)) },
  $addToSet: { creates: true, compile: (path, argument) => always(addToSet(path, argument)) },
  $pull: { creates: false, compile: (_path, argument) => always(pull(argument)) },
  $pullAll: { creates: false, compile: (_path, argument) => always(pullAll(argument)) },
  $pop: { creates: false, compile: (path, argument) => always(pop(path, argument)) },
};

/** Sets a field to a value; an identical value is no change. */
export function set(path: string, value: Value): Change {
  refuseDollarFields(value, path);
  return (current) => (current !== undefined && identical(current, value) ? current : value);
}

function always(change: Change): () => Change {
  return () => change;
}

function keep(current: Value): Value {
  return current;
}

function arithmetic(operator: '$inc' | '$mul', verb: string, path: string, argument: Value): Change {
  if (!isNumeric(argument)) {
    throw new CommandError(14, `Cannot ${verb} with non-numeric argument: {${path}: ${typeName(argument)}}`);
  }
  const apply = operator === '$inc' ? addNumbers : multiplyNumbers;
  return (current) => {
    if (current === undefined) return operator === '$inc' ? argument : zeroLike(argument);
    if (!isNumeric(current)) {
      throw new CommandError(
        14,
        `Cannot apply ${operator} to a value of non-numeric type. The field '${path}' is of type ${typeName(current)}`,
      );
    }
    const result = apply(current, argument);
    if (result === undefined) {
      throw new CommandError(2, `Failed to apply ${operator} operations to current value of '${path}'`);
    }
    // A result of the same type and value counts as no change, even where it would be written with other zeros.
    return widthOf(result) === widthOf(current) && compareValues(result, current) === 0 ? current : result;
  };
}

function extreme(path: string, argument: Value, sign: 1 | -1): Change {
  refuseDollarFields(argument, path);
  return (current) => (current === undefined || compareValues(argument, current) === sign ? argument : current);
}

function currentDate(path: string, argument: Value): (moment: UpdateMoment) => Change {
  const type = isDocument(argument) ? argument['$type'] : 'date';
  const accepted = typeof argument === 'boolean' || (isDocument(argument) && Object.keys(argument).length === 1);
  if (!accepted || (type !== 'date' && type !== 'timestamp')) {
    throw new CommandError(2, `The '$type' of $currentDate on '${path}' must be 'date' or 'timestamp'`);
  }
  return ({ now }) => {
    const value = type === 'date' ? now : timestampOf(now);
    return () => value;
  };
}

function timestampOf(now: Date): TimestampType {
  return new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 });
}

function bit(path: string, argument: Value): Change {
  if (!isDocument(argument) || Object.keys(argument).length === 0) {
    throw new CommandError(2, `The $bit modifier needs a document of and, or, xor on '${path}'`);
  }
  const steps = Object.entries(argument).map(([name, operand]) => {
    const apply = bitwise[name];
    if (apply === undefined) throw new CommandError(2, `The $bit modifier only supports 'and', 'or', and 'xor'`);
    if (!isWhole(operand)) throw new CommandError(2, 'The $bit modifier field must be an Integer(32/64 bit)');
    return { apply, operand };
  });
  return (current) => {
    if (current !== undefined && !isWhole(current)) {
      throw new CommandError(2, `Cannot apply $bit to a value of non-integral type ${typeName(current)}`);
    }
    const result = steps.reduce<Numeric | undefined>((value, { apply, operand }) => {
      const start = value ?? zeroLike(operand);
      const wide = widthOf(start) === 'long' || widthOf(operand) === 'long';
      return toInteger(apply(asWhole(start), asWhole(operand)), wide);
    }, current);
    return current !== undefined && identical(result, current) ? current : result;
  };
}

const bitwise: Readonly<Record<string, ((left: bigint, right: bigint) => bigint) | undefined>> = {
  and: (left, right) => left & right,
  or: (left, right) => left | right,
  xor: (left, right) => left ^ right,
};

function isWhole(value: Value): value is Numeric {
  return isNumeric(value) && (widthOf(value) === 'int' || widthOf(value) === 'long');
}
