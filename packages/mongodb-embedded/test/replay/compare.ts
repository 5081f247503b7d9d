import type { Json } from './extended-json.ts';

/** Fields that hold documents of the user: the order of fields counts inside. */
const ordered = ['firstBatch', 'nextBatch', 'value', 'values', 'keyPattern', 'keyValue', '_id'];

/** True when both are equal; outside of documents the order of fields does not count. */
export function isSame(left: Json, right: Json, inDocument = false): boolean {
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return left === right;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((value, index) => isSame(value, right[index] ?? null, inDocument));
  }
  const names = Object.keys(left);
  const otherNames = Object.keys(right);
  if (names.length !== otherNames.length) return false;
  if (inDocument && names.some((name, index) => name !== otherNames[index])) return false;
  return names.every(
    (name) => name in right && isSame(left[name] ?? null, right[name] ?? null, inDocument || ordered.includes(name)),
  );
}

/**
 * True when a real server may differ in this way without fault: the parsers since 4.4 have other codes for malformed
 * commands than that of 4.2. Source: MongoDB's release notes for 4.4 to 8.0.
 */
export function isOtherParser(expected: Json, actual: Json): boolean {
  const codes = [expected, actual].map((reply) => (isErrorReply(reply) ? Number(reply['code']) : undefined));
  return codes.every((code) => code !== undefined && isParserCode(code));
}

function isErrorReply(reply: Json): reply is Record<string, Json> {
  return reply !== null && typeof reply === 'object' && !Array.isArray(reply) && reply['ok'] === 0;
}

function isParserCode(code: number): boolean {
  return [2, 9, 14, 72, 73].includes(code) || code > 15_000;
}
