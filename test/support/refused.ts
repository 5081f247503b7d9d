import { expect } from 'vitest';
import { startServiceProcess } from '../../local/service-process.ts';
import type { Kind } from './members.ts';
import type { RunningService } from './service.ts';

/**
 * Starts a process with settings that are not those of the service. It has to end with code 1, and one message.
 * @returns what it said, and what of its instance's id no other has.
 */
export async function startRefused(
  { env }: Pick<RunningService, 'env'>,
  kind: Kind,
  more: NodeJS.ProcessEnv,
): Promise<{ said: string; ownId: RegExp }> {
  const lines: string[] = [];
  const child = await startServiceProcess({
    name: kind,
    entry: kind === 'web' ? 'src/main.ts' : 'workers/main.ts',
    env: { ...env, ...more },
    onLine: (line) => lines.push(line),
  });
  await expect(child.ready).rejects.toThrow('ended before it was ready (exit code 1)');
  // Its log is in JSON. What it ends with is for a person.
  const said = lines.filter((line) => !line.startsWith('{')).join('\n');
  expect(said).toMatch(new RegExp(`^${kind}: `));
  expect(said).not.toMatch(/^ +at /m);
  return { said, ownId: new RegExp(`:${child.pid}:`) };
}
