import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest first, by what they took; of the others Vitest knows the times of the last run, or takes the larger first. */
const longest = [
  'test/faults/faults.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/bench/partitions.test.ts',
  'test/bench/run.test.ts',
  'test/ops/alerts.test.ts',
];

/**
 * Begins with the long files of each project, also in a fresh clone, of which no times are known: one that began last would
 * keep one core waiting for it. The two longest mostly use a core in turn, as one of them ends with a wait.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place === -1 ? longest.length : place;
    };
    return sorted.toSorted((a, b) => projects.indexOf(a.project) - projects.indexOf(b.project) || rank(a) - rank(b));
  }
}
