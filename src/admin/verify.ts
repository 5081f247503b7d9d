import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import { openBooks } from '../storage/books.ts';
import { AnchorError, createAnchorFile, readAnchor, type AnchorKey, type Head } from '../verify/anchor.ts';
import { verify } from '../verify/verify.ts';
import { breachKinds, type Breach } from '../verify/breach.ts';
import { CommandError, orFail } from './failures.ts';
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
    .option('--write-anchor <file>', "if the books are sound, write where each wallet's chain of flows ends")
    .option('--against <file>', 'find what was rewritten, shortened or removed since that anchor was written')
    .option('--yes', 'replace an anchor without asking')
    .action(
      withSession<AnchorOptions>(verifyWithAnchor, {
        question: ({ writeAnchor }) =>
          writeAnchor !== undefined && existsSync(writeAnchor) ? `Replace ${writeAnchor}?` : undefined,
      }),
    );
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

interface AnchorOptions {
  readonly writeAnchor?: string;
  readonly against?: string;
}

async function verifyWithAnchor({ writeAnchor, against }: AnchorOptions, session: Session): Promise<undefined> {
  const keyOf = writeAnchor === undefined && against === undefined ? () => undefined : await anchorKeys(session);
  const file = against === undefined ? undefined : await open(against).catch(cannotBe('read', against));
  const anchor =
    writeAnchor === undefined
      ? undefined
      : await createAnchorFile(writeAnchor, newest(session, keyOf), session.clock()).catch(
          cannotBe('written', writeAnchor),
        );
  try {
    // Once to its end first, because only then it is known to be right.
    if (file !== undefined) await drain(readAnchor(file, keyOf));
    await verifyBooks(session, { onHead: anchor?.add, anchored: file && readAnchor(file, keyOf) });
    const heads = await anchor?.commit();
    if (heads !== undefined) session.host.output.complain(`anchor written: ${heads} heads\n`);
  } catch (error) {
    if (error instanceof AnchorError) throw new CommandError(`${against ?? ''}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    await anchor?.discard();
    await file?.close();
  }
  return undefined;
}

async function drain(heads: AsyncGenerator<Head>): Promise<void> {
  let read = await heads.next();
  while (read.done !== true) read = await heads.next();
}

function cannotBe(what: string, path: string) {
  return (cause: Error): never => {
    throw new CommandError(`${path} cannot be ${what}: ${cause.message}`, { cause });
  };
}

/** A canary is sealed at random, so no other database has the same. */
async function anchorKeys({ collections, settings }: Session): Promise<(version: number) => AnchorKey | undefined> {
  const canaries = await collections.masterKeyCanaries.all();
  return (masterKeyVersion) => {
    const masterKey = settings.MASTER_KEYS.get(masterKeyVersion);
    const database = canaries.get(masterKeyVersion)?.sealed;
    return masterKey === undefined || database === undefined ? undefined : { masterKeyVersion, masterKey, database };
  };
}

function newest({ settings }: Session, keyOf: (version: number) => AnchorKey | undefined): AnchorKey {
  const version = Math.max(...settings.MASTER_KEYS.keys());
  return orFail(keyOf(version), `no process has used version ${version} of MASTER_KEYS yet: start one first`);
}

interface Anchoring {
  readonly onHead: ((head: Head) => Promise<void>) | undefined;
  readonly anchored: AsyncIterable<Head> | undefined;
}

async function verifyBooks({ host: { output }, storage, isJson }: Session, anchoring: Anchoring): Promise<void> {
  const onBreach = (breach: Breach): void => {
    output.progress('');
    if (isJson) output.jsonLine(breach);
    else output.line(`${breach.kind}  ${breach.id}  ${breach.message}`);
  };
  const summary = await verify(openBooks(storage.client, storage.db), onBreach, {
    ...anchoring,
    onProgress: (book, done, total) => {
      output.progress(`${book}: ${done}${total === undefined ? '' : ` of about ${total}`}`);
    },
  });
  output.progress('');
  if (isJson) output.jsonLine(summary);
  else output.print({ ...summary }, false);
  if (summary.breaches > 0)
    throw new CommandError(
      `the books are not sound: ${summary.breaches} ${summary.breaches === 1 ? 'breach' : 'breaches'}, listed above`,
    );
}
