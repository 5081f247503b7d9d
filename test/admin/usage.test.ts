import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalMessage, sign } from '../../src/auth/signature.ts';
import { commandLine, masterKeys, runProcess } from './command-line.ts';

const admin = commandLine({});
// Also where the tests are run in one.
process.stdin.isTTY = false;
const verbs = {
  workspace: ['create', 'list', 'delete'],
  sandbox: ['create'],
  member: ['add', 'remove'],
  key: ['create', 'list', 'enable', 'disable', 'rotate', 'scopes', 'whitelist', 'rate'],
  transfer: ['stuck', 'retry', 'cancel', 'release', 'journal'],
  audit: ['list'],
  wallet: ['create', 'list', 'fund', 'withdraw', 'statement'],
};
const single = ['verify', 'sign'];

// Nothing is shared: all are run at once.
describe.concurrent('settings', () => {
  it('that are nowhere: one message, exit code 1', async () => {
    const { code, stderr } = await runProcess(['workspace', 'list']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: wrong settings:\n {2}MONGODB_URI and MASTER_KEYS not set, .*script\/start.*\n$/);
  });

  it('of a server that is away: a message within its time, exit code 1', async () => {
    const away = commandLine({ MONGODB_URI: 'mongodb://127.0.0.1:1/test', MASTER_KEYS: masterKeys }, 500);
    const { code, stderr } = await away.run('workspace', 'list');
    expect(code).toBe(1);
    expect(stderr).toContain('MongoDB could not be reached within 0.5 s: ');
  });

  it.each(['mongodb://user:hunter%zz2@127.0.0.1:1/x', 'mongodb://user:hunter2@/x', 'mongodb://h/x?hunter2=//'])(
    'that are no address are refused at once, and not repeated',
    async (uri) => {
      const { code, stderr } = await commandLine({ MONGODB_URI: uri, MASTER_KEYS: masterKeys }).run(
        'workspace',
        'list',
      );
      expect(code).toBe(1);
      expect(stderr).toContain('MONGODB_URI is wrong: ');
      expect(stderr).not.toContain('://');
    },
  );

  it('of a running local stack are taken, unless MONGODB_URI names another database', async () => {
    const stackFile = join(await mkdtemp(join(tmpdir(), 'test-stack-')), 'stack.json');
    const stack = { mongodbUri: 'mongodb://127.0.0.1:1/stack', redisUrl: 'redis://127.0.0.1:1', masterKeys };
    await writeFile(stackFile, JSON.stringify(stack));
    const taken = await commandLine({ LOCAL_STACK_FILE: stackFile }, 500).run('workspace', 'list');
    expect(taken.stderr).toContain('MongoDB could not be reached');
    const other = commandLine({ LOCAL_STACK_FILE: stackFile, MONGODB_URI: 'mongodb://127.0.0.1:1/other' });
    expect((await other.run('workspace', 'list')).stderr).toContain('MASTER_KEYS not set');
  });
});

describe.concurrent('config check', () => {
  const right = { MASTER_KEYS: masterKeys, REDIS_URL: 'redis://:hunter2@cache' };

  it('shows what each setting of a process is, asks no server, and ends with 0 if nothing is wrong', async () => {
    const { code, stdout, stderr } = await commandLine(right).run('config', 'check');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^REDIS_URL +redis:\/\/cache:6379 +environment$/m);
    expect(stdout).toMatch(/^OPS_PORT +3001 +default$/m);
    expect(stdout).not.toContain('hunter2');
    const ofWorker = await commandLine(right).json<{ settings: { setting: string }[] }>(
      ...['config', 'check', '--process', 'worker'],
    );
    expect(ofWorker.settings.map(({ setting }) => setting)).toContain('POSTING_GROUPS_IN_FLIGHT');
  });

  it('names every fault, and what is nearly a setting, and ends with 1', async () => {
    const wrong = { ...right, PORT: 'abc', BACKLOG_MAX: '0', BACKLOGMAX: '5' };
    const { code, stderr, stdout } = await commandLine(wrong).run('config', 'check', '--json');
    expect(code).toBe(1);
    const said = JSON.parse(stdout) as { faults: string[]; misspelt: unknown };
    expect(said.faults.map((fault) => fault.split(':')[0])).toEqual(['BACKLOG_MAX is "0"', 'PORT is "abc"']);
    expect(said.misspelt).toEqual([{ name: 'BACKLOGMAX', meant: 'BACKLOG_MAX' }]);
    expect(stderr).toContain('BACKLOGMAX has no effect');
    const misspelt = await commandLine({ ...right, BACKLOGMAX: '5' }).run('config', 'check');
    expect([misspelt.code, misspelt.stderr]).toEqual([1, expect.stringContaining('BACKLOG_MAX is one')]);
  });

  it('of a process that does not exist is wrong usage', async () => {
    expect((await commandLine(right).run('config', 'check', '--process', 'api')).code).toBe(2);
  });
});

