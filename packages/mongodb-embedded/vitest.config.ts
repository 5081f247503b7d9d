import { defineConfig } from 'vitest/config';

/** Only what hangs takes so long: some tests start a dozen processes in turn. */
const TEST_TIMEOUT_MS = 180_000;

export default defineConfig({
  test: {
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    // Of the recordings: enough that those that wait 150 ms do so together.
    maxConcurrency: 32,
  },
});
