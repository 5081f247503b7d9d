import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startEngine, type RunningEngine } from '../src/engine.ts';
import { openTestServer } from './server.ts';

// It knows the commands of 4.2 alone, and stands in for a real server of that version.
let engine: RunningEngine;
beforeAll(async () => {
  engine = await startEngine();
  vi.stubEnv('MONGODB_URI', engine.uri);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await engine.close();
});

it('a given server of 4.2 is asked what it knows', async () => {
  const server = await openTestServer();
  expect(server).toMatchObject({ uri: engine.uri, port: engine.port, isLater: false, isEngine: false });
});
