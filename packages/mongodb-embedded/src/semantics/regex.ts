import { CommandError } from '../errors.ts';

/**
 * A regular expression of MongoDB's (PCRE) with its options i, m, s, x and a leading `(?i)` group as a JavaScript
 * one. Throws 51091 for a pattern that does not parse, 51108 for an unknown option. Constructs that only PCRE knows
 * (possessive quantifiers, recursion) are refused with 51091. Source: manual, "$regex".
 */
export function compileRegex(pattern: string, options: string): RegExp {
  const inline = /^\(\?([imsx]+)\)/.exec(pattern);
  const flags = new Set(Array.from(`${options}${inline?.[1] ?? ''}`));
  for (const flag of flags) {
    if (!'imsxlu'.includes(flag)) throw new CommandError(51108, `invalid flag in regex options: ${flag}`);
  }
  const body = pattern.slice(inline?.[0].length ?? 0);
  const source = (flags.has('x') ? withoutComments(body) : body).replaceAll('\\A', '^').replaceAll('\\z', '$');
  const kept = [...flags].filter((flag) => 'ims'.includes(flag)).join('');
  return tryRegex(source, `${kept}u`) ?? tryRegex(source, kept) ?? refuse(pattern);
}

/** Unicode mode counts characters as PCRE does, but refuses escapes that PCRE takes; then the other mode is tried. */
function tryRegex(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

function refuse(pattern: string): never {
  throw new CommandError(51091, `Regular expression is invalid: ${pattern}`);
}

/** The option x: blanks and comments outside of character classes mean nothing. */
function withoutComments(pattern: string): string {
  return pattern.replace(/(\\.|\[(?:\\.|[^\]\\])*\])|\s+|#.*/g, (_match, kept: string | undefined) => kept ?? '');
}
