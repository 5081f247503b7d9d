import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { EJSON } from 'bson';
import { MongoClient, type Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAdmin } from '../support/admin.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const entry = join(import.meta.dirname, '../../src/admin/main.ts');
const header = 'sourceWalletId,targetWalletId,amount,currency';
/** A command of its own process takes seconds on a machine that has other work. */
const patience = { timeoutMs: 60_000 };
const folder = await mkdtemp(join(tmpdir(), 'test-import-'));
let service: RunningService;
let mongo: MongoClient;
let db: Db;
let files = 0;

/** No worker runs, so that what is recorded waits. */
beforeAll(async () => {
  service = await startService({ workers: 0, webs: 0 });
  mongo = await new MongoClient(service.mongodbUri).connect();
  db = mongo.db();
});
afterAll(async () => {
  await mongo.close();
  await service.stop();
});

interface Books {
  readonly workspaceId: string;
  readonly alice: string;
  readonly bob: string;
}
interface Imported {
  rows: number;
  recorded: number;
  known: number;
  refused: number;
}

/** Alice may spend so much. */
async function newBooks(limit = '1000000'): Promise<Books> {
  const { workspaceId } = await service.admin<{ workspaceId: string }>('workspace', 'create', '--name', 'test');
  const wallet = async () => {
    const made = await service.admin<{ id: string }>(
      ...['wallet', 'create', '--workspace', workspaceId, '--currency', 'USD'],
    );
    return made.id;
  };
  const [alice, bob] = [await wallet(), await wallet()];
  await service.admin('wallet', 'limit', '--wallet', alice, '--credit-limit', limit);
  return { workspaceId, alice, bob };
}

async function write(...lines: string[]): Promise<string> {
  const path = join(folder, `${(files += 1)}.csv`);
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}
const importing = (path: string, { workspaceId }: Books, ...more: string[]) => [
  ...['transfer', 'import', path, '--workspace', workspaceId, ...more],
];
async function run(...args: string[]) {
  const { code, stdout, stderr } = await runAdmin([...args, '--json'], service.env);
  return { code, stderr, printed: (stdout === '' ? undefined : JSON.parse(stdout)) as Imported };
}
const countOf = ({ workspaceId }: Books) => db.collection('orders').countDocuments({ workspaceId });
const eventsOf = ({ workspaceId }: Books) =>
  service.admin<{ action: string; outcome: string; subject: object }[]>(
    ...['audit', 'list', '--workspace', workspaceId, '--action', 'transfer import'],
  );
const rowsOf = ({ alice, bob }: Books, count: number) =>
  Array.from({ length: count }, () => `${alice},${bob},0.01,USD`);

/** Starts an import that comes to a halt, because no worker posts what it has recorded. */
async function startHalted(path: string, books: Books, backlogMax: number, recorded: number) {
  const env = { ...service.env, BACKLOG_MAX_WORKSPACE: String(backlogMax) };
  const child = spawn(process.execPath, [entry, ...importing(path, books, '--name', 'payroll', '--yes')], { env });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ended = Promise.all([text(child.stdout), text(child.stderr), exited]);
  await waitFor(async () => (await countOf(books)) === recorded, patience);
  return { child, ended };
}

describe('a file of thousands of lines', () => {
  const lines = 4_200;
  let books: Books;
  let path: string;
  beforeAll(async () => {
    books = await newBooks();
    path = await write(header, ...rowsOf(books, lines));
  });

  it('that is killed twice is gone on with, and ends after the batch under way when it is told to', async () => {
    for (const [backlogMax, recorded] of [
      [1_000, 500],
      [3_000, 1_500],
    ] as const) {
      const { child, ended } = await startHalted(path, books, backlogMax, recorded);
      child.kill('SIGKILL');
      await ended;
    }
    const { child, ended } = await startHalted(path, books, 5_000, 2_500);
    child.kill('SIGINT');
    const [stdout, stderr, [code]] = await ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/rows +4200\nrecorded +1000\nknown +1500\nrefused +0/);
    expect(stderr).toContain('interrupted; the same command again goes on');
  });

  it('makes each order once, and a further run none', async () => {
    const args = importing(path, books, '--name', 'payroll', '--yes');
    expect((await run(...args)).printed).toEqual({ rows: lines, recorded: lines - 2_500, known: 2_500, refused: 0 });
    const again = await run(...args);
    expect(again.printed).toEqual({ rows: lines, recorded: 0, known: lines, refused: 0 });
    expect(again.stderr).toContain(
      `${lines} rows: ${lines} known already; now 0 would be COMPLETED, 0 FAILED, 0 refused`,
    );
    expect(again.code).toBe(0);
    const bizIds = await db.collection('orders').distinct('bizId', { workspaceId: books.workspaceId });
    expect(bizIds.sort()).toEqual(Array.from({ length: lines }, (_, index) => `payroll-${index + 2}`).sort());
    expect(await countOf(books)).toBe(lines);
  });

  it('is audited as one event, with its name, hash and counts', async () => {
    const events = await eventsOf(books);
    expect(events.map(({ outcome }) => outcome)).toEqual(['DONE', 'DONE', 'DONE', 'STARTED', 'STARTED']);
    const [, whole, interrupted] = events;
    expect(whole).toMatchObject({
      subject: {
        file: path.split('/').at(-1),
        rows: lines,
        name: 'payroll',
        recorded: lines - 2_500,
        known: 2_500,
        refused: 0,
        isWhole: true,
      },
    });
    expect(whole?.subject).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(interrupted).toMatchObject({ subject: { recorded: 1_000, known: 1_500, isWhole: false } });
  });

  it('is posted, each order once', async () => {
    const worker = await service.startWorker();
    const { workspaceId } = books;
    const completed = () => db.collection('orders').countDocuments({ workspaceId, status: 'COMPLETED' });
    await waitFor(async () => (await completed()) === lines, patience);
    await worker.stop(patience.timeoutMs);
    expect(await service.admin('verify')).toMatchObject({ breaches: 0 });
  });
});

