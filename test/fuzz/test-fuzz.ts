import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { seedMax } from '../support/command-line.ts';
import { watchedEnv } from '../support/memory-watch.ts';
import { startServiceProcesses } from '../support/service.ts';
import { describeRun } from './describe.ts';
import { runFuzz } from './run.ts';

const timeoutMs = 3_600_000;
const env = {
  ...watchedEnv,
  // One key sends everything: what is asked here is not its rate.
  KEY_RATE_PER_SECOND: '1000000',
  // So that a connection whose answers nobody reads, which looks idle, is given up while that is waited for.
  KEEP_ALIVE_SECONDS: '65',
};

/** Sends so many requests, or FUZZ_REQUESTS, of a seed by chance, or FUZZ_SEED, and expects that everything holds. */
export function testFuzz(usually: number): void {
  const requests = Number(process.env['FUZZ_REQUESTS'] ?? usually);
  const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(seedMax));
  it(`nothing is found in ${requests} requests of seed ${seed}`, { timeout: timeoutMs }, async () => {
    const service = await startServiceProcesses({ env });
    const report = await runFuzz(service, { requests, seed });
    await service.stop();
    const { findings, orders } = report;
    expect(findings.count(), `FUZZ_SEED=${seed}: ${describeRun(report)}`).toBe(0);
    // What is accepted shows that the rest is refused for what is wrong with it.
    expect(findings.answersByCode.get('200 2000')).toBeGreaterThan(requests / 20);
    expect(orders).toBeGreaterThan(0);
  });
}
