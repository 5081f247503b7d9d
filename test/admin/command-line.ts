import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const ENTRY = join(import.meta.dirname, '../../src/admin/main.ts');

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CommandLine {
  /** Runs a command as it is typed, without a terminal. */
  run(...args: string[]): Promise<Ran>;
  /** The same, with a text on its standard input. */
  runWith(input: string, ...args: string[]): Promise<Ran>;
  /** Runs a command with --json; fails unless it succeeds. */
  json<Result = Record<string, unknown>>(...args: string[]): Promise<Result>;
}

export const masterKeys = `1:${randomBytes(32).toString('base64')}`;

/** The admin command line as a child process, with nothing of the servers' settings but what is given. */
export function commandLine(settings: NodeJS.ProcessEnv): CommandLine {
  const noSettings = { MONGODB_URI: '', REDIS_URL: '', MASTER_KEYS: '', LOCAL_STACK_FILE: '/nonexistent/stack.json' };
  const env = { ...process.env, ...noSettings, ...settings };
  const runWith = async (input: string, ...args: string[]): Promise<Ran> => {
    const child = spawn(process.execPath, [ENTRY, ...args], { env });
    // A command that is called wrongly ends without reading.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
    return { code, stdout, stderr };
  };
  const run = (...args: string[]): Promise<Ran> => runWith('', ...args);
  return {
    run,
    runWith,
    async json<Result>(...args: string[]) {
      const { code, stdout, stderr } = await run(...args, '--json');
      if (code !== 0) throw new Error(`${args.join(' ')} ended with exit code ${code ?? 'none'}: ${stderr}`);
      return JSON.parse(stdout) as Result;
    },
  };
}
