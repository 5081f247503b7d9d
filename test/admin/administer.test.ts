import { hostname, userInfo } from 'node:os';
import { Decimal128 } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { openSecret } from '../../src/auth/secrets.ts';
import { readAdminSettings } from '../../src/settings/config.ts';
import { openApiKeys } from '../../src/storage/keys/api-keys.ts';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';
import { commandLine, masterKeys, runProcess } from './command-line.ts';

const { uri, db } = testDatabase();
const { url: redisUrl } = await testRedis();
const settings = { MONGODB_URI: uri, MASTER_KEYS: masterKeys, REDIS_URL: redisUrl };
const admin = commandLine(settings);
const withoutRedis = { ...settings, REDIS_URL: 'redis://127.0.0.1:1' };

interface Key {
  apiKey: string;
  apiSecret: string;
  workspaceId: string;
  owner: string;
  scopes: string[];
  status: string;
  ipWhitelist: string[];
  ratePerSecond: number | null;
  rateBurst: number | null;
}

interface Wallet {
  id: string;
  walletId: string;
  currency: string;
  kind: string;
  status: string;
  balance: string;
}

async function newWorkspace(...members: string[]): Promise<string> {
  const { workspaceId } = await admin.json<{ workspaceId: string }>('workspace', 'create', '--name', 'Acme');
  for (const user of members) await admin.json('member', 'add', '--workspace', workspaceId, '--user', user);
  return workspaceId;
}

async function expectRefused(message: string, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await admin.run(...args);
  expect(stderr).toContain(message);
  expect(stdout).toBe('');
  expect(code).toBe(1);
}

// Each has a workspace of its own: they are run at once.
describe.concurrent('a wallet', () => {
  it('is not funded while Redis is away, and nothing is recorded', async () => {
    const walletId = await newWallet();
    const fund = ['wallet', 'fund', '--wallet', walletId, '--amount', '1'];
    const { code, stdout, stderr } = await commandLine(withoutRedis, 500).run(...fund);
    expect(stderr).toContain('Redis could not be reached within 0.5 s');
    expect(stdout).toBe('');
    expect(code).toBe(1);
    expect(await db.collection('orders').countDocuments({ targetWalletId: walletId })).toBe(0);
  });
});

describe.concurrent('workspace', () => {
  it('is created, listed and deleted', async () => {
    const workspaceId = await newWorkspace();
    const list = () => admin.json<{ workspaceId: string; name: string }[]>('workspace', 'list');
    expect(await list()).toContainEqual(expect.objectContaining({ workspaceId, name: 'Acme' }));
    const table = await runProcess(['workspace', 'list'], settings);
    expect(table.stdout).toMatch(/^workspaceId +name +test +createdAt\n/);
    expect(table.stdout).toMatch(new RegExp(`^${workspaceId} +Acme +false +`, 'm'));

    await admin.json('workspace', 'delete', '--workspace', workspaceId, '--yes');
    expect((await list()).map((workspace) => workspace.workspaceId)).not.toContain(workspaceId);
    // The books stay.
    expect(await db.collection<{ _id: string }>('workspaces').countDocuments({ _id: workspaceId })).toBe(1);
    await expectRefused('there is no workspace', 'workspace', 'delete', '--workspace', workspaceId, '--yes');
    await expectRefused('there is no workspace', 'wallet', 'create', '--workspace', workspaceId, '--currency', 'EUR');
  });
});

describe.concurrent('member', () => {
  it('is added by several administrators at once, who all succeed', async () => {
    const workspaceId = await newWorkspace();
    const add = ['member', 'add', '--workspace', workspaceId, '--user', 'carol'];
    const ran = await Promise.all(Array.from({ length: 4 }, () => admin.run(...add)));
    expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual(ran.map(() => [0, '']));
    expect(await db.collection('members').countDocuments({ workspaceId, userId: 'carol' })).toBe(1);
  });

  it('is added, and removed once', async () => {
    const workspaceId = await newWorkspace('alice', 'alice');
    const remove = ['member', 'remove', '--workspace', workspaceId, '--user', 'alice', '--yes'];
    // The API hears of it through Redis, which may be away.
    expect(await commandLine(withoutRedis).json(...remove)).toEqual({ workspaceId, user: 'alice', isMember: false });
    await expectRefused('alice is not a member', ...remove);
  });

  it('needs a workspace', () =>
    expectRefused('there is no workspace ws_x', 'member', 'add', '--workspace', 'ws_x', '--user', 'a'));
});

