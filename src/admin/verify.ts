import type { Command } from 'commander';
import { openBooks } from '../storage/books.ts';
import { verify } from '../verify/verify.ts';
import { breachKinds, type Breach } from '../verify/breach.ts';
import { CommandError } from './failures.ts';
import { withSession, type Session } from './session.ts';

const kindWidth = Math.max(...Object.keys(breachKinds).map(({ length }) => length));

export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description('check the books: every breach is a line; exit code 1 if there is any')
    .addHelpText(
      'after',
      `\nWith --json each breach is a line of JSON, and the last line is the summary.\n\n${moments}\n\n${kinds()}`,
    )
    .action(withSession(verifyBooks));
}

const moments = [
  'Orders may be posted meanwhile. Of which moment the figures are, by MongoDB’s clock:',
  '  asOf             the sums; orders completed by then must have their flows, ordersSince counts later ones',
  '  flowsReadUntil   wallets and flows are those found between asOf and then',
  '  ordersReadUntil  orders and byStatus are those found between flowsReadUntil and then',
].join('\n');

function kinds(): string {
  const lines = Object.entries(breachKinds).map(([kind, rule]) => `  ${kind.padEnd(kindWidth)}  ${rule}`);
  return ['Kinds of breach:', ...lines].join('\n');
}

async function verifyBooks(_: object, { host: { output }, storage, isJson }: Session): Promise<undefined> {
  const onBreach = (breach: Breach): void => {
    output.progress('');
    if (isJson) output.json(breach);
    else output.line(`${breach.kind}  ${breach.id}  ${breach.message}`);
  };
  const summary = await verify(openBooks(storage.client, storage.db), onBreach, (book, done, total) => {
    output.progress(`${book}: ${done}${total === undefined ? '' : ` of about ${total}`}`);
  });
  output.progress('');
  if (isJson) output.json(summary);
  else output.print({ ...summary }, false);
  if (summary.breaches > 0)
    throw new CommandError(
      `the books are not sound: ${summary.breaches} ${summary.breaches === 1 ? 'breach' : 'breaches'}, listed above`,
    );
  return undefined;
}
