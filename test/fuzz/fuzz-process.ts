import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import { seedMax } from '../support/command-line.ts';
import { runProgram } from '../support/program.ts';

/** Sends so many requests of a seed by chance, and expects that everything holds. */
export async function findsNothing(requests: number): Promise<void> {
  const args = ['--requests', String(requests), '--seed', String(randomInt(seedMax))];
  const { code, output, errors } = await runProgram(join(import.meta.dirname, 'main.ts'), args);
  expect(code, output + errors).toBe(0);
  expect(output).toContain('Everything held.');
  // What is accepted shows that the rest is refused for what is wrong with it.
  const accepted = Number(/\b200 2000: (\d+)/.exec(output)?.[1]);
  expect(accepted).toBeGreaterThan(requests / 20);
  expect(Number(/^orders +(\d+) made$/m.exec(output)?.[1])).toBeGreaterThan(0);
}
