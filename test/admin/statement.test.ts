import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { runAdmin } from '../support/admin.ts';
import { startService, type RunningService } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { insertFlows } from '../storage/many-flows.ts';

interface Printed {
  openingBalance: string;
  closingBalance: string;
  debits: string;
  credits: string;
  count: number;
  items: { sequence: number; counterpartyWalletId: string; description: string | null }[];
}

const entry = join(import.meta.dirname, '../../src/admin/main.ts');
const createPath = '/api/v1/transfer/command/create';
const from = '2026-01-01';

let service: RunningService;
let workspace: TestWorkspace;
let alice: string;
let to: string;
beforeAll(async () => {
  service = await startService();
  workspace = await createWorkspace(service);
  alice = await workspace.wallet('100');
  const bob = await workspace.wallet();
  for (const description of ['=cmd|calc', 'one, "two"']) {
    const body = { sourceWalletId: alice, targetWalletId: bob, amount: '1.5', currency: 'USD', description };
    await workspace.client.request('POST', createPath, { body, headers: { Prefer: 'wait=10' } });
  }
  to = new Date().toISOString();
});
afterAll(() => service.stop());

const statement = (wallet: string, ...more: string[]) =>
  runAdmin(['wallet', 'statement', '--wallet', wallet, '--from', from, '--to', to, ...more], service.env);

describe('wallet statement', () => {
  it('prints the figures and the flows', async () => {
    const { code, stdout, stderr } = await statement(alice);
    expect([code, stderr]).toEqual([0, expect.stringContaining('may still grow')]);
    expect(stdout).toMatch(/openingBalance +0\.00\n[\s\S]*closingBalance +97\.00\ndebits +3\.00\ncredits +100\.00\n/);
    expect(stdout).toMatch(/\n1 .* CREDIT +100\.00 +100\.00 .* DEPOSIT .* EXTERNAL\n2 .* DEBIT +1\.50 +98\.50 /);
  });

  it('prints the same as JSON', async () => {
    const printed = JSON.parse((await statement(alice, '--json')).stdout) as Printed;
    expect(printed).toMatchObject({ openingBalance: '0.00', closingBalance: '97.00', debits: '3.00', count: 3 });
    expect(printed.items.map(({ sequence, description }) => [sequence, description])).toEqual([
      [1, null],
      [2, '=cmd|calc'],
      [3, 'one, "two"'],
    ]);
  });

  it('prints CSV that no spreadsheet takes for formulas', async () => {
    const { code, stdout, stderr } = await statement(alice, '--csv');
    expect(code).toBe(0);
    const figures = 'openingBalance 0.00, closingBalance 97.00, debits 3.00, credits 100.00, count 3, settledUntil 20';
    expect(stderr.trimEnd().split('\n').at(-1)).toContain(figures);
    const [header, ...rows] = parse(stdout, { record_delimiter: '\r\n' });
    const columns =
      'sequence time direction amount balanceAfter transferId type bizId reference description counterparty';
    expect(header).toEqual(columns.split(' '));
    expect(rows.map((row) => [row[0], row[2], row[3], row[4], row[6], row[9]])).toEqual([
      ['1', 'CREDIT', '100.00', '100.00', 'DEPOSIT', ''],
      ['2', 'DEBIT', '1.50', '98.50', 'TRANSFER', "'=cmd|calc"],
      ['3', 'DEBIT', '1.50', '97.00', 'TRANSFER', 'one, "two"'],
    ]);
  });

  it('begins at the next millisecond where its time is finer, as in the API', async () => {
    const { items } = JSON.parse((await statement(alice, '--json')).stdout) as {
      items: { sequence: number; createdAt: string }[];
    };
    const { createdAt } = items.at(-1)!;
    const countFrom = async (time: string) =>
      (JSON.parse((await statement(alice, '--json', '--from', time)).stdout) as Printed).count;
    const finer = createdAt.replace('Z', '0001Z');
    const laterOnes = items.filter((each) => each.createdAt >= createdAt).length;
    expect([await countFrom(createdAt), await countFrom(finer)]).toEqual([laterOnes, 0]);
  });

  it('has its wallets listed page by page', async () => {
    const list = async (...more: string[]) => {
      const run = await runAdmin(
        ['wallet', 'list', '--workspace', workspace.workspaceId, ...more, '--json'],
        service.env,
      );
      return { ...run, ids: (JSON.parse(run.stdout) as { id: string }[]).map(({ id }) => id) };
    };
    const whole = await list();
    expect([whole.ids.length, whole.stderr]).toEqual([3, '']);
    const first = await list('--limit', '2');
    expect(first.stderr).toContain(`there are more; the next page: --after ${first.ids[1]}`);
    const second = await list('--limit', '2', '--after', first.ids[1]!);
    expect(second.stderr).toBe('');
    expect([...first.ids, ...second.ids]).toEqual(whole.ids);
  });

  it('is of EXTERNAL wallets too, whose negative balances are plain decimals', async () => {
    const wallets = await service.admin<{ id: string; kind: string }[]>(
      'wallet',
      'list',
      '--workspace',
      workspace.workspaceId,
    );
    const external = wallets.find(({ kind }) => kind === 'EXTERNAL');
    const { stdout } = await statement(external!.id, '--csv');
    expect(parse(stdout)[1]?.[4]).toBe('-100.00');
  });

  it('refuses a time that has not passed, a range that is reversed, and an unknown wallet', async () => {
    const run = async (...args: string[]) => {
      const { code, stderr } = await runAdmin(['wallet', 'statement', ...args], service.env);
      return [code, stderr];
    };
    const wallet = ['--wallet', alice];
    expect(await run(...wallet, '--from', from, '--to', '2999-01-01')).toEqual([
      2,
      expect.stringContaining('--to has not passed yet'),
    ]);
    expect(await run(...wallet, '--from', '2026-01-03', '--to', '2026-01-02')).toEqual([
      2,
      expect.stringContaining('--from is later than --to'),
    ]);
    expect(await run('--wallet', 'wa_1', '--from', from, '--to', to)).toEqual([
      1,
      expect.stringContaining('there is no wallet wa_1'),
    ]);
    expect(await run(...wallet, '--from', from)).toEqual([2, expect.stringContaining("'--to <time>' not specified")]);
  });

  it('prints all of a long range as CSV, in order, and ends when its reader leaves', async () => {
    const count = 5_000;
    const { walletId, from: since, to: until } = await insertFlows(service.mongodbUri, newId('workspace'), count);
    const range = ['--wallet', walletId, '--from', since.toISOString(), '--to', until.toISOString()];
    const { stdout } = await runAdmin(['wallet', 'statement', ...range, '--csv'], service.env);
    const rows = parse(stdout, { record_delimiter: '\r\n' }).slice(1);
    expect(rows.map(([sequence]) => Number(sequence))).toEqual(Array.from({ length: count }, (_, index) => index + 1));

    const json = await runAdmin(['wallet', 'statement', ...range, '--json'], service.env);
    expect((JSON.parse(json.stdout) as Printed).items).toHaveLength(1_000);
    expect(json.stderr).toContain('there are 5000 flows; --csv prints all of them');

    const child = spawn(process.execPath, [entry, 'wallet', 'statement', ...range, '--csv'], { env: service.env });
    let complaints = '';
    child.stderr.on('data', (text: Buffer) => (complaints += text.toString()));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = (await once(child, 'exit')) as [number];
    expect([code, complaints]).toEqual([0, '']);
  });
});
