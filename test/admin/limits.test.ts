import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type RunningService } from '../support/service.ts';
import { commandLine, masterKeys, runProcess, type CommandLine } from './command-line.ts';

let service: RunningService;
let settings: NodeJS.ProcessEnv;
let admin: CommandLine;
let workspaceId: string;

beforeAll(async () => {
  service = await startService({ webs: 0, env: { MASTER_KEYS: masterKeys } });
  settings = { MONGODB_URI: service.mongodbUri, REDIS_URL: service.redisUrl, MASTER_KEYS: masterKeys };
  admin = commandLine(settings);
  ({ workspaceId } = await admin.json<{ workspaceId: string }>('workspace', 'create', '--name', 'Acme'));
});
afterAll(() => service.stop());

async function newWallet(): Promise<string> {
  const create = ['wallet', 'create', '--workspace', workspaceId, '--currency', 'EUR'];
  const { walletId } = await admin.json<{ walletId: string }>(...create);
  await admin.json('wallet', 'fund', '--wallet', walletId, '--amount', '100');
  return walletId;
}
async function fileOf(content: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'test-limits-')), 'list.json');
  await writeFile(file, content);
  return file;
}
const withdraw = (walletId: string, amount: string, ...more: string[]) => [
  ...['wallet', 'withdraw', '--wallet', walletId, '--amount', amount, ...more],
];
const day = { calendar: 'day', timeZone: 'Europe/Berlin' };
const daily = { name: 'daily', amount: '10', window: day };
const lastEvent = async (action: string) =>
  (await admin.json<{ subject: object }[]>('audit', 'list', '--action', action, '--limit', '1'))[0]?.subject;

describe('limits of a wallet', () => {
  it('are set from a file, shown with their use, and audited with what was before', async () => {
    const walletId = await newWallet();
    const limits = ['wallet', 'limits', '--wallet', walletId];
    await admin.json(...withdraw(walletId, '2.5'));
    const set = await admin.json(...limits, '--set-file', await fileOf(JSON.stringify({ limits: [daily] })));
    const use = { used: '2.50', usedCount: 1, remaining: '7.50', remainingCount: null };
    const shown = { ...daily, amount: '10.00', count: null, ...use };
    expect(set).toMatchObject({ walletId, currency: 'EUR', limits: [shown] });
    expect(await admin.json(...limits)).toMatchObject({ limits: [shown] });

    const { code, stderr } = await admin.run(...withdraw(walletId, '8'));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/FAILED: TR4230 LIMIT_EXCEEDED\n$/)]);

    const none = ['--set-file', '-', '--json'];
    const ran = await runProcess([...limits, ...none], settings, JSON.stringify({ limits: [] }));
    expect([ran.code, JSON.parse(ran.stdout)]).toEqual([0, expect.objectContaining({ walletId, limits: [] })]);
    expect(await lastEvent('wallet limits')).toEqual({
      ...{ walletId, limits: '[]' },
      limitsBefore: expect.stringMatching(/^\[\{"name":"daily",.*"amount":"10"/) as string,
    });
  });

  it('do not judge a withdrawal over limits, which counts, and which the audit keeps', async () => {
    const walletId = await newWallet();
    const limits = ['wallet', 'limits', '--wallet', walletId];
    await admin.json(...limits, '--set-file', await fileOf(JSON.stringify({ limits: [daily] })));
    const over = ['--over-limits', '--biz-id', 'seized-1'];
    const made = await admin.json<{ transferId: string }>(...withdraw(walletId, '25', ...over));
    expect(made).toMatchObject({ status: 'COMPLETED', amount: '25.00' });
    expect(await admin.json(...limits)).toMatchObject({ limits: [{ used: '25.00', remaining: '0.00' }] });
    expect(await lastEvent('wallet withdraw')).toMatchObject({ transferId: made.transferId, overLimits: 'true' });
    // It is another order without it.
    expect((await admin.run(...withdraw(walletId, '25', '--biz-id', 'seized-1'))).stderr).toContain('BIZ_ID_CONFLICT');
    expect((await admin.run(...withdraw(walletId, '1'))).stderr).toContain('LIMIT_EXCEEDED');
    expect((await admin.run('wallet', 'fund', '--wallet', walletId, '--amount', '1', '--over-limits')).code).toBe(2);
  });
});

