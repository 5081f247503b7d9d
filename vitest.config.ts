import { defineConfig } from 'vitest/config';

const TEST_TIMEOUT_MS = 60_000;

export default defineConfig({
  test: {
    globalSetup: 'test/support/global-setup.ts',
    reporters: ['default', './test/support/reporter.ts'],
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    projects: [
      {
        extends: true,
        test: { name: 'service', include: ['test/**/*.test.ts'], exclude: ['test/embedded/**'] },
      },
      {
        // Runs against any server: MONGODB_URI=... npm run test:contract
        extends: true,
        test: { name: 'contract', include: ['test/embedded/**/*.test.ts'] },
      },
    ],
  },
});
