import { open, rm, stat } from 'node:fs/promises';
import { catalogue, type ServiceError } from '../errors.ts';
import { CommandError, UsageError } from './failures.ts';
import type { ImportFile, ImportRow } from './import-file.ts';

/** Where the rows that were refused are written to. */
export type RefusedFile = Awaited<ReturnType<typeof createRefusedFile>>;

/** @throws UsageError the rows would be written over the file that they come from. */
export async function checkRefusedPath(path: string, { path: from }: ImportFile): Promise<void> {
  const [target, source] = await Promise.all([stat(path).catch(() => undefined), stat(from)]);
  if (target !== undefined && target.ino === source.ino && target.dev === source.dev) {
    throw new UsageError(`--refused ${path} is the file that is imported`);
  }
}

/** Makes the file, in the place of that of an earlier import. @throws CommandError it cannot be written. */
export async function createRefusedFile(path: string, { columns }: ImportFile) {
  const cannotBeWritten = (cause: Error): never => {
    throw new CommandError(`${path} cannot be written: ${cause.message}`, { cause });
  };
  const file = await open(path, 'w').catch(cannotBeWritten);
  const write = (rows: readonly (readonly string[])[]) =>
    file.appendFile(rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')).catch(cannotBeWritten);
  let count = 0;
  await write([['line', ...columns, 'code', 'reason', 'field']]);
  return {
    path,
    async add(refused: readonly (readonly [ImportRow, ServiceError])[]): Promise<void> {
      count += refused.length;
      await write(
        refused.map(([{ line, cells }, { errorName, field = '' }]) => [
          ...[String(line), ...cells],
          ...[catalogue[errorName].code, errorName, field],
        ]),
      );
    },
    /** Removes it if no row was refused. */
    async close(): Promise<void> {
      await file.close();
      if (count === 0) await rm(path, { force: true });
    },
  };
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
