import { appendFile, mkdtemp, open, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logBytesMax, openRedoLog, type Change, type RedoLog } from '../src/storage/redo-log.ts';

let folder: string;
let path: string;
const opened: RedoLog[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redo-'));
  path = join(folder, 'log');
});
afterEach(async () => {
  for (const log of opened.splice(0)) log.close();
  await rm(folder, { recursive: true });
});

/** As after a crash: whoever had it open before has left it as it was. */
const reopen = (number: number, salt = 1): RedoLog => {
  const log = openRedoLog(path, { number, salt: Buffer.from([salt]) });
  opened.push(log);
  return log;
};
const change = (value: number | string, padding = 0): Change => ({
  sql: 'INSERT INTO a VALUES (?, ?)',
  values: [value, Buffer.alloc(padding, 'x')],
});
const valuesIn = (log: RedoLog) => [...log.entries()].map((changes) => changes.map(({ values }) => values[0]));

describe('the redo log', () => {
  it('gives back statements and values as they were, commit by commit', () => {
    const first = [
      { sql: 'INSERT INTO a VALUES (?, ?, ?)', values: [2 ** 53 - 1, 'ä\u0000', new Uint8Array([0, 255])] },
      { sql: 'DELETE FROM b', values: [] },
      { sql: 'INSERT INTO a VALUES (?, ?, ?)', values: [-1.5, '', new Uint8Array(0)] },
    ];
    const log = reopen(7);
    expect(log.append(first)).toBe(true);
    expect(log.append([])).toBe(true);
    const after = reopen(7);
    expect(after.last()).toBe(9);
    expect([...after.entries()].map((changes) => changes.map(plain))).toEqual([first.map(plain), []]);
  });

  it.each([1, 20, 40])('ends before an entry that lacks its last %i bytes', async (missing) => {
    const log = reopen(0);
    for (const value of [1, 2, 3]) log.append([change(value, 100)]);
    await truncate(path, (await stat(path)).size - missing);
    expect(valuesIn(reopen(0))).toEqual([[1], [2]]);
  });

  it.each([-1, -60, -150])('ends before an entry of which a byte is wrong (at %i)', async (place) => {
    const log = reopen(0);
    for (const value of [1, 2]) log.append([change(value, 100)]);
    const file = await open(path, 'r+');
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size + place);
    await file.write(Buffer.from([buffer[0]! ^ 1]), 0, 1, size + place);
    await file.close();
    expect(valuesIn(reopen(0))).toEqual([[1]]);
  });

  it('writes over an entry that was cut short', async () => {
    const log = reopen(0);
    for (const value of [1, 2]) log.append([change(value, 100)]);
    await truncate(path, (await stat(path)).size - 1);
    reopen(0).append([change('again')]);
    expect(valuesIn(reopen(0))).toEqual([[1], ['again']]);
  });

  it('passes over what an earlier round has left behind', () => {
    const log = reopen(0);
    for (const value of [1, 2, 3]) log.append([change(value)]);
    log.startOver({ number: 4, salt: Buffer.from([2]) });
    expect(valuesIn(log)).toEqual([]);
    expect(valuesIn(reopen(4, 2))).toEqual([]);
    log.append([change(5)]);
    // Number 2 of the round before stands whole behind number 5, for all entries are of one length.
    expect(valuesIn(reopen(4, 2))).toEqual([[5]]);
    expect(valuesIn(log)).toEqual([[5]]);
  });

  it('takes nothing that was written with another salt, be its number the next one', () => {
    for (const value of [1, 2]) reopen(0, 1).append([change(value)]);
    const other = reopen(0, 2);
    expect(valuesIn(other)).toEqual([]);
    other.append([change('own')]);
    // Number 2 of the other one stands whole behind it.
    expect(valuesIn(reopen(0, 2))).toEqual([['own']]);
  });

  it('is not opened where an entry is damaged that a whole one follows', async () => {
    const log = reopen(0);
    for (const value of [1, 2, 3]) log.append([change(value, 100)]);
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(1, 255), 0, 1, (await file.stat()).size / 2);
    await file.close();
    expect(() => reopen(0)).toThrow(`${path} is damaged: commit 2 cannot be read, and a later one can`);
  });

  it('knows whether it is empty', () => {
    const log = reopen(0);
    expect(log.isEmpty()).toBe(true);
    log.append([change(1)]);
    expect([log.isEmpty(), reopen(0).isEmpty()]).toEqual([false, false]);
    log.startOver({ number: 2, salt: Buffer.from([2]) });
    expect(log.isEmpty()).toBe(true);
  });

  it('does not take an entry that an unknown number comes before', () => {
    reopen(0).append([change(1)]);
    expect(valuesIn(reopen(3))).toEqual([]);
  });

  it('has no room for more than its limit, and then takes nothing', async () => {
    const log = reopen(0);
    expect(log.append([change('too long', logBytesMax)])).toBe(false);
    expect(log.append([change('half', logBytesMax / 2)])).toBe(true);
    expect(log.append([change('another half', logBytesMax / 2)])).toBe(false);
    expect(log.append([change('little')])).toBe(true);
    expect(valuesIn(reopen(0))).toEqual([['half'], ['little']]);
    expect((await stat(path)).size).toBeLessThanOrEqual(logBytesMax);
  });

  it('reads nothing into what is no log', async () => {
    await appendFile(path, Buffer.alloc(1000, 1));
    expect(reopen(0).last()).toBe(0);
  });
});

function plain({ sql, values }: Change): unknown[] {
  return [sql, ...values.map((value) => (value instanceof Uint8Array ? [...value] : value))];
}
