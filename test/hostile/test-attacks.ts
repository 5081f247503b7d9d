import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import type { Attack, RunningAttack, Target } from './attack.ts';

export const strength = { seconds: 1, share: 0.1 };
/** As long as the service may take to give up a client that does not read. */
const owedTimeoutMs = 60_000;

/** A test for each attack, on one service. @returns the service and what is attacked of it, once they are there. */
export function testAttacks(attacks: readonly Attack[]): () => { service: ServiceProcesses; target: Target } {
  let service: ServiceProcesses;
  let client: TestWorkspace;
  let target: Target;

  beforeAll(async () => {
    service = await startServiceProcesses({
      env: Object.assign({}, ...attacks.map(({ env }) => env)) as NodeJS.ProcessEnv,
    });
    client = await createWorkspace(service);
    const { apiKey, apiSecret, ...attacker } = await createWorkspace(service);
    const [web, worker] = await Promise.all([service.webs[0]!.ready, service.workers[0]!.ready]);
    target = {
      ...{ webPort: web.port!, webOpsPort: web.opsPort, workerOpsPort: worker.opsPort, keyId: client.apiKey },
      attacker: { key: { apiKey, apiSecret }, walletIds: [await attacker.wallet('1000'), await attacker.wallet()] },
    };
  });

  afterAll(() => service.stop());

  it.each(attacks)(
    'under $name a client with a key is answered, and the service owes nothing in the end',
    async (attack) => {
      const running = await attack.start(target, strength);
      onTestFinished(async () => {
        await running.stop();
      });
      const answers = Array.from({ length: 5 }, () => client.client.request('GET', '/api/v1/wallets'));
      await running.sent;
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      await untilSettled(running);
      expect(running.bytes()).toBeGreaterThan(0);
    },
  );
  return () => ({ service, target });
}

/** Waits until nothing is owed any more. */
export async function untilSettled(running: RunningAttack): Promise<void> {
  await waitFor(() => running.owed().length === 0, { timeoutMs: owedTimeoutMs, what: 'That nothing is owed' });
}