it('alerts of a wallet are set from a file, shown with their state, and audited', async () => {
  const walletId = await newWallet();
  const alerts = ['wallet', 'alerts', '--wallet', walletId];
  const low = { name: 'low', availableBelow: '50' };
  const high = { name: 'high', availableAbove: '99.99' };
  const set = await admin.json(...alerts, '--set-file', await fileOf(JSON.stringify({ alerts: [low, high] })));
  expect(set).toMatchObject({
    ...{ walletId, currency: 'EUR' },
    alerts: [
      { ...low, availableBelow: '50.00', availableAbove: null, limitUsed: null, state: 'cleared' },
      { name: 'high', state: 'raised' },
    ],
  });
  await admin.json(...withdraw(walletId, '60'));
  expect(await admin.json(...alerts)).toMatchObject({ alerts: [{ state: 'raised' }, { state: 'cleared' }] });
  expect(await lastEvent('wallet alerts')).toEqual({
    ...{ walletId, alerts: JSON.stringify([low, high]) },
    alertsBefore: '[]',
  });
});

describe('what is wrong is said, and nothing is changed', () => {
  it.each([
    ['limits', 'no file', undefined, /^error: \S+: the limits cannot be read \(ENOENT\)\n$/],
    ['limits', 'no JSON', '{', /^error: RQ4002 MALFORMED_BODY: /],
    ['limits', 'more than 64 KiB', ' '.repeat(64 * 1_024 + 1), /is larger than 64 KiB/],
    ['limits', 'another list', '{"alerts":[]}', /^error: RQ4001 \w+: limits: /],
    ['limits', 'an offset', limitsOf({ ...daily, window: { ...day, timeZone: '+01:00' } }), /: limits\[0\]\.window/],
    ['limits', 'decimals', limitsOf({ ...daily, amount: '1.001' }), /: limits\[0\]\.amount: more decimals/],
    [
      'alerts',
      'no such limit',
      alertsOf({ limitUsed: { limit: 'x', share: '1' } }),
      /: alerts\[0\]\.limitUsed\.limit: /,
    ],
    ['alerts', 'no condition', alertsOf({}), /^error: RQ4001 \w+: alerts\[0\]/],
  ] as const)('%s: %s', async (verb, _, content, message) => {
    const walletId = await newWallet();
    const file = content === undefined ? '/nonexistent/list.json' : await fileOf(content);
    const { code, stdout, stderr } = await admin.run('wallet', verb, '--wallet', walletId, '--set-file', file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(await admin.json('wallet', verb, '--wallet', walletId)).toMatchObject({ [verb]: [] });
  });

  it('of a wallet that is not there, or EXTERNAL', async () => {
    await newWallet();
    expect((await admin.run('wallet', 'limits', '--wallet', 'wa_x')).stderr).toContain('there is no wallet wa_x');
    const listed = await admin.json<{ id: string; kind: string }[]>('wallet', 'list', '--workspace', workspaceId);
    const { id = '' } = listed.find(({ kind }) => kind === 'EXTERNAL') ?? {};
    const { code, stderr } = await admin.run('wallet', 'limits', '--wallet', id);
    expect([code, stderr]).toEqual([1, expect.stringContaining('is EXTERNAL: it has no limits')]);
  });
});

function limitsOf(limit: object): string {
  return JSON.stringify({ limits: [limit] });
}
function alertsOf(condition: object): string {
  return JSON.stringify({ alerts: [{ name: 'a', ...condition }] });
}

it('leaves sound books', async () => {
  expect(await admin.json('verify')).toMatchObject({ breaches: 0 });
});
