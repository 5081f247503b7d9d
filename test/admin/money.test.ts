import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { startService, type RunningService } from '../support/service.ts';
import { commandLine, masterKeys, runProcess, type CommandLine } from './command-line.ts';

interface Order {
  transferId: string;
  status: string;
  failure: { code: string; message: string } | null;
  completedAt: string | null;
}

let service: RunningService;
let settings: NodeJS.ProcessEnv;
let admin: CommandLine;
let workspaceId: string;
let walletId: string;

beforeAll(async () => {
  service = await startService({ webs: 0, env: { MASTER_KEYS: masterKeys } });
  settings = { MONGODB_URI: service.mongodbUri, REDIS_URL: service.redisUrl, MASTER_KEYS: masterKeys };
  admin = commandLine(settings);
  ({ workspaceId } = await admin.json<{ workspaceId: string }>('workspace', 'create', '--name', 'Acme'));
  const create = ['wallet', 'create', '--workspace', workspaceId, '--currency', 'EUR'];
  ({ walletId } = await admin.json<{ walletId: string }>(...create));
});

afterAll(() => service.stop());

const move = (verb: string, amount: string) => ['wallet', verb, '--wallet', walletId, '--amount', amount];

describe('money of the world outside', () => {
  it('comes in and goes out as orders, which are waited for', async () => {
    const { code, stdout } = await runProcess([...move('fund', '100.5'), '--json'], settings);
    expect(code).toBe(0);
    const funded = JSON.parse(stdout) as Order;
    expect(funded).toMatchObject({
      ...{ sourceWalletId: 'EXTERNAL', targetWalletId: walletId, amount: '100.50', currency: 'EUR' },
      ...{ workspaceId, status: 'COMPLETED', failure: null, bizId: funded.transferId },
    });
    expect(funded.completedAt).not.toBeNull();
    const withdrawn = await admin.json<Order>(...move('withdraw', '0.25'));
    expect(withdrawn).toMatchObject({ sourceWalletId: walletId, targetWalletId: 'EXTERNAL', status: 'COMPLETED' });
    const client = await MongoClient.connect(service.mongodbUri);
    const orders = client.db().collection<{ _id: string; type: string }>('orders');
    const stored = await orders
      .find({ _id: { $in: [funded.transferId, withdrawn.transferId] } })
      .sort({ _id: 1 })
      .toArray();
    await client.close();
    expect(stored.map(({ type }) => type)).toEqual(['DEPOSIT', 'WITHDRAWAL']);
    const balances = await admin.json<{ kind: string; balance: string }[]>(
      'wallet',
      'list',
      '--workspace',
      workspaceId,
    );
    expect(balances.map(({ kind, balance }) => `${kind} ${balance}`).sort()).toEqual([
      'EXTERNAL -100.25',
      'STANDARD 100.25',
    ]);
  });

  it('that is not there cannot be taken out: exit code 1 with the reason, and the order', async () => {
    const { code, stdout, stderr } = await admin.run(...move('withdraw', '1000'), '--json');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: order tr_\w+ FAILED: TR4223 INSUFFICIENT_BALANCE\n$/);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'FAILED',
      failure: { code: 'TR4223', message: 'INSUFFICIENT_BALANCE' },
    });
  });

  it('need not be waited for', async () => {
    expect(await admin.json(...move('fund', '1'), '--no-wait')).toMatchObject({ status: 'PENDING' });
  });

  it('moves once for one --biz-id, however often the command is repeated', async () => {
    const fund = [...move('fund', '3'), '--biz-id', 'deposit-7'];
    const first = await admin.json<Order>(...fund);
    expect(first).toMatchObject({ bizId: 'deposit-7', status: 'COMPLETED' });
    expect(await admin.json<Order>(...fund)).toMatchObject({ transferId: first.transferId });
    const { code, stderr } = await admin.run(...move('fund', '4'), '--biz-id', 'deposit-7');
    expect(code).toBe(1);
    expect(stderr).toContain('BIZ_ID_CONFLICT');
  });

  it('is in the audit with its orders', async () => {
    const { transferId } = await admin.json<Order>(...move('fund', '2'));

    const [event] = await admin.json<unknown[]>('audit', 'list', '--action', 'wallet fund', '--limit', '1');
    expect(event).toMatchObject({
      action: 'wallet fund',
      outcome: 'DONE',
      subject: { walletId, amount: '2', currency: 'EUR', transferId },
    });
  });

  describe('and within, by transfer journal', () => {
    const leg = { targetWalletId: 'wa_1', amount: '1', currency: 'EUR' };
    const journal = (file: string, ...more: string[]) => [
      ...['transfer', 'journal', '--workspace', workspaceId, '--file', file, ...more],
    ];
    async function fileOf(content: string): Promise<string> {
      const file = join(await mkdtemp(join(tmpdir(), 'test-journal-')), 'journal.json');
      await writeFile(file, content);
      return file;
    }
    const legs = (...amounts: string[]) =>
      amounts.map((amount) => ({ ...leg, targetWalletId: walletId, amount, description: 'Gift' }));

    it('moves all legs of a file, or of standard input, once for one bizId, and is audited', async () => {
      const file = await fileOf(JSON.stringify({ bizId: 'gifts-1', legs: legs('1', '2.5') }));
      const made = await admin.json<Order>(...journal(file));
      expect(made).toMatchObject({
        ...{ type: 'JOURNAL', bizId: 'gifts-1', status: 'COMPLETED', amount: null },
        legs: [{ sourceWalletId: 'EXTERNAL' }, { amount: '2.50', description: 'Gift' }],
      });
      expect(await admin.json<Order>(...journal(file))).toMatchObject({ transferId: made.transferId });
      const [event] = await admin.json<unknown[]>('audit', 'list', '--action', 'transfer journal', '--limit', '1');
      expect(event).toMatchObject({
        outcome: 'DONE',
        workspaceId,
        subject: { transferId: made.transferId, bizId: 'gifts-1', legs: 2 },
      });
      const { code, stdout } = await runProcess(
        journal('-', '--biz-id', 'gifts-2', '--json'),
        settings,
        JSON.stringify({ legs: legs('3') }),
      );
      expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ bizId: 'gifts-2' })]);
    });

    it('is not waited for if it is for later', async () => {
      const executeAt = new Date(Date.now() + 3_600_000).toISOString();
      const file = await fileOf(JSON.stringify({ executeAt, legs: legs('1') }));
      expect(await admin.json(...journal(file))).toMatchObject({ status: 'SCHEDULED' });
    });

    it('names the leg at fault of one that FAILED', async () => {
      const out = { sourceWalletId: walletId, amount: '1000', currency: 'EUR' };
      const file = await fileOf(JSON.stringify({ legs: [...legs('1'), out] }));
      const { code, stderr } = await admin.run(...journal(file));
      expect([code, stderr]).toEqual([1, expect.stringMatching(/FAILED at legs\[1\]: TR4223 INSUFFICIENT_BALANCE\n$/)]);
    });

    it.each([
      ['no file', undefined, /^error: \S+: the journal cannot be read \(ENOENT\)\n$/],
      ['no JSON', '{"legs": [}', /^error: RQ4002 MALFORMED_BODY: the body is not JSON.* \(how many .*: 10\)\n$/],
      ['an array', '[]', /^error: RQ4002 \w+: the body is not one JSON object\n$/],
      ['more than 512 KiB', ' '.repeat(512 * 1_024 + 1), /is larger than 512 KiB: divide it/],
      [
        'a wrong field',
        JSON.stringify({ legs: [leg, { ...leg, amount: 1 }] }),
        /: legs\[1\]\.amount: .* \(the type that is wanted: string\)\n$/,
      ],
      [
        'too many decimals',
        JSON.stringify({ legs: [{ ...leg, amount: '1.001' }] }),
        /: legs\[0\]\.amount: more decimals .* \(how many it has: 2\)/,
      ],
      ['an unknown wallet', JSON.stringify({ legs: [leg] }), /: legs\[0\]\.targetWalletId: /],
    ])('says what is wrong: %s', async (_, content, message) => {
      const file = content === undefined ? '/nonexistent/journal.json' : await fileOf(content);
      const { code, stdout, stderr } = await admin.run(...journal(file), '--json');
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(message);
    });
  });

  it('leaves sound books', async () => {
    expect(await admin.json('verify')).toMatchObject({ breaches: 0, sumsByCurrency: { EUR: '0' } });
  });
});
