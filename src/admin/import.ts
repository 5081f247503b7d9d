import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { BatchLine } from '../accepting/batch.ts';
import { ServiceError } from '../errors.ts';
import { createThroughFailover } from '../failover.ts';
import { createCommandBody } from '../http/command-body.ts';
import { transfer } from '../orders/transfer.ts';
import { isTransientFault } from '../storage/shared/transaction.ts';
import { withAccepting, type Accepting } from './accepting.ts';
import type { HostedCommand } from './command.ts';
import { confirm } from './confirm.ts';
import { CommandError, UsageError } from './failures.ts';
import { foresee, type Foreseen } from './foresee.ts';
import { bodyOf, openImportFile, readRows, type ImportFile, type ImportRow } from './import-file.ts';
import { findWorkspace } from './lookup.ts';
import type { Printed } from './output.ts';
import { pagesOf } from './pages.ts';
import { parseImportName } from './parameters.ts';
import { checkRefusedPath, createRefusedFile, type RefusedFile } from './refused-file.ts';
import { withSession, type Session } from './session.ts';

interface ImportOptions {
  readonly workspace: string;
  readonly name?: string;
  readonly refused?: string;
  readonly dryRun?: true;
  readonly yes?: true;
}

/** What has been done so far, in rows. */
interface Counts {
  recorded: number;
  known: number;
  refused: number;
}

const batchRowsMax = 500;
/** For how long no row is recorded, because as many orders wait as may. */
const roomMaxMs = 600_000;
const roomLookMs = 500;
const barWidth = 30;

export function addImportCommand(noun: Command): void {
  noun
    .command('import')
    .description('make the transfers of a CSV file, after a preview of all of them')
    .argument('<file>', 'CSV in UTF-8: a line that names the columns, then a row for each transfer')
    .requiredOption('--workspace <id>', 'the workspace of the wallets')
    .option('--name <name>', 'for a file without a column bizId: the bizId of a row is NAME-LINE', parseImportName)
    .option('--refused <file>', 'where rows that were refused are written to (default: FILE.refused.csv)')
    .option('--dry-run', 'preview only')
    .option('--yes', 'do not ask')
    .addHelpText('after', help)
    .action(async (path: string, options: ImportOptions, command: HostedCommand) => {
      const { dryRun = false, yes = false, refused = `${path}.refused.csv` } = options;
      if (!dryRun && !yes && !process.stdin.isTTY)
        throw new UsageError('there is no terminal to ask on: add --yes, or --dry-run');
      const file = await openImportFile(path, options.name);
      await checkRefusedPath(refused, file);
      await withSession<ImportOptions>((_, session) => runImport(file, { ...options, refused }, session))(
        options,
        command,
      );
    });
}

const help = `
Columns: sourceWalletId,targetWalletId,amount,currency and, if wanted, bizId,description,reference,executeAt

A row makes one order, however often the file is imported. A row that was refused can be mended in its place, and the file
imported again. Add or remove no line meanwhile if the bizIds come from --name.`;

async function runImport(
  file: ImportFile,
  options: ImportOptions & { readonly refused: string },
  session: Session,
): Promise<Printed | undefined> {
  const { collections, currencies, host, isJson } = session;
  const { id: workspaceId } = await findWorkspace(collections, options.workspace);
  const body = createCommandBody(transfer.name, transfer.command, currencies);
  const read = (row: ImportRow) => readLine(body, bodyOf(file, row));
  const foreseen = await foresee(file, workspaceId, read, session);
  if (options.dryRun === true) return { ...foreseen };
  host.output.complain(`${describeForeseen(foreseen)}\n`);
  if (options.yes !== true) await confirm(`Import ${file.path} into workspace ${workspaceId}?`);
  const { isWhole, isSame, ...counts } = await record(file, { foreseen, workspaceId, read }, options.refused, session);
  const refusedFile = counts.refused > 0 ? { refusedFile: options.refused } : {};
  host.output.print({ rows: foreseen.rows, ...counts, ...refusedFile }, isJson);
  if (!isWhole)
    throw new CommandError('interrupted; the same command again goes on, and finds what is recorded as known');
  if (!isSame) throw new CommandError(`${file.path} was changed after its preview`);
  if (counts.refused > 0) {
    throw new CommandError(
      `${counts.refused} ${counts.refused === 1 ? 'row was' : 'rows were'} refused, and written to ${options.refused}: ` +
        `mend them in ${file.path}, and import it again`,
    );
  }
  return undefined;
}

/** A row without a bizId is refused, because it would be made anew each time. */
function readLine(body: ReturnType<typeof createCommandBody>, given: Readonly<Record<string, string>>): BatchLine {
  if (given['bizId'] === undefined) return { refusal: new ServiceError('FIELD_MISSING', { field: 'bizId' }) };
  try {
    return body.read(given);
  } catch (error) {
    if (error instanceof ServiceError) return { refusal: error };
    throw error;
  }
}

function describeForeseen({ sha256: _, sumsByCurrency, ...counts }: Foreseen): string {
  const { rows, known, completed, failed, refused } = counts;
  const by = (codes: Readonly<Record<string, number>>): string => {
    const each = Object.entries(codes).map(([code, count]) => `${code} ${count}`);
    return each.length === 0 ? '' : ` (${each.join(', ')})`;
  };
  const sums = Object.entries(sumsByCurrency).map(([currency, sum]) => `${sum} ${currency}`);
  return (
    `${rows} rows: ${known} known already; now ${completed} would be COMPLETED` +
    `${sums.length === 0 ? '' : ` (${sums.join(', ')})`}, ${failed} FAILED${by(counts.failedByCode)}, ` +
    `${refused} refused${by(counts.refusedByCode)}`
  );
}

