import { describe, it } from 'vitest';
import { findsNothing, fuzz } from './fuzz-process.ts';

const requests = 5_000;
const timeoutMs = 600_000;

// Beside each other: most of the first one's time is waiting.
describe.concurrent('npm run test:fuzz', { timeout: timeoutMs }, () => {
  it(`finds nothing in ${requests} requests`, () => findsNothing(requests));

  it('sends one request alone, and shows what went over the wire', async ({ expect }) => {
    const { code, output, errors } = await fuzz('--seed', '1', '--only', '3');
    expect(code, output + errors).toBe(0);
    expect(output).toMatch(/^sent 3 \([a-zA-Z ]+\): ./m);
  });
});
