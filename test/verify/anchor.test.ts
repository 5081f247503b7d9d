import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkMasterKeys } from '../../src/auth/master-keys.ts';
import { hashFlow } from '../../src/domain/flow-hash.ts';
import { idPrefixes } from '../../src/domain/ids.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { fromDecimal128 } from '../../src/storage/shared/decimal.ts';
import type { FlowDocument } from '../../src/storage/flows/flows.ts';
import { commandLine } from '../admin/command-line.ts';
import { openPostedBooks, type PostedBooks } from '../posting/posted-books.ts';
import { testDatabase } from '../support/database.ts';

const { client, db, uri } = testDatabase();
const other = testDatabase();
const key = randomBytes(32);
const MASTER_KEYS = `1:${key.toString('base64')}`;
const admin = commandLine({ MONGODB_URI: uri, MASTER_KEYS });
const flows = db.collection<FlowDocument>('flows');
const wallets = db.collection<{ _id: string }>('wallets');
const unvalidated = { bypassDocumentValidation: true };

let folder: string;
let file: string;
let books: PostedBooks;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-anchor-'));
  file = join(folder, 'anchor.jsonl');
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  await rm(file, { force: true });
  for (const name of ['wallets', 'orders', 'flows']) await db.collection(name).deleteMany({});
  books = await openPostedBooks(client, db);
  await checkMasterKeys(new Map([[1, key]]), openCollections(db));
  await books.transfer(books.external, books.alice, '100');
  await books.transfer(books.alice, books.bob, '10');
  expect((await admin.run('verify', '--write-anchor', file)).code).toBe(0);
});
const against = (line = admin) => line.run('verify', '--against', file);

const flowsOf = (walletId: string) =>
  flows
    .find({ _id: { $gt: `${idPrefixes.flow}${walletId}.`, $lt: `${idPrefixes.flow}${walletId}/` } })
    .sort({ _id: 1 });

/** As somebody would who can write to the database: every hash from there on is computed anew. */
async function rewriteChain(walletId: string): Promise<void> {
  let hash = '';
  for (const { _id, ...flow } of await flowsOf(walletId).toArray()) {
    const createdAt = new Date(flow.createdAt.getTime() + 1);
    const { amount, balanceBefore, balanceAfter } = flow;
    const money = { amount: fromDecimal128(amount), balanceBefore: fromDecimal128(balanceBefore) };
    hash = hashFlow(hash, { ...flow, ...money, id: _id, balanceAfter: fromDecimal128(balanceAfter), createdAt });
    await flows.updateOne({ _id }, { $set: { createdAt, hash } }, unvalidated);
  }
  await wallets.updateOne({ _id: walletId }, { $set: { flowHash: hash } }, unvalidated);
}

describe('an anchor', () => {
  it('is whole, for nobody else to read, and holds of books that only went on', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['anchor.jsonl']);
    await books.transfer(books.bob, books.alice, '1');
    const { code, stdout } = await against();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^anchored +3$/m);
  });

  it('finds a chain that was rewritten so that the books alone are sound', async () => {
    await rewriteChain(books.alice);
    expect((await admin.run('verify')).code).toBe(0);
    const { code, stdout } = await against();
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^anchor-hash  ${idPrefixes.flow}${books.alice}\\.`, 'm'));
    expect(stdout.match(/^anchor-/gm)).toHaveLength(1);
  });

  it('finds chains that were removed, each of them', async () => {
    for (const name of ['wallets', 'orders', 'flows']) await db.collection(name).deleteMany({});
    expect((await admin.run('verify')).code).toBe(0);
    const { code, stdout } = await against();
    expect(code).toBe(1);
    expect(stdout.match(/^anchor-missing/gm)).toHaveLength(3);
  });

  it('is not replaced without --yes, and not written for books that are not sound', async () => {
    const before = await readFile(file, 'utf8');
    expect((await admin.run('verify', '--write-anchor', file)).code).toBe(2);
    await flows.updateOne({}, { $set: { hash: 'x' } }, unvalidated);
    expect((await admin.run('verify', '--write-anchor', file, '--yes')).code).toBe(1);
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await readdir(folder)).toEqual(['anchor.jsonl']);
  });

  it.each<[string, (lines: string[]) => string[]]>([
    [
      'a head was altered',
      ([first, second, ...rest]) => [first!, second!.replace(/"sequence":\d+/, '"sequence":7'), ...rest],
    ],
    ['a head was taken out', ([first, , ...rest]) => [first!, ...rest]],
    ['its time was altered', ([first, ...rest]) => [first!.replace(/"madeAt":"20/, '"madeAt":"21'), ...rest]],
    ['its end is missing', (lines) => lines.slice(0, -1)],
    ['something follows its end', (lines) => [...lines, lines[1]!]],
    ['it is another file', () => ['{}']],
  ])('that is not whole and unaltered is refused: %s', async (_, change) => {
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    await writeFile(
      file,
      change(lines)
        .map((line) => `${line}\n`)
        .join(''),
    );
    const { code, stdout, stderr } = await against();
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: .*anchor\.jsonl: it /);
  });

  it('of a master key that is not known any more, or of another database, is refused', async () => {
    const others = commandLine({ MONGODB_URI: uri, MASTER_KEYS: `2:${randomBytes(32).toString('base64')}` });
    expect((await against(others)).stderr).toContain('version 1 of the master key, which is not known');
    const wrong = commandLine({ MONGODB_URI: uri, MASTER_KEYS: `1:${randomBytes(32).toString('base64')}` });
    expect((await against(wrong)).stderr).toContain('another master key of that version');
    await checkMasterKeys(new Map([[1, key]]), openCollections(other.db));
    const elsewhere = commandLine({ MONGODB_URI: other.uri, MASTER_KEYS });
    const { code, stdout, stderr } = await against(elsewhere);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('it is of another database');
  });
});
