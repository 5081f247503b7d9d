import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Verified {
  /** Undefined where the command gave none. */
  summary: VerifySummary | undefined;
  /** Some of the breaches, as the command printed them. */
  breaches: string[];
  exitCode: number | null;
  seconds: number;
}

export interface VerifySummary {
  orders: number;
  flows: number;
  byStatus: Record<string, number>;
  breaches: number;
}

const adminEntry = join(import.meta.dirname, '../../../src/admin/main.ts');
/** Broken books may have a breach for every order. */
const breachesShownMax = 20;
const limitBaseMs = 120_000;
const limitPerOrderMs = 2;

/** Runs the administrator's own command, with its progress on standard error; killed where it takes far too long. */
export async function runVerify(env: NodeJS.ProcessEnv, orders: number, signal: AbortSignal): Promise<Verified> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [adminEntry, 'verify', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: limitBaseMs + limitPerOrderMs * orders,
    killSignal: 'SIGKILL',
    signal,
  });
  const breaches: string[] = [];
  let summary: VerifySummary | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const parsed = JSON.parse(line) as VerifySummary | { kind: string };
    if ('byStatus' in parsed) summary = parsed;
    else if (breaches.length < breachesShownMax) breaches.push(line);
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { summary, breaches, exitCode, seconds: (performance.now() - startedAt) / 1000 };
}
