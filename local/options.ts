import { parseArgs } from 'node:util';
import { resolve } from 'node:path';

const WORKERS_MAX = 64;

export interface Options {
  dataDir: string;
  fresh: boolean;
  workers: number;
  /** Whether to come back once everything is ready, or has ended. */
  background: boolean;
  stop: boolean;
  help: boolean;
}

export const USAGE = `Usage: script/start [--workers N] [--data DIR] [--fresh] [--background]
       script/start --stop [--data DIR]

Starts Redis, MongoDB, the web process, the workers and a process that sends webhooks, and stops them on Ctrl-C.

  --workers N   worker processes that post (default 2)
  --data DIR    folder that keeps data between runs (default .data in this project)
  --fresh       begin anew: empty that folder first
  --background  return once everything is ready; its output is in DIR/start.log, and what programs need in DIR/env
  --stop        stop the stack of that folder, and return once it has ended
  --help        this text

Settings from the environment:
  PORT (3000), HOST (127.0.0.1)        where the API listens; HOST=0.0.0.0 for other machines too
  OPS_PORT (3001), OPS_HOST (127.0.0.1)  where health, metrics and the queue dashboard listen
  MONGODB_URI, REDIS_URL               servers of your own, used instead of starting any
  REDIS_PORT                           port of the Redis that is started (default: any free port)
  MASTER_KEYS, LOG_LEVEL               passed on to the web process and the workers
`;

/** Thrown for a wrong command line; its message is for the user. */
export class UsageError extends Error {}

/** Reads script/start's command line. Throws UsageError if it is wrong. */
export function readOptions(args: string[], projectRoot: string): Options {
  const values = parse(args);
  const workers = Number(values.workers ?? 2);
  if (!Number.isInteger(workers) || workers < 1 || workers > WORKERS_MAX) {
    throw new UsageError(`--workers takes a whole number from 1 to ${WORKERS_MAX}.`);
  }
  const dataDir = values.data === undefined ? resolve(projectRoot, '.data') : resolve(values.data);
  return {
    workers,
    dataDir,
    fresh: values.fresh ?? false,
    background: values.background ?? false,
    stop: values.stop ?? false,
    help: values.help ?? false,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        workers: { type: 'string' },
        data: { type: 'string' },
        fresh: { type: 'boolean' },
        background: { type: 'boolean' },
        stop: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
