import { join } from 'node:path';
import { LOG_FILE, STOP_SIGNALS, startInBackground, stopInBackground } from './background.ts';
import { bannerOf } from './banner.ts';
import { openDataFolder, type DataFolder } from './data-folder.ts';
import { startGuard } from './guard-process.ts';
import { terminalText } from '../src/terminal-text.ts';
import { createLogs, type Logs } from './logs.ts';
import { readOptions, USAGE, UsageError, type Options } from './options.ts';
import { PROCESS_LIST, takeDataFolder, type ProcessList } from './process-list.ts';
import { expectFreePorts, readServiceSettings, type ServiceSettings } from './service-settings.ts';
import { startStack } from './stack.ts';
import { watchStandardOutput } from './standard-output.ts';

const PROJECT_ROOT = join(import.meta.dirname, '..');

const output = watchStandardOutput('script/start');
process.exitCode = await output.exitCodeAfter(await main(process.argv.slice(2)));

async function main(args: string[]): Promise<number> {
  const logs = createLogs(process.stdout);
  try {
    const options = readOptions(args, PROJECT_ROOT);
    if (options.help) {
      logs.print(USAGE);
      return 0;
    }
    if (!options.stop && !options.background) return await runInFolder(options, logs);
    await (options.stop ? stopInBackground : startInBackground)(options, logs.print);
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`script/start: ${terminalText(message)}\n`);
    if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function runInFolder(options: Options, logs: Logs): Promise<number> {
  const settings = readServiceSettings(process.env);
  const folder = await openDataFolder(options.dataDir);
  const processes = await takeDataFolder(folder, logs.say);
  const stopped = stopSignals();
  try {
    await expectFreePorts(settings);
    if (options.fresh) await folder.empty([PROCESS_LIST, LOG_FILE]);
    const guard = await startGuard(folder, processes);
    const exitCode = await runUntilStopped({ options, settings, folder, processes, logs, ...stopped });
    await processes.release();
    await guard.close();
    return exitCode;
  } finally {
    await processes.release();
  }
}

interface Run {
  options: Options;
  settings: ServiceSettings;
  folder: DataFolder;
  processes: ProcessList;
  logs: Logs;
  first: Promise<string>;
  second: Promise<void>;
}

/** Returns the exit code: 0 if it was asked to stop, 1 if something did not start or was lost. */
async function runUntilStopped({ options, settings, folder, processes, logs, first, second }: Run): Promise<number> {
  const lost = Promise.withResolvers<string>();
  const stack = startStack({ folder, processes, settings, workers: options.workers, logs, onLost: lost.resolve });
  void second.then(() => {
    logs.say('Killing everything');
    stack.kill();
  });
  const failed = stack.started.then(
    (started) => {
      logs.print(bannerOf(started, folder));
      return lost.promise;
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const end = await Promise.race([
    first.then((signal) => ({ exitCode: 0, why: `${signal}: stopping (once more kills at once)` })),
    failed.then((reason) => ({ exitCode: 1, why: reason })),
  ]);
  logs.say(end.why);
  await stack.stop();
  logs.say('Stopped.');
  return end.exitCode;
}

function stopSignals(): Pick<Run, 'first' | 'second'> {
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<undefined>();
  let count = 0;
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      count += 1;
      if (count === 1) first.resolve(signal);
      // A terminal that closes sends SIGHUP by itself, so that does not count as a second request to stop.
      else if (signal !== 'SIGHUP') second.resolve(undefined);
    });
  }
  // Nobody can read the logs any more, as after `script/start | head`.
  void output.failed.then(({ message }) => {
    first.resolve(`standard output failed: ${message}`);
  });
  return { first: first.promise, second: second.promise };
}