describe.concurrent('key', () => {
  it('is created for a member, and its secret shown this once', async () => {
    const workspaceId = await newWorkspace('alice');
    const key = await admin.json<Key>(
      ...['key', 'create', '--workspace', workspaceId, '--owner', 'alice'],
      ...['--scope', 'wallet:read', '--scope', 'transfer:read', '--scope', 'wallet:read'],
      ...['--ip', '10.0.0.0/8', '--ip', '::1'],
    );
    expect(key).toMatchObject({
      workspaceId,
      owner: 'alice',
      scopes: ['wallet:read', 'transfer:read'],
      status: 'ENABLED',
      ipWhitelist: ['10.0.0.0/8', '::1'],
    });
    expect(Buffer.from(key.apiSecret, 'base64url')).toHaveLength(32);
    const listed = await admin.run('key', 'list', '--workspace', workspaceId, '--json');
    const { apiSecret, ...shown } = key;
    expect(JSON.parse(listed.stdout)).toEqual([{ ...shown, budgets: [] }]);
    expect(listed.stdout).not.toContain(apiSecret);
    expect(await secretsOf(key.apiKey)).toEqual([apiSecret]);
  });

  it('needs an owner who is a member, and a workspace that is there', async () => {
    const workspaceId = await newWorkspace();
    const create = (id: string) => ['key', 'create', '--workspace', id, '--owner', 'bob', '--scope', 'wallet:read'];
    await expectRefused('bob is not a member', ...create(workspaceId));
    await expectRefused('there is no workspace ws_x', ...create('ws_x'));
  });

  it('is disabled, enabled, given other scopes and another whitelist', async () => {
    const { apiKey } = await newKey();
    const change = (...args: string[]) => admin.json<Key>('key', ...args, '--key', apiKey);
    expect(await change('disable')).toMatchObject({ status: 'DISABLED' });
    expect(await change('enable')).toMatchObject({ status: 'ENABLED' });
    expect(await change('scopes', '--scope', 'transfer:create')).toMatchObject({ scopes: ['transfer:create'] });
    expect(await change('whitelist', '--ip', '192.0.2.1')).toMatchObject({ ipWhitelist: ['192.0.2.1'] });
    expect(await change('whitelist', '--clear')).toMatchObject({ ipWhitelist: [] });
  });

  it('is given a rate of its own, and that of every key again, each with its event', async () => {
    const { apiKey, workspaceId, ...made } = await newKey();
    expect(made).toMatchObject({ ratePerSecond: null, rateBurst: null });
    const change = (...args: string[]) => admin.json<Key>('key', 'rate', '--key', apiKey, ...args, '--as', 'rater');
    const rate = { ratePerSecond: 2, rateBurst: 4 };
    expect(await change('--per-second', '2', '--burst', '4')).toMatchObject(rate);
    expect(await admin.json('key', 'list', '--workspace', workspaceId)).toMatchObject([rate]);
    const { stdout } = await admin.run('key', 'list', '--workspace', workspaceId);
    expect(stdout).toMatch(/ ratePerSecond +rateBurst .*\n.* 2 +4 /);
    expect(await change('--clear')).toMatchObject({ ratePerSecond: null, rateBurst: null });
    expect(await admin.json('audit', 'list', '--actor', 'rater')).toMatchObject([
      { action: 'key rate', outcome: 'DONE', subject: { key: apiKey, perSecond: null, burst: null } },
      { action: 'key rate', outcome: 'DONE', subject: { key: apiKey, perSecond: 2, burst: 4 } },
    ]);
  });

  describe('a budget of it', () => {
    const set = (key: string, name: string, ...more: string[]) => [
      ...['key', 'budget', '--key', key, '--set', name, '--currency', 'EUR', ...more],
    ];
    const used = { amount: '50.00', used: '12.50', usedCount: 2 };
    /** As if orders had been posted. */
    const draw = (apiKey: string) =>
      db
        .collection<{ _id: string }>('keyBudgets')
        .updateOne({ _id: apiKey }, { $set: { 'budgets.0.used': '12.5', 'budgets.0.usedCount': 2 } });

    it('is set, shown with its use, replaced and removed, each with its event', async () => {
      const { apiKey, workspaceId } = await newKey();
      const total = ['--amount', '20.50', '--count', '3', '--window', 'total'];
      expect(await admin.json<object[]>(...set(apiKey, 'trial', ...total, '--as', 'budgeter'))).toEqual([
        {
          ...{ name: 'trial', currency: 'EUR', amount: '20.50', count: 3, window: 'total' },
          ...{ used: '0.00', usedCount: 0, remaining: '20.50', remainingCount: 3, resetsAt: null },
        },
      ]);
      const month = ['--amount', '0', '--window', 'month', '--time-zone', 'Europe/Berlin', '--as', 'budgeter'];
      const forbidden = { name: 'monthly', amount: '0.00', count: null, remaining: '0.00', remainingCount: null };
      const window = { calendar: 'month', timeZone: 'Europe/Berlin' };
      expect(await admin.json(...set(apiKey, 'monthly', ...month))).toMatchObject([
        { ...forbidden, window, resetsAt: expect.stringMatching(/T2[23]:00:00.000Z$/) as string },
        { name: 'trial' },
      ]);
      const [listed] = await admin.json<object[]>('key', 'list', '--workspace', workspaceId);
      expect(listed).toMatchObject({ apiKey, budgets: [{ name: 'monthly' }, { name: 'trial' }] });
      const remove = ['key', 'budget', '--key', apiKey, '--remove', 'monthly', '--as', 'budgeter'];
      expect(await admin.json(...remove)).toMatchObject([{ name: 'trial' }]);
      await expectRefused('has no budget monthly; see: key list', ...remove);

      const events = await admin.json<{ subject: object }[]>('audit', 'list', '--actor', 'budgeter');
      const was = { budget: 'monthly', currency: 'EUR', amount: '0', window: 'month', timeZone: 'Europe/Berlin' };
      expect(events.map(({ subject }) => subject)).toEqual([
        { key: apiKey, budget: 'monthly', remove: true },
        { key: apiKey, budget: 'monthly', remove: true, before: JSON.stringify(was) },
        { key: apiKey, ...was },
        { key: apiKey, budget: 'trial', currency: 'EUR', amount: '20.5', count: 3, window: 'total' },
      ]);
    });

    it('keeps its use if currency, window and time zone stay, and begins anew otherwise', async () => {
      const { apiKey } = await newKey();
      await admin.json(...set(apiKey, 'daily', '--amount', '20', '--window', 'day'));
      await draw(apiKey);
      const raised = ['--amount', '50', '--window', 'day', '--time-zone', 'UTC'];
      expect(await admin.json(...set(apiKey, 'daily', ...raised))).toMatchObject([used]);
      const weekly = ['--amount', '50', '--window', 'week'];
      expect(await admin.json(...set(apiKey, 'daily', ...weekly))).toMatchObject([{ used: '0.00', usedCount: 0 }]);
    });

    it('is one of ten at the most', async () => {
      const { apiKey } = await newKey();
      const total = ['--amount', '1', '--window', 'total'];
      for (let n = 0; n < 10; n += 1) await admin.json(...set(apiKey, `b${n}`, ...total));
      await expectRefused('a key has at most 10 budgets: --remove one first', ...set(apiKey, 'b10', ...total));
      expect(await admin.json(...set(apiKey, 'b9', ...total))).toHaveLength(10);
    });

    it.each([
      [2, 'give --set with --currency, --amount and --window, or --remove', ['--set', 'daily', '--currency', 'EUR']],
      [2, 'give --set with --currency', []],
      [2, "option '--set <name>' cannot be used with option '--remove <name>'", ['--set', 'a', '--remove', 'b']],
      [2, 'Allowed are a letter or digit', ['--set', ' daily']],
      [2, 'Allowed is a decimal', ['--set', 'daily', '--amount', '-1']],
      [2, 'Allowed is a whole number from 0 to 1000000', ['--set', 'daily', '--count', '1000001']],
      [2, 'Allowed choices are day, week, month, total', ['--set', 'daily', '--window', 'year']],
      [2, 'Allowed is an IANA name', ['--set', 'daily', '--time-zone', '+01:00']],
      [2, 'Allowed is an IANA name', ['--set', 'daily', '--time-zone', 'Europe/Atlantis']],
      [2, 'in total has no --time-zone', ['--window', 'total', '--time-zone', 'UTC'], 'EUR', '1'],
      [2, 'unknown currency XQQ', ['--window', 'day'], 'XQQ', '1'],
      [1, '--amount: more decimals than the currency has', ['--window', 'day'], 'EUR', '1.001'],
      [1, 'there is no key ak_x', ['--window', 'day'], 'EUR', '1'],
    ] as const)('is refused with %i: %s', async (code, message, more, currency?: string, amount?: string) => {
      const whole = currency === undefined ? [] : ['--set', 'daily', '--currency', currency, '--amount', amount ?? ''];
      const ran = await admin.run('key', 'budget', '--key', 'ak_x', ...whole, ...more);
      expect(ran.stderr).toContain(message);
      expect([ran.code, ran.stdout]).toEqual([code, '']);
    });
  });

  it('is rotated: two secrets during the overlap, one without', async () => {
    const { apiKey, apiSecret: first } = await newKey();
    const second = await admin.json<Key & { previousValidUntil: string }>('key', 'rotate', '--key', apiKey);
    expect(hoursFromNow(second.previousValidUntil)).toBeCloseTo(24, 1);
    expect(await secretsOf(apiKey)).toEqual([second.apiSecret, first]);

    const third = await admin.json<Key & { previousValidUntil: string }>(
      'key',
      'rotate',
      '--key',
      apiKey,
      '--overlap',
      '90m',
    );
    expect(hoursFromNow(third.previousValidUntil)).toBeCloseTo(1.5, 1);
    expect(await secretsOf(apiKey)).toEqual([third.apiSecret, second.apiSecret]);

    const fourth = await admin.json<Key>('key', 'rotate', '--key', apiKey, '--overlap', '0', '--yes');
    expect(fourth).toMatchObject({ previousValidUntil: null });
    expect(await secretsOf(apiKey)).toEqual([fourth.apiSecret]);
  });

  it.each([
    ['enable'],
    ['disable'],
    ['rotate'],
    ['scopes', '--scope', 'wallet:read'],
    ['whitelist', '--clear'],
    ['rate', '--clear'],
  ])('%s of one that is not there', (...args) =>
    expectRefused('there is no key ak_x', 'key', ...args, '--key', 'ak_x'),
  );
});

