import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asLater, differences } from './replay/differences.ts';
import { replay, type Scenario } from './replay/run.ts';
import { openTestServer, type TestServer } from './server.ts';

// Conversations with a real MongoDB 4.2 replica set: whatever it answered then is what is expected here, but for what 4.4
// answers otherwise (replay/differences.ts). They mostly wait, and each has connections and a database of its own: so they are held side by side, as many as maxConcurrency says.
const folder = new URL('recordings/', import.meta.url);
const recordings = readdirSync(folder).flatMap((file) => {
  const { scenarios } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { scenarios: Scenario[] };
  return scenarios;
});

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function expectSameAnswers(scenario: Scenario): Promise<void> {
  expect(await replay(asLater(scenario), server), scenario.why).toEqual([]);
}

describe('recorded answers', { timeout: 30_000 }, () => {
  it.concurrent.for(recordings.filter((scenario) => !isOfWholeServer(scenario)))('$name', expectSameAnswers);
  it.for(recordings.filter(isOfWholeServer))('$name', expectSameAnswers);
});

/** A fail point meets every connection's commands, and a parameter every transaction: these are held one by one. */
function isOfWholeServer({ steps }: Scenario): boolean {
  return steps.some(({ cmd = {} }) => 'configureFailPoint' in cmd || 'setParameter' in cmd);
}

it.each(differences)(
  '$scenario, step $step: 4.4 answers otherwise than what was recorded',
  ({ scenario, step, answer }) => {
    const recorded = recordings.find(({ name }) => name === scenario)?.steps[step];
    expect(recorded).toBeDefined();
    expect(recorded?.pending ?? recorded?.reply).not.toEqual(answer);
  },
);
