import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startEngine, type RunningEngine } from '../src/engine.ts';
import { openTestServer } from './server.ts';

// Stands in for a real server.
let engine: RunningEngine;
beforeAll(async () => {
  engine = await startEngine();
  vi.stubEnv('MONGODB_URI', engine.uri);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await engine.close();
});

it('a given server is asked where its primary is', async () => {
  const server = await openTestServer();
  expect(server).toMatchObject({ uri: engine.uri, port: engine.port, isEngine: false });
});
