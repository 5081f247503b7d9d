import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Json, JsonObject } from './case.ts';
import { isList, isObject } from './write-out.ts';

export interface Outcome {
  readonly result?: Json;
  readonly error?: JsonObject;
  readonly before?: Json;
  readonly sent?: Json;
  readonly pausesMs?: Json;
}

export interface Hello {
  readonly client: string;
  readonly capabilities: readonly string[];
}

/** A program of a client's that makes the calls it is told. */
export interface Driver {
  readonly hello: Hello;
  /** @throws Error where the driver ends, or writes what is no answer, before it answered. */
  call(call: JsonObject): Promise<Outcome>;
  abort(id: number): void;
  /** What it wrote since this was asked for last: its lines and what it had to complain of. */
  takeWritten(): string;
  isRunning(): boolean;
  /** Resolves once it has ended: by itself, or by force. */
  stop(): Promise<void>;
}

interface Pending {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

const helloMaxMs = 30_000;
const endMaxMs = 3_000;
const writtenMax = 1024 * 1024;
const complaintsMax = 2_000;

/** @throws Error where the program cannot be started, or does not say what it is in time. */
export async function startDriver(command: readonly string[]): Promise<Driver> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const pending = new Map<number, Pending>();
  const greeted = Promise.withResolvers<Hello>();
  const ended = Promise.withResolvers<undefined>();
  let written = '';
  let complaints = '';
  let isRunning = true;

  const keep = (text: string): void => {
    written = (written + text).slice(-writtenMax);
  };
  function fail(why: string): void {
    const error = new Error(complaints === '' ? why : `${why} It wrote: ${complaints}`);
    greeted.reject(error);
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  }
  function end(why: string): void {
    isRunning = false;
    fail(why);
    ended.resolve(undefined);
  }
  child.on('error', (error) => {
    end(`The driver cannot be started: ${error.message}.`);
  });
  child.on('close', (code, signal) => {
    end(`The driver ended with ${signal ?? code ?? 'nothing'}.`);
  });
  // It may end before it has read all: its end tells.
  child.stdin.on('error', () => undefined);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    keep(text);
    complaints = (complaints + text).slice(-complaintsMax);
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    keep(`${line}\n`);
    const message = parse(line);
    if (isHello(message?.['hello'])) greeted.resolve(message['hello']);
    else if (typeof message?.['id'] === 'number') {
      pending.get(message['id'])?.resolve(message);
      pending.delete(message['id']);
    } else fail(`The driver wrote what is no answer: ${line.slice(0, complaintsMax)}.`);
  });
  const timer = setTimeout(() => {
    fail(`The driver said nothing of itself within ${helloMaxMs} ms.`);
  }, helloMaxMs);
  const stop = async (): Promise<void> => {
    child.stdin.end();
    const force = setTimeout(() => child.kill('SIGKILL'), endMaxMs);
    await ended.promise;
    clearTimeout(force);
  };
  const hello = await greeted.promise.catch(async (error: unknown) => {
    child.kill('SIGKILL');
    await ended.promise;
    throw error;
  });
  clearTimeout(timer);
  return {
    hello,
    call(call) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      if (!isRunning) throw new Error('The driver has ended.');
      pending.set(call['id'] as number, { resolve, reject });
      child.stdin.write(`${JSON.stringify(call)}\n`);
      return promise;
    },
    abort: (id) => void child.stdin.write(`${JSON.stringify({ abort: id })}\n`),
    takeWritten() {
      const taken = written;
      written = '';
      return taken;
    },
    isRunning: () => isRunning,
    stop,
  };
}

function parse(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isHello(value: unknown): value is JsonObject & Hello {
  return isObject(value) && typeof value['client'] === 'string' && isList(value['capabilities']);
}
