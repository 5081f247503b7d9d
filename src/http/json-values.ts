/** No object that the API takes has so many: metadata has most, twenty. */
const keysMax = 64;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether a text has more keys and elements, at all depths together, than `valuesMax`, or more keys in one object than any
 * that the API takes. To make an object of many takes thousands of times as long as to receive it. So they are counted first: in
 * one pass that makes nothing, and stops where there are too many. What is no JSON is counted as if it were.
 */
export function hasTooManyValues(json: Uint8Array, valuesMax: number): boolean {
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
    if (values > valuesMax) return true;
  }
  return false;
}

function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}
