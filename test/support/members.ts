import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pTimeout from 'p-timeout';
import { readWebSettings, readWorkerSettings } from '../../src/settings/config.ts';
import { newInstanceId, type Running, type Start } from '../../src/lifecycle.ts';
import { createLogger } from '../../src/log.ts';
import { startWeb } from '../../src/web.ts';
import { startWorker } from '../../workers/worker.ts';
import type { Child, Exit } from '../../local/child.ts';
import { startServiceProcess, type ServiceReady } from '../../local/service-process.ts';
import './started.ts';
import { complaintMark, watchConnecting } from './workspace-watch.ts';

interface Instance {
  /** What of its instance's id no other has: in leases, in orders that it posted, and on the operator's page. */
  readonly ownId: string;
}

/** A web or a worker of a service, in a process of its own or inside this one. */
export type Member = Omit<Child<ServiceReady>, 'kill'> & Instance;
export type MemberProcess = Child<ServiceReady> & Instance;

export type Kind = 'web' | 'worker';

export interface MemberOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly onLine: (line: string) => void;
  readonly readyTimeoutMs?: number;
}

/** Resolves once it is ready. Rejects where it does not come to that, and nothing of it is left then. */
export type StartMember<M extends Member> = (kind: Kind, options: MemberOptions) => Promise<M>;

const entries = { web: 'src/main.ts', worker: 'workers/main.ts' };
const workspaceWatch = pathToFileURL(join(import.meta.dirname, 'watch-workspaces.ts')).href;
const usualReadyTimeoutMs = 60_000;

/** In a process of its own. */
export const startMemberProcess: StartMember<MemberProcess> = async (name, { env, onLine, readyTimeoutMs }) => {
  const child = await startServiceProcess({
    ...{ name, entry: entries[name], onLine },
    env: { ...env, NODE_OPTIONS: [env['NODE_OPTIONS'], `--import=${workspaceWatch}`].join(' ').trim() },
    ...(readyTimeoutMs === undefined ? {} : { readyTimeoutMs }),
  });
  await child.ready;
  return Object.assign(child, { ownId: `:${child.pid}:` });
};

/** Whose work connects to MongoDB, so that its clients are watched, and the tests' own are not. */
const complaining = new AsyncLocalStorage<(command: string) => void>();
watchConnecting(() => complaining.getStore());

/** Inside this process, with all that its process would have but for the process itself. */
export const startMemberHere: StartMember<Member> = async (kind, options) => {
  const { env, onLine, readyTimeoutMs = usualReadyTimeoutMs } = options;
  const stopping = new AbortController();
  const exited = Promise.withResolvers<Exit>();
  const instanceId = newInstanceId();
  const write = (line: string): void => {
    onLine(line.trimEnd());
  };
  const complain = (command: string): void => {
    onLine(`{${complaintMark},"command":${JSON.stringify(command)}}`);
  };
  const crash = (what: string): never => {
    exited.resolve({ code: 1, signal: null });
    throw new Error(`${kind} crashed: ${what}`);
  };
  const begin = <S extends { readonly LOG_LEVEL: string }>(settings: S, start: (of: Start<S>) => Promise<Running>) => {
    const { log, noteServer } = createLogger(kind, settings.LOG_LEVEL, { write });
    const given = {
      settings,
      log,
      noteServer,
      signal: stopping.signal,
      instanceId,
      crash,
      onAbandoned: () => undefined,
    };
    return complaining.run(complain, () => start(given));
  };
  const starting = kind === 'web' ? begin(readWebSettings(env), startWeb) : begin(readWorkerSettings(env), startWorker);
  const running = await pTimeout(starting, {
    milliseconds: readyTimeoutMs,
    message: `${kind} was not ready within ${readyTimeoutMs / 1_000} s`,
  }).catch((error: unknown) => {
    stopping.abort(error);
    // One that becomes ready too late is not left running.
    void starting.then(
      (late) => late.stop(),
      () => undefined,
    );
    throw error;
  });
  return {
    name: kind,
    pid: process.pid,
    ownId: instanceId,
    ready: Promise.resolve({ port: running.port, opsPort: running.opsPort }),
    exited: exited.promise,
    async stop(timeoutMs) {
      if (!stopping.signal.aborted) {
        stopping.abort(new Error('stopped'));
        const stopped = pTimeout(running.stop(), { milliseconds: timeoutMs });
        exited.resolve(
          stopped.then(
            () => ({ code: 0, signal: null }),
            (error: unknown) => {
              onLine(`${kind} failed to stop: ${String(error)}`);
              return { code: 1, signal: null };
            },
          ),
        );
      }
      return exited.promise;
    },
  };
};
