import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ServiceProcesses } from '../support/service.ts';

/**
 * Runs a client's program, which prints a line for each transfer that it made, and kills the web process after so many.
 * @param command with its arguments. @returns what its last line tells, which is JSON.
 */
export async function runWhileWebIsKilled<Told>(
  service: ServiceProcesses,
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  killedAfter: number,
): Promise<Told> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = 0;
  let last = '{}';
  for await (const line of createInterface({ input: child.stdout })) {
    last = line;
    lines += 1;
    if (lines === killedAfter) await replaceWeb(service);
  }
  return JSON.parse(last) as Told;
}

/** Kills the web process, and starts another at its port: the client meets refused connections until it listens. */
async function replaceWeb(service: ServiceProcesses): Promise<void> {
  const killed = service.webs.at(-1)!;
  const { port = 0 } = await killed.ready;
  killed.kill('SIGKILL');
  await killed.exited;
  await service.startWeb({ PORT: String(port) });
}
