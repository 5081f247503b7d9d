import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { seedMax } from '../faults/options.ts';

/** Most of it is waiting, once all is sent, for the service to give up clients that neither read nor send. */
const timeoutMs = 600_000;
const requests = 5_000;

async function fuzz(...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args]);
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, errors };
}

// Beside each other: most of the first one's time is that wait.
describe.concurrent('npm run test:fuzz', () => {
  const seed = randomInt(seedMax);

  it(`finds nothing in ${requests} requests of seed ${seed}`, { timeout: timeoutMs }, async ({ expect }) => {
    const { code, output, errors } = await fuzz('--requests', String(requests), '--seed', String(seed));
    expect(code, output + errors).toBe(0);
    expect(output).toContain('Everything held.');
    // What is accepted shows that the rest is refused for what is wrong with it.
    const accepted = Number(/\b200 2000: (\d+)/.exec(output)?.[1]);
    expect(accepted).toBeGreaterThan(requests / 20);
    expect(Number(/^orders +(\d+) made$/m.exec(output)?.[1])).toBeGreaterThan(0);
  });

  it('sends one request alone, and shows what went over the wire', { timeout: timeoutMs }, async ({ expect }) => {
    const { code, output, errors } = await fuzz('--seed', '1', '--only', '3');
    expect(code, output + errors).toBe(0);
    expect(output).toMatch(/^sent 3 \([a-zA-Z ]+\): ./m);
  });

  it('refuses what it does not know with 2, and says what there is', async ({ expect }) => {
    expect(await fuzz('--request', '3000')).toMatchObject({
      code: 2,
      errors: 'There is no option --request; there are --requests, --seed, --only, --help.\n',
    });
    expect(await fuzz('--requests', '10')).toMatchObject({ code: 2, output: '' });
    expect((await fuzz('--help')).output).toContain('--only NUMBER');
  });
});
