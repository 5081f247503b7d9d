import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { describeMisspelt, findMisspelt, SettingsError } from './settings/config.ts';
import { createLogger, type Logger } from './log.ts';
import { terminalText } from './terminal-text.ts';

/** What a process is started with. */
export interface Start<Settings> {
  readonly settings: Settings;
  readonly log: Logger;
  /** Tells the log whether a server is away, so that it leaves out what fails for that. */
  readonly noteServer: (server: string, isAway: boolean) => void;
  /** Aborts when the process gets a signal to stop. */
  readonly signal: AbortSignal;
  /** Names this start of the process. See {@link newInstanceId}. */
  readonly instanceId: string;
  /**
   * Ends at once a process that can no longer do its work. Its supervisor starts it again, and others find and finish its work.
   * @param what went wrong, for the log.
   */
  readonly crash: (what: string) => never;
  /** Names what is to be done if the process is told to stop before it has started: there is nothing else to stop then. */
  readonly onAbandoned: (work: () => Promise<unknown>) => void;
}

/** A process that does its work. */
export interface Running {
  /** Of the API; undefined in a process that has none. */
  readonly port?: number;
  readonly opsPort: number;
  /** Stops it in order, without losing what it has accepted. */
  stop(): Promise<void>;
}

const startIdBytes = 4;
/** A process that has not stopped this long after its drain delay is ended. Others find and finish its work. */
const stopTimeoutMs = 14_000;

interface ProcessSettings {
  readonly LOG_LEVEL: string;
  readonly DRAIN_DELAY?: number;
}

/**
 * Runs a process from start to end: it starts, runs, drains, stops.
 * - Wrong settings are one message on standard error, and exit code 1; any other error during the start is one line in the log.
 * - SIGTERM lets it go on for DRAIN_DELAY seconds, so that others can learn that it drains. SIGINT does not, because a person
 *   who pressed Ctrl-C waits for it.
 * - Then it stops in order, with exit code 0; a second signal ends it at once.
 * @param start brings everything up.
 */
export function runProcess<Settings extends ProcessSettings>(
  name: string,
  readSettings: () => Settings,
  start: (start: Start<Settings>) => Promise<Running>,
): void {
  let settings: Settings;
  try {
    settings = readSettings();
  } catch (error) {
    if (error instanceof SettingsError) refuse(name, error);
    throw error;
  }
  const { log, noteServer } = createLogger(name, settings.LOG_LEVEL);
  // Not as `name`, which is the process's.
  for (const each of findMisspelt()) log.warn({ setting: each.name, meant: each.meant }, describeMisspelt(each));
  const stopping = new AbortController();
  let abandon = (): Promise<unknown> => Promise.resolve();
  const starting = start({
    settings,
    log,
    noteServer,
    signal: stopping.signal,
    instanceId: newInstanceId(),
    crash(what) {
      log.fatal({ event: 'crashed' }, `${what}; ending, to be started again`);
      process.exit(1);
    },
    onAbandoned: (work) => {
      abandon = work;
    },
  });

  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping.signal.aborted) {
      log.warn({ signal }, 'second signal: ending at once');
      process.exit(1);
    }
    log.info({ event: 'stopping', signal }, 'stopping');
    stopping.abort(new Error(`stopped by ${signal}`));
    const started = starting.catch(() => abandon().then(() => undefined));
    void stop(started, log, signal === 'SIGTERM' ? (settings.DRAIN_DELAY ?? 0) * 1_000 : 0);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    process.exit(1);
  });
  starting.catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    if (error instanceof SettingsError) refuse(name, error);
    log.fatal({ err: error }, 'could not start');
    process.exit(1);
  });
}

/**
 * A name for this start of the process, in the orders that it posts, in leases and on the operator's page. Each start has
 * its own. In a container, host name and process id are the same at every start; under the same name, a restarted process
 * would hide that the transactions of the one before are still open.
 */
export function newInstanceId(): string {
  return `${hostname()}:${process.pid}:${randomBytes(startIdBytes).toString('hex')}`;
}

function refuse(name: string, { message }: SettingsError): never {
  process.stderr.write(`${name}: ${terminalText(message)}\n`);
  process.exit(1);
}

async function stop(started: Promise<Running | undefined>, log: Logger, drainDelayMs: number): Promise<void> {
  setTimeout(() => {
    log.error({ stopTimeoutMs, drainDelayMs }, 'did not stop in time: ending');
    process.exit(1);
  }, drainDelayMs + stopTimeoutMs).unref();
  // A process that is stopped during its start has nothing to drain.
  const running = await started.catch(() => undefined);
  if (running !== undefined && drainDelayMs > 0) await delay(drainDelayMs);
  try {
    await running?.stop();
    log.info({ event: 'stopped' }, 'stopped');
    process.exit(0);
  } catch (error) {
    log.error({ err: error }, 'failed to stop in order');
    process.exit(1);
  }
}