describe.concurrent('--help', () => {
  it('lists every noun and command', async () => {
    const { code, stdout } = await runProcess(['--help']);
    expect(code).toBe(0);
    for (const name of [...Object.keys(verbs), ...single]) expect(stdout).toContain(`\n  ${name} `);
  });

  it.each(Object.entries(verbs))('of %s lists its verbs', async (noun, names) => {
    const { code, stdout } = await admin.run(noun, '--help');
    expect(code).toBe(0);
    for (const name of names) expect(stdout).toContain(`\n  ${name} `);
  });

  it.each([['key', 'rotate'], ['wallet', 'fund'], ['verify'], ['sign']])('of %s %s', async (...words) => {
    const { code, stdout } = await admin.run(...words, '--help');
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: admin ${words.join(' ')}`);
    expect(stdout).toContain('--json');
  });
});

describe.concurrent('wrong usage ends with exit code 2 and says what is allowed', () => {
  const key = ['key', 'create', '--workspace', 'ws_1', '--owner', 'alice'];
  const replay = ['webhook', 'replay', '--workspace', 'ws_1', '--webhook', 'wh_1'];
  const rate = (perSecond: string, burst: string): string[] => {
    return ['key', 'rate', '--key', 'ak_1', '--per-second', perSecond, '--burst', burst];
  };
  it.each<[string, string[], string]>([
    ['nothing', [], 'Usage:'],
    ['an unknown noun', ['walet', 'list'], "unknown command 'walet'"],
    ['a noun alone', ['wallet'], 'Usage:'],
    ['an unknown verb', ['wallet', 'burn'], "unknown command 'burn'"],
    ['an unknown option', ['workspace', 'list', '--wide'], "unknown option '--wide'"],
    ['a missing option', ['wallet', 'list'], "required option '--workspace <id>' not specified"],
    ['a word too many', ['workspace', 'list', 'all'], 'too many arguments'],
    ['an unknown scope', [...key, '--scope', 'wallet:write'], 'wallet:read, wallet:manage, transfer:read'],
    ['no scope', key, "required option '--scope <scope>' not specified"],
    ['a wrong CIDR', [...key, '--scope', 'wallet:read', '--ip', '10.0.0.0/33'], 'IPv4 and IPv6 addresses and CIDRs'],
    ['an empty user', ['member', 'add', '--workspace', 'ws_1', '--user', ''], '1 to 64 characters'],
    ['a long user', ['member', 'add', '--workspace', 'ws_1', '--user', 'x'.repeat(65)], '1 to 64 characters'],
    ['an empty name', ['workspace', 'create', '--name', ' '], '1 to 100 characters'],
    ['a name that turns its direction', ['workspace', 'create', '--name', 'a\u202eb'], 'without control characters'],
    [
      'a user with a control character',
      ['member', 'add', '--workspace', 'ws_1', '--user', 'a\u0085b'],
      'without control characters',
    ],
    ['an exotic amount', ['wallet', 'fund', '--wallet', 'wa_1', '--amount', '1e3'], 'decimal above zero'],
    ['a negative amount', ['wallet', 'fund', '--wallet', 'wa_1', '--amount=-1'], 'decimal above zero'],
    ['an amount of nothing', ['wallet', 'fund', '--wallet', 'wa_1', '--amount', '0.00'], 'decimal above zero'],
    [
      'an id of an order',
      ['wallet', 'fund', '--wallet', 'wa_1', '--amount', '1', '--biz-id', 'tr_1'],
      'not beginning with',
    ],
    [
      'a word of the paths',
      ['wallet', 'fund', '--wallet', 'wa_1', '--amount', '1', '--biz-id', 'wallet'],
      'nor "wallet"',
    ],
    ['a wrong overlap', ['key', 'rotate', '--key', 'ak_1', '--overlap', '24'], 's, m, h or d, up to 30d'],
    ['an overlap too long', ['key', 'rotate', '--key', 'ak_1', '--overlap', '31d'], 's, m, h or d, up to 30d'],
    ['no whitelist', ['key', 'whitelist', '--key', 'ak_1'], 'give --ip, or --clear'],
    ['two whitelists', ['key', 'whitelist', '--key', 'ak_1', '--ip', '::1', '--clear'], 'cannot be used with'],
    ['no rate', ['key', 'rate', '--key', 'ak_1'], 'give both --per-second and --burst, or --clear'],
    ['half a rate', ['key', 'rate', '--key', 'ak_1', '--burst', '5'], 'give both --per-second and --burst'],
    ['a rate and none', [...rate('2', '4'), '--clear'], "'--per-second <n>' cannot be used with option '--clear'"],
    ['a rate of nothing', rate('0', '4'), "'0' is invalid. Allowed is a whole number from 1 to 1000000."],
    ['a rate in parts', rate('1.5', '4'), 'whole number from 1 to 1000000'],
    ['a rate too high', rate('2', '1000001'), 'whole number from 1 to 1000000'],
    ['a burst below its rate', rate('5', '4'), '--burst 4 is below --per-second 5'],
    ['a day that is none', ['audit', 'list', '--from', '2026-02-30'], 'a day, such as 2026-01-31'],
    ['a time without zone', ['audit', 'list', '--to', '2026-01-31T12:00:00'], 'a time with zone'],
    ['too many events', ['audit', 'list', '--limit', '1001'], 'whole number from 1 to 1000'],
    ['no event', ['audit', 'list', '--before', 'tr_1'], 'eventId of a listed event'],
    ['a time that is none', [...replay, '--since', '5'], 'a day, such as 2026-01-31'],
    ['a time and an event', [...replay, '--since', '2026-01-31', '--event', 'ev_1'], 'cannot be used with'],
    ['neither time nor event', replay, 'give --since with a time, or --event'],
    ['no secret', ['sign', '--key', 'k', '--method', 'GET', '--path', '/api'], 'give --secret-file, or --secret'],
    [
      'two secrets',
      ['sign', '--key', 'k', '--secret', 's', '--secret-file', '-', '--method', 'GET', '--path', '/api'],
      'cannot be used with',
    ],
    ['a wrong path', ['sign', '--key', 'k', '--secret', 's', '--method', 'GET', '--path', 'api'], 'begins with "/"'],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await admin.run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
  });

  it.each([
    ['workspace', 'delete', '--workspace', 'ws_1'],
    ['member', 'remove', '--workspace', 'ws_1', '--user', 'alice'],
    ['key', 'rotate', '--key', 'ak_1', '--overlap', '0'],
  ])('%s %s without a terminal and without --yes', async (...args) => {
    const { code, stderr } = await admin.run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain('add --yes');
  });

  it('key rotate without a terminal and without --yes, as a process', async () => {
    const { code, stderr } = await runProcess(['key', 'rotate', '--key', 'ak_1', '--overlap', '0']);
    expect(code).toBe(2);
    expect(stderr).toContain('add --yes');
  });
});

describe.concurrent('sign', () => {
  const args = ['sign', '--key', 'ak_1', '--secret', 'geheim', '--method', 'post'];
  interface Signed {
    canonicalMessage: string;
    bodyHash: string;
    headers: Record<string, string>;
  }

  it('gives the headers and the message of a request, without any server', async () => {
    const signed = await admin.json<Signed>(...args, '--path', '/api/v1/x?page=0', '--body', '{"a":"ä"}');
    const { 'X-Timestamp': timestamp = '', 'X-Nonce': nonce = '', ...headers } = signed.headers;
    const body = Buffer.from('{"a":"ä"}');
    const message = canonicalMessage({ method: 'POST', path: '/api/v1/x', timestamp, nonce, body });
    expect(signed.canonicalMessage).toBe(message);
    expect(message.endsWith(`\n${signed.bodyHash}`)).toBe(true);
    expect(headers).toEqual({
      'X-Api-Key': 'ak_1',
      'X-Signature': sign(message, 'geheim'),
      'Content-Type': 'application/json',
    });
    expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(10);
    expect(nonce).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('prints them to be read, and never the secret', async () => {
    const { code, stdout } = await admin.run(...args, '--path', '/api/v1/x');
    expect(code).toBe(0);
    expect(stdout).toContain('canonical message:\nPOST\n/api/v1/x\n');
    expect(stdout).not.toContain('geheim');
    expect(stdout).not.toContain('Content-Type');
  });

  it('takes the secret from a file or from standard input, so that no shell keeps it', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'test-secret-')), 'secret');
    await writeFile(path, 'geheim \r\n\n');
    const rest = ['sign', '--key', 'ak_1', '--method', 'GET', '--path', '/api/v1/x', '--json'];
    const runs = [
      await admin.run(...rest, '--secret-file', path),
      await admin.run(...rest, '--secret', 'geheim\n'),
      await runProcess([...rest, '--secret-file', '-'], {}, 'geheim\n'),
      await runProcess([...rest, '--secret-file', '-'], {}, 'geheim'),
    ];
    for (const { stdout, code } of runs) {
      expect(code).toBe(0);
      const signed = JSON.parse(stdout) as Signed;
      expect(signed.headers['X-Signature']).toBe(sign(signed.canonicalMessage, 'geheim'));
    }
  });

  it.each([
    ['nothing', '', 'holds no secret'],
    ['an empty line', '\n', 'holds no secret'],
    ['two lines', 'geheim\ngeheim\n', 'holds more than a secret'],
    ['a whole file', 'geheim'.repeat(10_000), 'holds more than a secret'],
  ])('refuses %s for a secret, and does not repeat it', async (_, input, message) => {
    const rest = ['sign', '--key', 'ak_1', '--method', 'GET', '--path', '/api/v1/x'];
    const path = join(await mkdtemp(join(tmpdir(), 'test-secret-')), 'secret');
    await writeFile(path, input);
    const { code, stderr } = await admin.run(...rest, '--secret-file', path);
    expect(code).toBe(1);
    expect(stderr).toBe(`error: ${path} ${message}\n`);
  });

  it('reads no more of standard input than a secret has, and does not repeat it', async () => {
    const rest = ['sign', '--key', 'ak_1', '--method', 'GET', '--path', '/api/v1/x'];
    const { code, stderr } = await runProcess([...rest, '--secret-file', '-'], {}, 'geheim'.repeat(10_000));
    expect(code).toBe(1);
    expect(stderr).toBe('error: standard input holds more than a secret\n');
  });

  it('says which file cannot be read', async () => {
    const rest = ['sign', '--key', 'ak_1', '--method', 'GET', '--path', '/api/v1/x'];
    const { code, stderr } = await admin.run(...rest, '--secret-file', '/nonexistent/secret');
    expect(code).toBe(1);
    expect(stderr).toBe('error: /nonexistent/secret: the secret cannot be read (ENOENT)\n');
  });
});
