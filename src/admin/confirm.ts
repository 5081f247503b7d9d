import { createInterface } from 'node:readline/promises';
import { terminalLine } from '../terminal-text.ts';
import { CommandError, UsageError } from './failures.ts';

/**
 * Asks on the terminal before something that cannot simply be undone.
 * @throws UsageError there is no terminal to ask on; CommandError the answer was no.
 */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError(`${question} There is no terminal to ask on: add --yes.`);
  // On standard error, because standard output may be read by a program.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new AbortController();
  terminal.once('close', () => {
    closed.abort();
  });
  try {
    const answer = await terminal
      .question(`${terminalLine(question)} [y/N] `, { signal: closed.signal })
      .catch(() => '');
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('not confirmed: nothing was changed');
  } finally {
    terminal.close();
  }
}
