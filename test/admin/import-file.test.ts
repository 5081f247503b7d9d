import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodyOf, openImportFile, readRows } from '../../src/admin/import-file.ts';
import { CommandError, UsageError } from '../../src/admin/failures.ts';

const header = 'sourceWalletId,targetWalletId,amount,currency';
const folder = await mkdtemp(join(tmpdir(), 'test-import-'));
let files = 0;

async function write(content: string | Uint8Array): Promise<string> {
  const path = join(folder, `${(files += 1)}.csv`);
  await writeFile(path, content);
  return path;
}
async function open(content: string | Uint8Array, name?: string) {
  return openImportFile(await write(content), name);
}
async function rowsOf(content: string | Uint8Array) {
  const file = await open(content, 'n');
  return (await Array.fromAsync(readRows(file))).map((row) => ({ ...bodyOf(file, row) }));
}

describe('rows', () => {
  const row = { sourceWalletId: 'a', targetWalletId: 'b', amount: '1', currency: 'USD' };

  it('have the lines on which they begin, whatever stands between them', async () => {
    const text = `\ufeffamount,currency,description,targetWalletId,sourceWalletId\r\n1,USD,"two\r\nlines, and ""quotes""",b,a\r\n\r\n1,USD,,b,a\n1,USD,"x",b,a`;
    expect(await rowsOf(text)).toEqual([
      { ...row, bizId: 'n-2', description: 'two\r\nlines, and "quotes"' },
      { ...row, bizId: 'n-5' },
      { ...row, bizId: 'n-6', description: 'x' },
    ]);
  });

  it('keep their own bizIds', async () => {
    expect(await rowsOf(`${header},bizId\na,b,1,USD,mine\na,b,1,USD,\n`)).toMatchObject([
      { bizId: 'mine' },
      { bizId: 'n-3' },
    ]);
    const file = await open(`${header},bizId\na,b,1,USD,\n`);
    expect((await Array.fromAsync(readRows(file))).map((each) => bodyOf(file, each))).toEqual([row]);
  });

  it('are read as they come, and hashed with all of the file', async () => {
    const rows = 5_000;
    const text = `${header}\n${`${'ä'.repeat(20)},b,1,USD\n`.repeat(rows)}`;
    const hash = createHash('sha256');
    let read = 0;
    const onRead = (bytes: number): void => {
      read += bytes;
    };
    const file = await open(text, 'n');
    expect(await Array.fromAsync(readRows(file, hash, onRead))).toHaveLength(rows);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(text).digest('hex'));
    expect([read, file.bytes]).toEqual([Buffer.byteLength(text), Buffer.byteLength(text)]);
  });

  it.each([
    ['more cells', 'a,b,1,USD,more\n', 'line 3: it has 5 cells, and the header 4'],
    ['fewer cells', 'a,b,1\n', 'line 3: it has 3 cells, and the header 4'],
    ['a quote left open', 'a,b,1,"USD\n', 'line 3: a quote is not closed'],
    [
      'a quote left open in a large file',
      `a,b,1,"USD\n${'a,b,1,USD\n'.repeat(5_000)}`,
      'line 3: the row is longer than',
    ],
    ['a quote inside a cell', 'a,b,1,U"S"D\n', 'line 3: a quote within a cell'],
    ['text behind a quote', 'a,b,1,"USD" \n', 'line 3: a closing quote is followed by'],
  ])('with %s are refused, with the line', async (_, text, message) => {
    const rows = rowsOf(`${header}\r\na,b,1,"USD"\r\n${text}`);
    await expect(rows).rejects.toThrow(CommandError);
    await expect(rows).rejects.toThrow(message);
  });

  it('of another encoding are refused', async () => {
    await expect(rowsOf(Buffer.from(`${header}\nä,b,1,USD\n`, 'latin1'))).rejects.toThrow('this is not UTF-8');
    await expect(rowsOf(Buffer.from(`${header}\na,b,1,USD\n`, 'utf16le'))).rejects.toThrow(
      'line 1: there is no column',
    );
  });
});

it.each([
  ['nothing', '', 'is empty: its first line has to name its columns'],
  ['an unknown column', `${header},note\n`, 'line 1: there is no column "note"; there are sourceWalletId'],
  ['semicolons', header.replaceAll(',', ';'), 'there is no column "sourceWalletId;'],
  ['a column that comes twice', `${header},amount\n`, 'line 1: the column amount comes twice'],
  ['missing columns', '\namount,currency\n', 'line 2: the columns sourceWalletId, targetWalletId are missing'],
])('a file with %s is refused', async (_, text, message) => {
  await expect(open(text, 'n')).rejects.toThrow(CommandError);
  await expect(open(text, 'n')).rejects.toThrow(message);
});

it('what is no file is refused, and so is one whose rows would have no bizIds', async () => {
  await expect(openImportFile(folder, 'n')).rejects.toThrow('is no file');
  await expect(openImportFile(join(folder, 'none.csv'), 'n')).rejects.toThrow('cannot be read: ENOENT');
  await expect(open(`${header}\n`)).rejects.toThrow(UsageError);
  await expect(open(`${header}\n`)).rejects.toThrow('has no column bizId: give --name');
});
