import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import type { Attack, Target } from './attack.ts';

const strength = { seconds: 1, share: 0.1 };
/** As long as the service may take to give up a client that does not read. */
const owedTimeoutMs = 60_000;

/**
 * A test for each attack, on one service.
 * @returns the service, once it is there, and what makes a further attack on it.
 */
export function testAttacks(attacks: readonly Attack[]) {
  let service: ServiceProcesses;
  let client: TestWorkspace;

  beforeAll(async () => {
    service = await startServiceProcesses({
      env: Object.assign({}, ...attacks.map(({ env }) => env)) as NodeJS.ProcessEnv,
    });
    client = await createWorkspace(service);
  });

  afterAll(() => service.stop());

  /** For an attacker with a workspace of its own, whose limits no other attack has used up. */
  async function newTarget(): Promise<Target> {
    const { apiKey, apiSecret, ...attacker } = await createWorkspace(service);
    const [web, worker] = await Promise.all([service.webs[0]!.ready, service.workers[0]!.ready]);
    return {
      ...{ webPort: web.port!, webOpsPort: web.opsPort, workerOpsPort: worker.opsPort, keyId: client.apiKey },
      attacker: { key: { apiKey, apiSecret }, walletIds: [await attacker.wallet('1000'), await attacker.wallet()] },
    };
  }

  /** Under an attack the client is answered, and in the end the service owes nothing. */
  async function make(attack: Attack): Promise<void> {
    const running = await attack.start(await newTarget(), strength);
    onTestFinished(async () => {
      await running.stop();
    });
    const answers = Array.from({ length: 5 }, () => client.client.request('GET', '/api/v1/wallets'));
    await running.sent;
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    // What webhooks are answered comes later than what is sent.
    await waitFor(() => running.bytes() > 0, { timeoutMs: owedTimeoutMs, what: 'A byte of the attack' });
    await waitFor(() => running.owed().length === 0, { timeoutMs: owedTimeoutMs, what: 'That nothing is owed' });
  }

  it.each(attacks)('under $name a client with a key is answered, and the service owes nothing in the end', make);
  return { service: () => service, make };
}
