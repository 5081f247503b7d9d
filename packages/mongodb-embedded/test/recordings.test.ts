import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replay } from './replay/run.ts';
import type { Scenario } from './replay/run.ts';
import { openTestServer } from './server.ts';
import type { TestServer } from './server.ts';

// Conversations with a real MongoDB 4.2 replica set: whatever it answered then is what is expected here.
const folder = new URL('recordings/', import.meta.url);
const recordings = readdirSync(folder).map((file) => {
  const { scenarios } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { scenarios: Scenario[] };
  return { area: file.replace('.json', ''), scenarios };
});

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

describe.each(recordings)('recorded answers: $area', ({ scenarios }) => {
  it.each(scenarios)('$name', { timeout: 30_000 }, async (scenario) => {
    expect(await replay(scenario, server), scenario.why).toEqual([]);
  });
});
