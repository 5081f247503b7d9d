import { createScanner } from 'jsonc-parser';

/** jsonc-parser's kinds of tokens; it declares them as an enum that only its own compiler can read. */
export const tokens = {
  ...{ openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, comma: 5, colon: 6 },
  ...{ null: 7, true: 8, false: 9, string: 10, number: 11, lineBreak: 14, trivia: 15, end: 17 },
} as const;

const scalars: readonly number[] = [tokens.null, tokens.true, tokens.false, tokens.string, tokens.number];
const spaces: readonly number[] = [tokens.lineBreak, tokens.trivia];

/** What may come next: any of these. */
type Wanted = 'value' | 'key' | 'colon' | 'comma' | 'close';

/**
 * Where a text ceases to be JSON: how many characters come before the first token that may not stand there. Token by token and
 * not recursively, because the sender decides how deep a body is nested.
 */
export function jsonFaultAt(text: string): number {
  const scanner = createScanner(text, false);
  /** The closing token of each object and array around a token. */
  const open: number[] = [];
  let wanted: readonly Wanted[] = ['value'];

  /** @returns what may come after a token; undefined if it may not come itself. */
  function after(token: number): readonly Wanted[] | undefined {
    const may = (kind: Wanted): boolean => wanted.includes(kind);
    const afterValue: readonly Wanted[] = ['comma', 'close'];
    if (token === tokens.string && may('key')) return ['colon'];
    if (token === tokens.colon && may('colon')) return ['value'];
    if (scalars.includes(token) && may('value')) return afterValue;
    if (token === tokens.openBrace && may('value')) {
      open.push(tokens.closeBrace);
      return ['key', 'close'];
    }
    if (token === tokens.openBracket && may('value')) {
      open.push(tokens.closeBracket);
      return ['value', 'close'];
    }
    if (token === tokens.comma && may('comma') && open.length > 0)
      return open.at(-1) === tokens.closeBrace ? ['key'] : ['value'];
    if (may('close') && token === open.at(-1)) {
      open.pop();
      return afterValue;
    }
    return undefined;
  }

  for (;;) {
    const token: number = scanner.scan();
    if (spaces.includes(token)) continue;
    const isWhole = (scanner.getTokenError() as number) === 0;
    const next = isWhole ? after(token) : undefined;
    if (next === undefined) return scanner.getTokenOffset();
    wanted = next;
  }
}
