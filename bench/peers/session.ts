import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How `psql` is started, as whom. */
export interface SessionProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

/** One connection to PostgreSQL, with one statement at a time on its way. */
export interface Session {
  /** @returns the one row, with its one value, that the statement answers. @throws where PostgreSQL refuses it, for good. */
  ask(statement: string): Promise<string>;
  close(): void;
}

/** Opens a connection by a `psql` that is told its statements one after the other. */
export function openSession({ program, args, ...user }: SessionProgram): Session {
  const child = spawn(program, args, { ...user, stdio: ['pipe', 'pipe', 'inherit'] });
  let waiting: PromiseWithResolvers<string> | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => waiting?.resolve(line));
  child.once('exit', () => waiting?.reject(new Error('PostgreSQL refused a statement')));
  return {
    ask(statement) {
      waiting = Promise.withResolvers<string>();
      child.stdin.write(`${statement};\n`);
      return waiting.promise;
    },
    close: () => child.stdin.end(),
  };
}
