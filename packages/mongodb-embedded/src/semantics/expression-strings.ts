import { Int32 } from 'bson';
import { compareStrings } from './compare.ts';
import { textOfValue } from './expression-conversion.ts';
import { namedArguments } from './expression-logic.ts';
import { fail, fixed, isNullish, variadic, type PlainOperators, type SpecialOperator } from './expression-types.ts';
import { integerOf } from './numbers.ts';
import { isNumeric, typeName, type Value } from './values.ts';

/** String operators; CP counts characters, Bytes counts UTF-8. Source: manual, "String Expression Operators". */
export const stringOperators: PlainOperators = {
  $concat: variadic((values) =>
    values.some(isNullish) ? null : values.map((value) => stringOf(value, 16702, '$concat')).join(''),
  ),
  $toUpper: fixed(1, (value) => looseText(value).toUpperCase()),
  $toLower: fixed(1, (value) => looseText(value).toLowerCase()),
  $strLenCP: fixed(1, (value) => new Int32(characters(stringOf(value, 34471, '$strLenCP')).length)),
  $strLenBytes: fixed(1, (value) => new Int32(Buffer.byteLength(stringOf(value, 34473, '$strLenBytes')))),
  $substrCP: fixed(3, (value, start, length) => {
    const [from, count] = [numberOf(start, 34450, '$substrCP'), numberOf(length, 34452, '$substrCP')];
    return characters(looseText(value))
      .slice(from, from + count)
      .join('');
  }),
  $split: fixed(2, (value, separator) => {
    if (isNullish(value) || isNullish(separator)) return null;
    const [text, by] = [stringOf(value, 40085, '$split'), stringOf(separator, 40086, '$split')];
    return by === '' ? fail(40087, '$split requires a non-empty separator') : text.split(by);
  }),
  $indexOfCP: {
    least: 2,
    most: 4,
    apply: ([value, wanted, start, end]) => {
      if (isNullish(value)) return null;
      const text = characters(stringOf(value, 40093, '$indexOfCP'));
      const part = characters(stringOf(wanted, 40094, '$indexOfCP'));
      const from = start === undefined ? 0 : numberOf(start, 40096, '$indexOfCP');
      const to = Math.min(end === undefined ? text.length : numberOf(end, 40096, '$indexOfCP'), text.length);
      for (let index = from; index + part.length <= to; index++) {
        if (part.every((character, offset) => text[index + offset] === character)) return new Int32(index);
      }
      return new Int32(-1);
    },
  },
  $strcasecmp: fixed(
    2,
    (left, right) => new Int32(compareStrings(looseText(left).toUpperCase(), looseText(right).toUpperCase())),
  ),
};

/** String operators with named arguments. */
export const specialStringOperators: Readonly<Record<string, SpecialOperator>> = {
  $trim: (argument, compile) => {
    const named = namedArguments('$trim', argument, { input: 50695 }, 50696, ['chars']);
    const input = compile(named.input);
    const chars = compile(named['chars']);
    return (root, variables) => {
      const value = input(root, variables);
      const wanted = chars(root, variables);
      if (isNullish(value) || ('chars' in named && isNullish(wanted))) return null;
      const text = characters(stringOf(value, 50699, '$trim'));
      const set = wanted === undefined ? blanks : characters(stringOf(wanted, 50700, '$trim'));
      let [start, end] = [0, text.length];
      while (start < end && set.includes(text[start] ?? '')) start++;
      while (end > start && set.includes(text[end - 1] ?? '')) end--;
      return text.slice(start, end).join('');
    };
  },
};

const blanks = Array.from(
  '\0\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
);

function characters(text: string): string[] {
  return Array.from(text);
}

function stringOf(value: Value, code: number, operator: string): string {
  return typeof value === 'string' ? value : fail(code, `${operator} needs a string, but got ${typeName(value)}`);
}

/** What the older operators take for text: null is empty, numbers and dates are written out. */
function looseText(value: Value): string {
  if (isNullish(value)) return '';
  return textOfValue(value) ?? fail(16007, `can't convert from BSON type ${typeName(value)} to String`);
}

function numberOf(value: Value, code: number, operator: string): number {
  const number = isNumeric(value) ? integerOf(value) : undefined;
  return number ?? fail(code, `${operator} needs a whole number, but got ${typeName(value)}`);
}