describe.concurrent('wallet', () => {
  it('is created and listed', async () => {
    const workspace = ['--workspace', await newWorkspace()];
    const wallet = await admin.json<Wallet>('wallet', 'create', ...workspace, '--currency', 'BTC', '--name', 'Main');
    expect(wallet).toMatchObject({
      ...{ id: wallet.walletId, name: 'Main', currency: 'BTC', kind: 'STANDARD', status: 'ACTIVE' },
      ...{ balance: '0.00000000', sequence: 0 },
    });
    expect(await admin.json('wallet', 'list', ...workspace)).toEqual([wallet]);
  });

  it('needs a known currency', async () => {
    const create = ['wallet', 'create', '--workspace', await newWorkspace(), '--currency', 'XQQ'];
    const { code, stderr } = await admin.run(...create);
    expect(code).toBe(2);
    expect(stderr).toContain('ISO 4217, such as EUR, and USDT, USDC, BTC');
  });

  it('that is not there is not funded', () =>
    expectRefused('there is no wallet wa_x', 'wallet', 'fund', '--wallet', 'wa_x', '--amount', '1'));

  it('takes no more decimals than its currency has', async () => {
    const fund = ['wallet', 'fund', '--wallet', await newWallet(), '--amount', '1.001'];
    await expectRefused('more decimals than the currency has', ...fund);
  });
});

