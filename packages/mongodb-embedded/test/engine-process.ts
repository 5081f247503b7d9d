import { join } from 'node:path';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The engine as a process of its own, as the local stack runs it. */
export interface EngineProcess {
  child: ChildProcess;
  uri: string;
  port: number;
  /** Ends it with a signal and gives its exit code (null when the signal killed it). */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const entry = join(import.meta.dirname, '../src/main.ts');

/** Starts it and waits until it says that it is ready. Rejects with what it wrote when it ends before that. */
export async function spawnEngine(options: string[]): Promise<EngineProcess> {
  const child = spawn(process.execPath, [entry, ...options], { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => {
      reject(new Error(`exit ${String(code)}: ${errors}`));
    });
  });
  const { uri, port } = JSON.parse(line) as { uri: string; port: number };
  return {
    ...{ child, uri, port },
    async end(signal) {
      const exited = once(child, 'exit') as Promise<[number | null]>;
      child.kill(signal);
      return (await exited)[0];
    },
  };
}
