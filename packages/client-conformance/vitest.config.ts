import { defineConfig } from 'vitest/config';

/** A driver that says nothing is waited for. */
const testTimeout = 60_000;

export default defineConfig({ test: { name: 'client-conformance', include: ['test/**/*.test.ts'], testTimeout } });
