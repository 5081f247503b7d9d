import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unansweredMax } from '../../src/http/connections.ts';
import { runProgram } from '../support/program.ts';
import { attacks } from './attacks.ts';
import { tinyChunks, unreadBodies } from './attacks/bodies.ts';
import { halfSentBodies, refusedBodies } from './attacks/large-bodies.ts';
import { longLocales } from './attacks/long-locales.ts';
import { unreadAnswers } from './attacks/unread-answers.ts';
import { replays } from './attacks/webhook-owners.ts';
import { testAttacks } from './test-attacks.ts';

// One of each kind; hostile.long.test.ts makes all others. That answers without end are given up, is in webhooks/send.test.ts.
const attacked = testAttacks([longLocales, tinyChunks, unreadBodies, refusedBodies, halfSentBodies, replays]);

it('of a packet whose answers nobody reads, only as many requests are handled as one connection may have', async () => {
  const before = await handledOutsideTheApi();
  await attacked.make(unreadAnswers);
  const handled = (await handledOutsideTheApi()) - before;
  expect(handled).toBeGreaterThan(0);
  expect(handled).toBeLessThanOrEqual(unansweredMax);
});

/** What has no envelope, and so no code: answered with a page, or given up. */
async function handledOutsideTheApi(): Promise<number> {
  const metrics = await (await fetch(`${attacked.service().opsUrl}/metrics`)).text();
  const handled = /^transfers_http_requests_total\{route="none",status="(200|499)",code="none"\} (\d+)$/gm;
  return [...metrics.matchAll(handled)].reduce((sum, [, , count]) => sum + Number(count), 0);
}

it('npm run test:hostile refuses an attack that there is not with 2, and says what there is', async () => {
  const { code, errors } = await runProgram(join(import.meta.dirname, 'main.ts'), ['--attack=none']);
  expect(code).toBe(2);
  expect(errors).toBe(`There is no attack "none"; there are:\n  ${attacks.map(({ name }) => name).join('\n  ')}\n`);
});
