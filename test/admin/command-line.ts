import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runAdmin, runAdminJson, type Ran } from '../support/admin.ts';

const ENTRY = join(import.meta.dirname, '../../src/admin/main.ts');

export interface CommandLine {
  /** Runs a command as it is typed, without a terminal. */
  run(...args: string[]): Promise<Ran>;
  /** Runs a command with --json; fails unless it succeeds. */
  json<Result = Record<string, unknown>>(...args: string[]): Promise<Result>;
}

export const masterKeys = `1:${randomBytes(32).toString('base64')}`;

/**
 * The admin command line in this process, with nothing of the servers' settings but what is given.
 * @param connectTimeoutMs for where a server is away.
 */
export function commandLine(settings: NodeJS.ProcessEnv, connectTimeoutMs?: number): CommandLine {
  const env = environment(settings);
  return {
    run: (...args) => runAdmin(args, env, connectTimeoutMs),
    json: <Result>(...args: string[]) => runAdminJson(args, env) as Promise<Result>,
  };
}

/**
 * Runs a command as a process of its own, which has to end by itself: for what main.ts does, and for standard input.
 * @param input a text on its standard input, which is no terminal.
 */
export async function runProcess(args: readonly string[], settings: NodeJS.ProcessEnv = {}, input = ''): Promise<Ran> {
  const child = spawn(process.execPath, [ENTRY, ...args], { env: environment(settings) });
  // A command that is called wrongly ends without reading.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, stdout, stderr };
}

function environment(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const noSettings = { MONGODB_URI: '', REDIS_URL: '', MASTER_KEYS: '', LOCAL_STACK_FILE: '/nonexistent/stack.json' };
  return { ...process.env, ...noSettings, ...settings };
}
