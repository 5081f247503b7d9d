import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How long a process may take from its start to its ready line; a busy machine needs more than half a minute. */
const READY_TIMEOUT_MS = 60_000;
/** How much of a failed process's output its error quotes. */
const QUOTED_LINES_MAX = 12;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child<Ready> {
  name: string;
  pid: number;
  /** Resolves with what the ready line says. If that takes too long, it rejects, and the process is killed. */
  ready: Promise<Ready>;
  exited: Promise<Exit>;
  kill(signal: NodeJS.Signals): void;
  /** SIGTERM, then SIGKILL after `timeoutMs`. Repeating it is harmless. */
  stop(timeoutMs: number): Promise<Exit>;
}

export interface ChildOptions<Ready> {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Parses the line of output that says that the process is ready; undefined for any other line. */
  readyFrom?: (line: string) => Ready | undefined;
  /** For a process that does not print such a line: resolves when it is ready, and gives up when the signal aborts. */
  readyProbe?: (givenUp: AbortSignal) => Promise<Ready>;
  onLine: (line: string) => void;
  /** In a process group of its own, so that a terminal's Ctrl-C reaches only the process that stops the others in order. */
  detached?: boolean;
  readyTimeoutMs?: number;
}

/** Starts a process and reads its output by lines. Throws where it cannot be started at all. */
export async function startChild<Ready>(options: ChildOptions<Ready>): Promise<Child<Ready>> {
  const { name } = options;
  const child = spawn(options.command, options.args, {
    env: options.env,
    detached: options.detached ?? false,
    // Nothing is written to its standard input. When that closes, the child can tell that this process has ended.
    stdio: 'pipe',
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => {
      reject(new Error(`${name} could not be started: ${cause.message}`, { cause }));
    });
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal });
    });
  });
  const ready = readyOf(options, exited, (onLine) => {
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
  });
  // A process that is not ready in time is of no use.
  ready.catch(() => child.kill('SIGKILL'));
  return {
    name,
    pid: child.pid ?? 0,
    ready,
    exited,
    kill(signal) {
      child.kill(signal);
    },
    async stop(timeoutMs) {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      try {
        return await exited;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function readyOf<Ready>(
  options: ChildOptions<Ready>,
  exited: Promise<Exit>,
  readLines: (onLine: (line: string) => void) => void,
): Promise<Ready> {
  const { name, readyTimeoutMs = READY_TIMEOUT_MS } = options;
  const lastLines: string[] = [];
  const settled = new AbortController();
  return new Promise<Ready>((resolve, reject) => {
    const succeed = (ready: Ready) => {
      settled.abort();
      clearTimeout(timer);
      resolve(ready);
    };
    const fail = (what: string) => {
      settled.abort();
      clearTimeout(timer);
      reject(new Error([`${name} ${what}`, ...lastLines].join('\n  ')));
    };
    const timer = setTimeout(() => {
      fail(`was not ready within ${readyTimeoutMs / 1000} s`);
    }, readyTimeoutMs);
    readLines((line) => {
      lastLines.push(line);
      if (lastLines.length > QUOTED_LINES_MAX) lastLines.shift();
      const found = options.readyFrom?.(line);
      if (found !== undefined) succeed(found);
      options.onLine(line);
    });
    options.readyProbe?.(settled.signal).then(succeed, () => undefined);
    void exited.then((exit) => {
      fail(`ended before it was ready (${describeExit(exit)})`);
    });
  });
}

/** An exit in words: `exit code 1`, `SIGKILL`. */
export function describeExit({ code, signal }: Exit): string {
  return signal ?? `exit code ${code ?? 'unknown'}`;
}
