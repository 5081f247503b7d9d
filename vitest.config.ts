import { defineConfig } from 'vitest/config';

/** Only what hangs takes so long: a test that starts a dozen processes in turn takes half a minute on two busy cores. */
const TEST_TIMEOUT_MS = 180_000;

export default defineConfig({
  test: {
    reporters: ['default', './test/support/reporter.ts'],
    // Most files wait for processes of their own: two at once are right for two cores.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
        },
      },
      // The engine's own, which runs against any server: MONGODB_URI=... npm run test:contract
      'packages/*',
    ],
  },
});