describe.concurrent('transfer', () => {
  it('that was set aside is listed with its reason, and let go again', async () => {
    const fault = { attempts: 4, reason: 'the currency is not configured', at: new Date() };
    const orders = db.collection<{ _id: string }>('orders');
    const stuckSince = new Date();
    const order = {
      ...{
        _id: 'tr_stuck',
        bizId: 'tr_stuck',
        workspaceId: 'ws_1',
        type: 'TRANSFER',
        sourceWalletId: 'wa_1',
        targetWalletId: 'wa_2',
      },
      ...{
        wallets: ['wa_1', 'wa_2'],
        amount: Decimal128.fromString('1'),
        currency: 'XYZ',
        status: 'SET_ASIDE',
        failure: null,
      },
      ...{ createdAt: stuckSince, updatedAt: stuckSince, completedAt: null, fault, stuckSince },
    };
    await orders.insertOne(order);
    const stuck = { transferId: 'tr_stuck', attempts: 4, reason: fault.reason, stuckSince: stuckSince.toISOString() };
    expect(await admin.json('transfer', 'stuck')).toEqual([stuck]);
    // By whichever order of an atomic batch: all are released.
    const other = { ...order, _id: 'tr_other', bizId: 'tr_other', firstId: 'tr_stuck' };
    await orders.insertOne(other);
    await orders.updateOne({ _id: 'tr_stuck' }, { $set: { otherIds: ['tr_other'] } });
    const reason = ['--reason', 'it is known now'];
    // No command minds being told not to ask.
    expect(await admin.json('transfer', 'retry', '--id', 'tr_other', ...reason, '--yes')).toEqual({
      transferId: 'tr_other',
      isStuck: false,
    });
    expect(await admin.json('transfer', 'stuck')).toEqual([]);
    await expectRefused('is not set aside', 'transfer', 'retry', '--id', 'tr_stuck', ...reason);
    expect(await orders.findOne({ _id: 'tr_other' })).toMatchObject({ status: 'PENDING' });
    // By its first order the release is told on the page of each.
    const [event] = await admin.json<{ subject: object }[]>('audit', 'list', '--action', 'transfer retry');
    expect(event?.subject).toMatchObject({ transferId: 'tr_stuck', reason: 'it is known now' });
    await orders.deleteMany({ _id: { $in: ['tr_stuck', 'tr_other'] } });
  });
});

