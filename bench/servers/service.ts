import { startServiceProcess } from '../../local/service-process.ts';

export interface ServiceProcess {
  readonly pid: number;
  /** Undefined for a worker. */
  readonly port: number | undefined;
  readonly opsPort: number;
  /** SIGTERM; throws unless it exits with 0. What was killed has ended already. */
  stop(): Promise<void>;
  /** SIGKILL, and the wait for its end. */
  kill(): Promise<void>;
}

/** Told each line of a process's output. */
export type OnLine = (kind: keyof typeof entries, line: string) => void;

const entries = { web: 'src/main.ts', worker: 'workers/main.ts' } as const;
const stopTimeoutMs = 20_000;

/** Starts one process of the product as an operator would, and waits until it is ready. */
export async function startService(
  kind: keyof typeof entries,
  env: NodeJS.ProcessEnv,
  profileFolder?: string,
  onLine?: OnLine,
): Promise<ServiceProcess> {
  const lines: string[] = [];
  const child = await startServiceProcess({
    name: kind,
    entry: entries[kind],
    env: profileFolder === undefined ? env : { ...env, NODE_OPTIONS: profiling(kind, profileFolder) },
    onLine: (line) => {
      onLine?.(kind, line);
      if (isComplaint(line)) lines.push(line);
    },
  });
  const { port, opsPort } = await child.ready;
  let isKilled = false;
  return {
    pid: child.pid,
    port,
    opsPort,
    async kill() {
      isKilled = true;
      child.kill('SIGKILL');
      await child.exited;
    },
    async stop() {
      if (isKilled) return;
      const { code } = await child.stop(stopTimeoutMs);
      if (code !== 0) throw new Error([`a ${kind} process did not end in order`, ...lines.slice(-10)].join('\n'));
    },
  };
}

function profiling(kind: string, folder: string): string {
  return `--cpu-prof --cpu-prof-dir=${folder} --cpu-prof-name=${kind}.cpuprofile`;
}

/** Errors and what is no log line at all; they are quoted where a process does not end well. */
function isComplaint(line: string): boolean {
  return !line.startsWith('{') || /"level":("?(error|fatal)"?|[56]0)/.test(line);
}
