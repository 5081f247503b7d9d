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

  it('leaves sound books', async () => {
    expect(await admin.json('verify')).toMatchObject({ breaches: 0, sumsByCurrency: { EUR: '0' } });
  });
});
