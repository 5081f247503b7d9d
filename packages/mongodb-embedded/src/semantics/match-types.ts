import type { StringOrder } from './compare.ts';
import type { Variables } from './expression-types.ts';
import type { Value } from './values.ts';

/** Where the match was found: the position in the first array on the way, which the positional operator `$` needs. */
export interface MatchDetails {
  position?: number;
}

/** Decides whether a document matches; with `details` it also says where. */
export type Matcher = (document: Value, details?: MatchDetails) => boolean;

/** `stringOrder` puts a collation in force, `variables` are those of a `$lookup` for `$expr`. */
export interface MatchOptions {
  stringOrder?: StringOrder;
  variables?: Variables;
}

/** Tests what a path leads to; `inElement` means the value is one element, whose own elements are not looked at. */
export type PathMatcher = (value: Value, parts: string[], inElement: boolean, details?: MatchDetails) => boolean;
