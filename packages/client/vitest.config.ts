import { defineConfig } from 'vitest/config';

/** A request that is repeated waits for up to 8 s, by chance. */
const testTimeout = 30_000;

export default defineConfig({ test: { name: 'client', isolate: false, include: ['test/**/*.test.ts'], testTimeout } });
