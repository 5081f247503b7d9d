import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../../support/program.ts';

const timeoutMs = 120_000;

it(
  'npm run test:million posts every order once though jobs come twice, and finds the books sound',
  { timeout: timeoutMs },
  async () => {
    const args = ['--orders', '3000', '--workers', '1', '--doubled', '10', '--seed', '1'];
    const { code, output, errors } = await runProgram(join(import.meta.dirname, 'main.ts'), args);
    expect(code, output + errors).toBe(0);
    expect(output).toMatch(/^orders +3800 COMPLETED, 150 FAILED;/m);
    expect(output).toMatch(/^jobs +275, of which 25 for the second time;/m);
    expect(output).toMatch(/^doubled +300 orders: [1-9]/m);
    expect(output).toContain('Everything held.');
  },
);