/** What is to be recorded, and as which lines of a batch. */
interface Plan {
  readonly foreseen: Foreseen;
  readonly workspaceId: string;
  readonly read: (row: ImportRow) => BatchLine;
}

interface Recorded extends Counts {
  /** False if it was interrupted. */
  readonly isWhole: boolean;
  /** False if the file is not the one that was previewed. */
  readonly isSame: boolean;
}

async function record(file: ImportFile, plan: Plan, refusedPath: string, session: Session): Promise<Recorded> {
  const { audited, recordCurrencies } = session;
  const { workspaceId, foreseen } = plan;
  const { rows, sha256 } = foreseen;
  const subject = { file: basename(file.path), sha256, rows, ...(file.name === undefined ? {} : { name: file.name }) };
  return audited(
    { action: 'transfer import', workspaceId, subject },
    async () => {
      await recordCurrencies();
      const refused = await createRefusedFile(refusedPath, file);
      try {
        return await withAccepting(session, (accepting) => recordRows(file, plan, { accepting, refused }, session));
      } finally {
        await refused.close();
      }
    },
    ({ recorded, known, refused, isWhole }) => ({ recorded, known, refused, isWhole }),
  );
}

/** Records row after row, in batches. After SIGINT it ends with the batch under way; a second one ends the process. */
async function recordRows(
  file: ImportFile,
  { foreseen, workspaceId, read }: Plan,
  { accepting, refused }: { readonly accepting: Accepting; readonly refused: RefusedFile },
  session: Session,
): Promise<Recorded> {
  const { output } = session.host;
  const hash = createHash('sha256');
  const counts: Counts = { recorded: 0, known: 0, refused: 0 };
  const { signal, end } = watchInterrupts(() => {
    output.progress('');
    output.complain('ends after the batch under way; a second interrupt ends it at once\n');
  });
  // As far as the workspace's own creates go on beside it.
  const waitingMax = Math.max(1, Math.floor(session.settings.BACKLOG_MAX_WORKSPACE / 2));
  let done = 0;
  try {
    for await (const rows of pagesOf(readRows(file, hash), Math.min(batchRowsMax, waitingMax))) {
      output.progress(`${bar(done, foreseen.rows)} ${done} of ${foreseen.rows} rows`);
      await untilRoom(session, workspaceId, waitingMax - rows.length, signal);
      if (signal.aborted) return { ...counts, isWhole: false, isSame: true };
      await recordBatch(rows, { workspaceId, read, counts }, accepting, refused);
      done += rows.length;
    }
  } finally {
    end();
    output.progress('');
  }
  return { ...counts, isWhole: true, isSame: hash.digest('hex') === foreseen.sha256 };
}

async function recordBatch(
  rows: readonly ImportRow[],
  { workspaceId, read, counts }: Pick<Plan, 'workspaceId' | 'read'> & { readonly counts: Counts },
  { batches, jobs }: Accepting,
  refused: RefusedFile,
): Promise<void> {
  const { items } = await batches
    .acceptEach(workspaceId, rows.map(read), () => Infinity)
    .catch((cause: unknown) => {
      if (!isTransientFault(cause)) throw cause;
      throw new CommandError(
        'MongoDB did not answer, so rows of the batch under way may have been recorded: the same command again goes on',
        { cause },
      );
    });
  await jobs.drain();
  const faulty: (readonly [ImportRow, ServiceError])[] = [];
  for (const [index, row] of rows.entries()) {
    const item = items[index];
    if (item instanceof ServiceError) faulty.push([row, item]);
    else if (item?.isReplay === true) counts.known += 1;
    else counts.recorded += 1;
  }
  counts.refused += faulty.length;
  await refused.add(faulty);
}

/** Resolves once no more orders of the workspace wait than that, or the signal says so. @throws CommandError it takes too long. */
async function untilRoom(
  { collections, host }: Session,
  workspaceId: string,
  waitingMax: number,
  signal: AbortSignal,
): Promise<void> {
  const throughFailover = createThroughFailover(isTransientFault);
  const count = () => collections.backlog.countOf(workspaceId, waitingMax + 1);
  const deadline = performance.now() + roomMaxMs;
  while (!signal.aborted && (await throughFailover(workspaceId, count, () => Infinity)) > waitingMax) {
    if (performance.now() > deadline) {
      throw new CommandError(
        `more than ${waitingMax} orders of the workspace have waited for ${roomMaxMs / 60_000} minutes to be posted: see that ` +
          'workers run; the same command again goes on',
      );
    }
    host.output.progress(`waits: more than ${waitingMax} orders of the workspace are still to be posted`);
    await delay(roomLookMs, undefined, { signal }).catch(() => undefined);
  }
}

function watchInterrupts(onInterrupt: () => void) {
  const stopping = new AbortController();
  const stop = (): void => {
    onInterrupt();
    stopping.abort();
  };
  process.once('SIGINT', stop);
  return { signal: stopping.signal, end: () => process.off('SIGINT', stop) };
}

function bar(done: number, total: number): string {
  const filled = Math.min(barWidth, Math.floor((barWidth * done) / Math.max(1, total)));
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
}