it('what is refused is written down, and tried again once it is mended', async () => {
  const books = await newBooks();
  const { alice, bob } = books;
  const columns = `${header},description,executeAt`;
  const good = `${alice},${bob},1.10,USD,"a ""good"" row, with commas",`;
  const bad = [`wa_none,${bob},1,USD,x,`, `${alice},${bob},1.001,USD,,`, `${alice},${bob},1,USD,,2020-01-01T00:00:00Z`];
  const path = await write(columns, good, ...bad);
  const args = importing(path, books, '--name', 'fees', '--yes');
  const first = await run(...args);
  expect(first.code).toBe(1);
  const refusedFile = `${path}.refused.csv`;
  expect(first.printed).toEqual({ rows: 4, recorded: 1, known: 0, refused: 3, refusedFile });
  expect(first.stderr).toContain('line 3 would be refused: WA4041 WALLET_NOT_FOUND, sourceWalletId\n');
  expect(first.stderr).toContain(`3 rows were refused, and written to ${refusedFile}: mend them`);
  expect((await readFile(refusedFile, 'utf8')).split('\r\n')).toEqual([
    `line,${columns},code,reason,field`,
    `3,${bad[0]},WA4041,WALLET_NOT_FOUND,sourceWalletId`,
    `4,${bad[1]},RQ4001,TOO_MANY_DECIMALS,amount`,
    `5,${bad[2]},RQ4001,FIELD_OUT_OF_RANGE,executeAt`,
    '',
  ]);

  const later = new Date(Date.now() + 3_600_000).toISOString();
  const mended = [`${alice},${bob},1,USD,x,`, `${alice},${bob},1,USD,,`, `${alice},${bob},1,USD,,${later}`];
  await writeFile(path, [columns, good, ...mended].join('\n'));
  expect(await run(...args)).toMatchObject({ code: 0, printed: { rows: 4, recorded: 3, known: 1, refused: 0 } });
  await expect(stat(refusedFile)).rejects.toThrow('ENOENT');
  expect(await db.collection('orders').findOne({ bizId: 'fees-5' })).toMatchObject({ status: 'SCHEDULED' });
  expect(await countOf(books)).toBe(4);
});

it('a preview carries balances from row to row, and stores nothing', async () => {
  const books = await newBooks('10');
  const { alice, bob } = books;
  const path = await write(
    `${header},bizId`,
    `${alice},${bob},6,USD,a`,
    `${alice},${bob},6,USD,b`,
    `${bob},${alice},6,USD,c`,
    `${alice},${bob},10,USD,d`,
    `${alice},wa_none,1,USD,e`,
    `${alice},${bob},1,USD,`,
    `${alice},${bob},x,USD,f`,
  );
  const everything = async () => {
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();
    return EJSON.stringify(
      await Promise.all(names.map((name) => db.collection(name).find().sort({ _id: 1 }).toArray())),
    );
  };
  const before = await everything();
  const dry = await run(...importing(path, books, '--dry-run'));
  expect(dry.code).toBe(0);
  expect(dry.printed).toMatchObject({
    ...{ rows: 7, known: 0, completed: 3, failed: 1, refused: 3, sumsByCurrency: { USD: '22.00' } },
    ...{ failedByCode: { TR4223: 1 }, refusedByCode: { WA4041: 1, RQ4001: 2 } },
  });
  expect(dry.stderr).toContain('line 7 would be refused: RQ4001 FIELD_MISSING, bizId\n');
  expect(await everything()).toBe(before);
  await expect(stat(`${path}.refused.csv`)).rejects.toThrow('ENOENT');
});

describe('nothing is done', () => {
  it.each([
    [
      'with a row of too many cells behind good ones',
      1,
      ['a,b,1,USD', 'a,b,1,USD,x'],
      ['--name', 'n', '--yes'],
      'line 3',
    ],
    ['without a terminal to ask on', 2, ['a,b,1,USD'], ['--name', 'n'], 'add --yes, or --dry-run'],
    ['without bizIds', 2, ['a,b,1,USD'], ['--yes'], 'has no column bizId: give --name'],
    ['with a name that makes no bizIds', 2, [], ['--name', 'a b', '--yes'], 'Allowed are a letter or digit'],
  ])('%s', async (_, code, rows, options, message) => {
    process.stdin.isTTY = false;
    const books = await newBooks();
    const ran = await run(...importing(await write(header, ...rows), books, ...options));
    expect(ran).toMatchObject({ code, printed: undefined });
    expect(ran.stderr).toContain(message);
    expect(await eventsOf(books)).toEqual([]);
  });

  it('for a workspace that is not there, or with the file itself for what is refused', async () => {
    const path = await write(header);
    const none = { workspaceId: 'ws_none', alice: '', bob: '' };
    const named = ['--name', 'n', '--yes'];
    expect((await run(...importing(path, none, ...named))).stderr).toContain('there is no workspace ws_none');
    const onto = await run(...importing(path, none, ...named, '--refused', path));
    expect(onto).toMatchObject({ code: 2 });
    expect(onto.stderr).toContain('is the file that is imported');
  });
});
