import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take about ten seconds or more of the first gate. The longest comes first, and loads a core by itself; those
 * beside it mostly wait for processes and for limits of time.
 */
const longest = [
  'test/faults/faults.test.ts',
  'test/redis/cluster.test.ts',
  'test/client/conformance.test.ts',
  'test/service/failover.test.ts',
  'test/service/worker-without-redis.test.ts',
  'test/local/stack.test.ts',
  'test/ops/webhooks.test.ts',
  'test/service/on-redis-cluster.test.ts',
  'test/bench/run.test.ts',
  'test/service/draining.test.ts',
  'test/hostile/hostile.test.ts',
  'test/local/restore-drill.test.ts',
  'test/client/python.test.ts',
  'test/client/python-sources.test.ts',
];

/**
 * Begins with the long files, also in a fresh clone, where no times are known: one that began last would keep one core
 * waiting for it. The others come by project. In each, the longest of the last run come first, or the largest.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place === -1 ? longest.length : place;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b) || projects.indexOf(a.project) - projects.indexOf(b.project));
  }
}