describe('audit', () => {
  it('lists the changes of a workspace, newest first and page by page; as a table too', async () => {
    const workspaceId = await newWorkspace('alice');
    const of = ['audit', 'list', '--workspace', workspaceId];
    const first = await admin.run(...of, '--limit', '1', '--json');
    const [newest] = JSON.parse(first.stdout) as { eventId: string; action: string }[];
    expect(newest).toMatchObject({
      ...{ action: 'member add', workspaceId, subject: { user: 'alice' }, outcome: 'DONE' },
      ...{ actor: userInfo().username, claimedActor: null, host: hostname(), address: null },
    });
    expect(first.stderr).toBe(`there are more; the next page: --before ${newest?.eventId ?? ''}\n`);
    const rest = await admin.run(...of, '--before', newest?.eventId ?? '', '--json');
    expect(JSON.parse(rest.stdout)).toMatchObject([{ action: 'workspace create', subject: { name: 'Acme' } }]);
    expect(rest.stderr).toBe('');
    expect((await admin.run(...of)).stdout).toMatch(
      /^eventId +createdAt +actor +.*\n.* member add .*\n.* workspace create /,
    );
  });

  it('has none for what was refused', async () => {
    const before = await db.collection('auditEvents').countDocuments();
    await admin.run('key', 'disable', '--key', 'ak_x');
    await admin.run('workspace', 'delete', '--workspace', 'ws_x');
    expect(await db.collection('auditEvents').countDocuments()).toBe(before);
  });
});

describe('verify', () => {
  it('prints a summary, and ends with exit code 1 when there is a breach, each a line', async () => {
    const walletId = await newWallet();
    expect(await admin.json('verify')).toMatchObject({ breaches: 0, flows: 0, sumsByCurrency: { EUR: '0' } });
    const bookedWallets = db.collection<{ _id: string }>('wallets');
    await bookedWallets.updateOne({ _id: walletId }, { $set: { flowHash: 'edited' } });
    const { code, stdout, stderr } = await runProcess(['verify', '--json'], settings);
    expect(code).toBe(1);
    expect(stderr).toContain('the books are not sound: 1 breach');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toMatchObject([{ kind: 'wallet-hash', id: walletId }, { breaches: 1 }]);
    expect((await admin.run('verify')).stdout).toMatch(new RegExp(`^wallet-hash {2}${walletId} {2}says`));
    await bookedWallets.updateOne({ _id: walletId }, { $set: { flowHash: '' } });
  });
});

async function newKey(): Promise<Key> {
  const workspaceId = await newWorkspace('alice');
  return admin.json<Key>('key', 'create', '--workspace', workspaceId, '--owner', 'alice', '--scope', 'wallet:read');
}

async function newWallet(): Promise<string> {
  const workspaceId = await newWorkspace();
  return (await admin.json<Wallet>('wallet', 'create', '--workspace', workspaceId, '--currency', 'EUR')).walletId;
}

async function secretsOf(apiKey: string): Promise<string[]> {
  const key = await openApiKeys(db).find(apiKey);
  return key!.secrets.map((sealed) => openSecret(sealed, apiKey, readAdminSettings(settings).MASTER_KEYS));
}

function hoursFromNow(time: string): number {
  return (new Date(time).getTime() - Date.now()) / 3_600_000;
}
