import type { Overview } from '../overview.ts';
import type { Problem, ProcessState } from './problem.ts';
import { problems } from './table.ts';

/** A problem that is there now. */
export interface PresentProblem extends Pick<Problem, 'name' | 'severity' | 'what' | 'follows' | 'toDo'> {
  readonly figure?: string;
  readonly since: Date;
}

export type ProblemsOf = (overview: Overview) => PresentProblem[];

/**
 * Tells which problems are there, in the order of the table, and since when: from the overview, or else from when this function
 * first saw them. So it has to be asked again and again, whether or not anybody looks.
 */
export function followProblems(state: ProcessState): ProblemsOf {
  let firstSeen = new Map<string, Date>();
  return (overview) => {
    const { at } = overview;
    const present = problems.flatMap(({ page, alert: _, ...words }) => {
      const seen = 'seen' in page ? page.seen(overview, state) : undefined;
      if (seen === undefined || !('seen' in page)) return [];
      const first = firstSeen.get(words.name) ?? at;
      return { ...words, ...seen, since: seen.since ?? first, first, afterMs: page.afterMs ?? 0 };
    });
    firstSeen = new Map(present.map(({ name, first }) => [name, first]));
    return present.filter(({ first, afterMs }) => at.getTime() - first.getTime() >= afterMs);
  };
}
