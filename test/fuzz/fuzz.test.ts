import { describe, it } from 'vitest';
import { findsNothing, fuzz } from './fuzz-process.ts';

/** Most of it is waiting, once all is sent, for the service to give up clients that neither read nor send. */
const timeoutMs = 600_000;
const requests = 500;

// Beside each other: most of the first one's time is that wait.
describe.concurrent('npm run test:fuzz', () => {
  it(`finds nothing in ${requests} requests`, { timeout: timeoutMs }, () => findsNothing(requests));

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
