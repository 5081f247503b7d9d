import type { Overview } from '../overview.ts';
import { bridgedSeconds, type Problem, type ProcessState, type Seen } from './problem.ts';
import { problems } from './table.ts';

/** A problem that is there now. */
export interface PresentProblem extends Pick<Problem, 'name' | 'severity' | 'what' | 'follows' | 'toDo'> {
  readonly figure?: string;
  readonly since: Date;
  /** The problems that it explains, and that are there: each is named here, and nowhere else. */
  readonly explained: readonly PresentProblem[];
}

export type ProblemsOf = (overview: Overview) => PresentProblem[];

/** What was seen, from when on without a break, and when it was seen last. */
interface Sight {
  readonly seen: Seen;
  readonly first: Date;
  readonly last: Date;
}

/**
 * Tells which problems are there, in the order of the table, and since when: from the overview, or else from when this function
 * first saw them. So it has to be asked again and again, whether or not anybody looks. Where a look cannot judge a problem, it
 * stays as it was seen last, for {@link bridgedSeconds}.
 */
export function followProblems(state: ProcessState): ProblemsOf {
  const sights = new Map<string, Sight>();
  return (overview) => {
    const { at } = overview;
    const present = problems.flatMap(({ page, alert: _, explains: __, ...words }) => {
      if ('never' in page) return [];
      const { seen: look, afterMs = 0 } = page;
      const seen = look(overview, state);
      const before = sights.get(words.name);
      const isBridged = seen === 'unknown' && msFrom(before?.last, at) < bridgedSeconds * 1_000;
      const sight = isBridged ? before : sightOf(seen, before, at);
      if (sight === undefined) {
        sights.delete(words.name);
        return [];
      }
      sights.set(words.name, sight);
      const { first, last } = sight;
      if (msFrom(first, last) < afterMs) return [];
      return { ...words, ...sight.seen, since: sight.seen.since ?? first, explained: [] };
    });
    return underTheirCauses(present);
  };
}

/** Causes stand before what follows from them, here and in the table. */
function underTheirCauses(present: readonly PresentProblem[]): PresentProblem[] {
  const causes: PresentProblem[] = [];
  for (const problem of present) {
    const index = causes.findIndex(({ name }) => explains(name, problem.name));
    const cause = causes[index];
    if (cause === undefined) causes.push(problem);
    else causes[index] = { ...cause, explained: [...cause.explained, problem] };
  }
  return causes;
}

function explains(cause: string, name: string): boolean {
  return problems.find((problem) => problem.name === cause)?.explains?.includes(name) ?? false;
}

function sightOf(seen: Seen | 'unknown' | undefined, before: Sight | undefined, at: Date): Sight | undefined {
  return seen === undefined || seen === 'unknown' ? undefined : { seen, first: before?.first ?? at, last: at };
}

function msFrom(earlier: Date | undefined, later: Date): number {
  return earlier === undefined ? Infinity : later.getTime() - earlier.getTime();
}
