import { prettyFactory } from 'pino-pretty';
import { terminalText } from '../src/terminal-text.ts';

const NAME_WIDTH = 8;
const ELAPSED_EVERY_MS = 2_000;

export interface Logs {
  /** One line of a process: JSON log lines are made readable, others pass as they are. */
  line: (name: string, text: string) => void;
  /** A line of the stack itself. */
  say: (text: string) => void;
  /** Text without a prefix. */
  print: (text: string) => void;
  /** Says what is being waited for, with elapsed seconds, when it takes longer than a moment. */
  progress: <Value>(what: string, work: Promise<Value>) => Promise<Value>;
}

/** Readable logs of several processes on one stream, each line prefixed with its process's name. */
export function createLogs(out: NodeJS.WriteStream): Logs {
  const pretty = prettyFactory({
    colorize: out.isTTY,
    ignore: 'pid,hostname,name,event',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  const write = (name: string, text: string) => {
    for (const line of text.trimEnd().split('\n')) out.write(`${name.padEnd(NAME_WIDTH)} | ${line}\n`);
  };
  const say = (text: string) => {
    write('stack', terminalText(text));
  };
  return {
    say,
    line(name, text) {
      write(name, text.startsWith('{') ? pretty(safeEntry(text)) : terminalText(text));
    },
    print(text) {
      out.write(`${text}\n`);
    },
    async progress<Value>(what: string, work: Promise<Value>) {
      const startedAt = performance.now();
      const timer = setInterval(() => {
        say(`${what} ... ${Math.round((performance.now() - startedAt) / 1000)} s`);
      }, ELAPSED_EVERY_MS);
      try {
        return await work;
      } finally {
        clearInterval(timer);
      }
    },
  };
}

/** A log line whose texts cannot control the terminal: they are decoded, and pino-pretty shows a message as it is. */
function safeEntry(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? terminalText(value) : value));
  } catch {
    return terminalText(text);
  }
}
