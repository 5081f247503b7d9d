import { configDefaults, defineConfig } from 'vitest/config';
import { LongFilesFirst } from './test/support/long-files-first.ts';
import { unitTests } from './test/support/projects.ts';

/** Only what hangs takes so long: a test that starts a dozen processes in turn takes half a minute on two busy cores. */
const TEST_TIMEOUT_MS = 180_000;
const long = ['test/**/*.long.test.ts'];
const faults = ['test/{bench,faults,fuzz,hostile}/**/*.test.ts'];
const usual = [...configDefaults.exclude, ...long];
/** As many as a small machine has cores. With a third one a run takes as long, and limits of time are met. */
const maxWorkers = 2;
/** Node runs what it runs in production, without a transformation of each module. */
const native = { viteModuleRunner: false };
const engine = './packages/mongodb-embedded/vitest.config.ts';
const unit = unitTests();
const withServers = {
  globalSetup: 'test/support/global-setup.ts',
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: TEST_TIMEOUT_MS,
};

export default defineConfig({
  test: {
    reporters: ['default', './test/support/reporter.ts'],
    maxWorkers,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      { extends: './packages/client/vitest.config.ts', root: 'packages/client', test: { maxWorkers } },
      {
        extends: './packages/client-conformance/vitest.config.ts',
        root: 'packages/client-conformance',
        test: { maxWorkers },
      },
      // The engine's own, which run against any server: MONGODB_URI=... npm run test:contract
      {
        extends: engine,
        root: 'packages/mongodb-embedded',
        test: { name: 'contract', maxWorkers, isolate: false, exclude: usual },
      },
      {
        extends: engine,
        root: 'packages/mongodb-embedded',
        test: { name: 'contract-long', maxWorkers, include: ['test/**/*.long.test.ts'] },
      },
      // Programs that break or load a stack of their own.
      { test: { name: 'faults', isolate: false, include: faults, exclude: [...usual, ...unit], ...withServers } },
      // What only script/test --all runs, beside the engine's.
      { test: { name: 'long', include: long, ...withServers } },
      // What needs Redis and MongoDB, or processes of the service.
      {
        test: {
          name: 'stack',
          experimental: native,
          // A process of its own for each file would load the same modules again, for a second or more.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...usual, ...faults, ...unit],
          ...withServers,
        },
      },
      // What needs nothing.
      {
        test: {
          name: 'unit',
          experimental: native,
          include: unit,
          isolate: false,
          testTimeout: TEST_TIMEOUT_MS,
        },
      },
    ],
  },
});
