import { execFile } from 'node:child_process';
import { z } from 'zod';

/** What the registry knows of the packages that the service runs with, in words for whoever runs the checks. */
interface Verdict {
  /** `unknown` where the registry did not say. */
  readonly state: 'clean' | 'vulnerable' | 'unknown';
  readonly text: string;
}

/** Whoever runs the checks is not kept waiting for a registry that does not answer. */
const answerMaxMs = 20_000;
const outputBytesMax = 16 * 1024 * 1024;
/** "Temporary failure" in sysexits.h: nothing was found, because nothing was looked at. */
const exitCodes = { clean: 0, vulnerable: 1, unknown: 75 } as const;
const severe: ReadonlySet<string> = new Set(['high', 'critical']);

/** What `npm audit --json` prints; an error of the registry's has none of this. */
const answered = z.object({
  metadata: z.object({ vulnerabilities: z.record(z.string(), z.number()) }),
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
});

// script/node script/audit.ts fails for a known vulnerability of level high or above in what the service runs with.
if (import.meta.main) {
  const { state, text } = await audit();
  process.stdout.write(`${text}\n`);
  process.exitCode = exitCodes[state];
}

/**
 * Asks npm, which sends the registry the names and versions of the lock file. What npm says of the registry itself is not
 * repeated: its address may be nobody's business.
 */
export async function audit(timeoutMs = answerMaxMs): Promise<Verdict> {
  const options = ['--package-lock-only', '--omit=dev', '--fetch-retries=0', `--fetch-timeout=${timeoutMs}`];
  const output = await printed('npm', ['audit', '--json', ...options], timeoutMs);
  const parsed = answered.safeParse(parseJson(output));
  if (!parsed.success) return { state: 'unknown', text: 'the registry answers no audit' };
  const found = Object.entries(parsed.data.vulnerabilities).filter(([, { severity }]) => severe.has(severity));
  if (found.length === 0) return { state: 'clean', text: 'nothing of level high or above is known' };
  const lines = found.map(([name, { severity, range }]) => `${name} ${range}: ${severity}`);
  return { state: 'vulnerable', text: `${lines.join('\n')}\nnpm audit says more` };
}

/** npm ends with 1 for what it found, and for what it could not ask: what it printed tells them apart. */
function printed(command: string, args: readonly string[], timeoutMs: number): Promise<string> {
  const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: outputBytesMax } as const;
  return new Promise((resolve) => {
    execFile(command, args, { ...limits, cwd: `${import.meta.dirname}/..` }, (_error, stdout) => {
      resolve(stdout);
    });
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
