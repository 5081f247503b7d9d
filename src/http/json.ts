import { visit, type JSONVisitor } from 'jsonc-parser';
import { ServiceError } from '../errors.ts';
import { placeOf } from './parse.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const strictly = { disallowComments: true, allowTrailingComma: false };

/** Keys and elements of a body, where its endpoint declares no other number: a hundred legs have half of it. */
const usualBodyValuesMax = 1_000;
/** No object that the API takes has so many: metadata has most, twenty. */
const keysMax = 64;
/** Far deeper than anything that the API takes. Bounded, because the parser that looks for a fault recurses at each level. */
const depthMax = 1_000;
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Parses a body that must be one JSON object.
 * @param valuesMax the most keys and elements that it may have.
 * @throws ServiceError BODY_MISSING, TOO_MANY_VALUES before anything is parsed, BODY_NOT_UTF8, BODY_NOT_JSON (which a byte
 * order mark is not) with the place of the fault, BODY_NOT_OBJECT, or KEY_REPEATED naming the key that comes twice, by its place.
 */
export function parseJsonObject(body: Uint8Array, valuesMax = usualBodyValuesMax): Record<string, unknown> {
  if (body.length === 0) throw new ServiceError('BODY_MISSING');
  if (hasTooManyValues(body, valuesMax)) throw new ServiceError('TOO_MANY_VALUES');
  const text = decoded(body);
  const value = parsed(text);
  if (!isObject(value)) throw new ServiceError('BODY_NOT_OBJECT');
  refuseRepeatedKey(text, value);
  return value;
}

function decoded(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new ServiceError('BODY_NOT_UTF8', { cause });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // Its value: how many characters come before the first token that may not stand there.
    const refuse = (at: number): never => {
      throw new ServiceError('BODY_NOT_JSON', { cause, value: String(at) });
    };
    visit(text, { onError: (_, at) => refuse(at) }, strictly);
    return refuse(text.length);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Refuses a key that comes twice. JSON.parse would silently keep the last, which may not be the one that the client meant.
 * Every key is followed by a colon. So a text with no more colons after strings than its objects have keys has no key twice,
 * and need not be scanned.
 */
function refuseRepeatedKey(text: string, value: Record<string, unknown>): void {
  if (hasKeys(value, text.match(/"\s*:/g)?.length ?? 0)) return;
  /** Those of the objects around a token. */
  const open: Set<string>[] = [];
  const visitor: JSONVisitor = {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (key, _offset, _length, _line, _character, pathOf) => {
      const keys = open.at(-1);
      if (keys?.has(key) === true) throw new ServiceError('KEY_REPEATED', { field: placeOf([...pathOf(), key]) });
      keys?.add(key);
    },
  };
  visit(text, visitor, strictly);
}

/** Whether so many keys are in an object and all that it holds. Not recursively, because the sender decides on the depth. */
function hasKeys(value: object, count: number): boolean {
  const open = [value];
  let left = count;
  for (let inside = open.pop(); inside !== undefined && left > 0; inside = open.pop()) {
    if (!Array.isArray(inside)) left -= Object.keys(inside).length;
    for (const held of Object.values(inside) as unknown[])
      if (typeof held === 'object' && held !== null) open.push(held);
  }
  return left <= 0;
}

/**
 * Whether a text has more keys and elements than `valuesMax`, at all depths together; or more keys in one object, or deeper
 * nesting, than anything that the API takes. They are counted before anything is parsed, because parsing many takes thousands
 * of times as long as receiving them: in one pass that allocates nothing and stops early. What is no JSON is counted as if it were.
 */
function hasTooManyValues(json: Uint8Array, valuesMax: number): boolean {
  /** Of the objects and arrays around a byte; an array has none. */
  const keyCounts: number[] = [];
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte: number = json[at] ?? 0;
    switch (byte) {
      case quote:
        at = endOfString(json, at);
        break;
      case openBrace:
      case openBracket:
        keyCounts.push(0);
        values += 1;
        break;
      case closeBrace:
      case closeBracket:
        keyCounts.pop();
        break;
      case comma:
        values += 1;
        break;
      case colon: {
        const keys = (keyCounts.pop() ?? 0) + 1;
        if (keys > keysMax) return true;
        keyCounts.push(keys);
        break;
      }
    }
    if (values > valuesMax || keyCounts.length > depthMax) return true;
  }
  return false;
}

function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}
