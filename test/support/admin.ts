import { Writable } from 'node:stream';
import { runCommand } from '../../src/admin/run.ts';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** No request is under way when a test ends a workspace, unless it says otherwise. */
const noneMs = 0;

/**
 * Runs an admin command in this process, as it runs in one of its own but for that process's start. Several may run at once.
 * @param env all the settings there are. @param connectTimeoutMs for where a server is away.
 */
export async function runAdmin(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  connectTimeoutMs?: number,
  requestsEndMs = noneMs,
): Promise<Ran> {
  const [stdout, stderr] = [collector(), collector()];
  const code = await runCommand(args, {
    env,
    connectTimeoutMs,
    requestsEndMs,
    stdout: stdout.stream,
    stderr: stderr.stream,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** The same with --json. @returns what it printed. @throws with what it complained of, unless it succeeds. */
export async function runAdminJson(args: readonly string[], env: NodeJS.ProcessEnv): Promise<unknown> {
  const { code, stdout, stderr } = await runAdmin([...args, '--json'], env);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with exit code ${code ?? 'none'}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

function collector(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
