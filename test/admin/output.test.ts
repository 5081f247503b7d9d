import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/admin/run.ts';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';
import { commandLine, masterKeys } from './command-line.ts';

const { uri, db } = testDatabase();
const { url: redisUrl } = await testRedis();
const settings = { MONGODB_URI: uri, REDIS_URL: redisUrl, MASTER_KEYS: masterKeys };
const admin = commandLine(settings);
const entry = join(import.meta.dirname, '../../src/admin/main.ts');
const steering = '\u009b2J\u001b[31m\u007f\u202egnp.\u2066\ud800';
const controls = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Cs}]/u;

let workspaceId: string;
beforeAll(async () => {
  ({ workspaceId } = await admin.json<{ workspaceId: string }>('workspace', 'create', '--name', 'Acme'));
  await admin.json('member', 'add', '--workspace', workspaceId, '--user', 'owner');
});

const newKey = (): string[] => [
  ...['key', 'create', '--workspace', workspaceId, '--owner', 'owner', '--scope', 'wallet:read'],
];
describe('text of others', () => {
  beforeAll(async () => {
    const create = ['wallet', 'create', '--workspace', workspaceId, '--currency', 'EUR'];
    const { walletId } = await admin.json<{ walletId: string }>(...create);
    // As an older release stored it. The driver refuses lone surrogates.
    const change = { $set: { name: steering.replace('\ud800', '') } };
    await db.collection<{ _id: string }>('wallets').updateOne({ _id: walletId }, change);
  });

  it('is escaped in JSON, with its value', async () => {
    const { stdout } = await admin.run('wallet', 'list', '--workspace', workspaceId, '--json');
    expect(stdout).toContain(String.raw`"\u009b2J\u001b[31m\u007f\u202egnp.\u2066"`);
    expect(stdout).not.toMatch(controls);
    expect(JSON.parse(stdout)).toMatchObject([{ name: steering.replace('\ud800', '') }]);
  });

  it('is replaced in a table', async () => {
    const { stdout } = await admin.run('wallet', 'list', '--workspace', workspaceId);
    expect(stdout).toContain('\ufffd2J\ufffd[31m\ufffd\ufffdgnp.\ufffd');
    expect(stdout).not.toMatch(controls);
  });

  it.each([
    ['an error', ['wallet', 'list', '--workspace', steering]],
    ['wrong usage', ['wallet', steering]],
    ['a wrong option', ['member', 'add', '--workspace', 'ws_1', '--user', steering.repeat(64)]],
  ])('is replaced in %s', async (_, args) => {
    const { code, stderr } = await admin.run(...args);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain('\ufffd2J');
    expect(stderr).not.toMatch(controls);
  });

  it('reaches no stream past the output', () => {
    const files = globSync('src/admin/*.ts').filter((path) => !path.endsWith('/output.ts'));
    expect(files.length).toBeGreaterThan(20);
    const writing = files.filter((path) => /\.write\(|console\./.test(readFileSync(path, 'utf8')));
    expect(writing).toEqual([]);
  });
});

/** As when a disk is full, or the reader has left. */
async function runUnseen(args: readonly string[], code: 'ENOSPC' | 'EPIPE') {
  let stderr = '';
  const failing = new Writable({
    write: (_chunk, _encoding, done) => {
      done(Object.assign(new Error(`${code}: write`), { code }));
    },
  });
  const collecting = new Writable({
    write: (chunk: Buffer, _, done) => {
      stderr += chunk.toString();
      done();
    },
  });
  const env = { LOCAL_STACK_FILE: '/nonexistent/stack.json', ...settings };
  return { code: await runCommand(args, { env, stdout: failing, stderr: collecting }), stderr };
}

describe('where standard output fails', () => {
  const failures = ['ENOSPC', 'EPIPE'] as const;

  it.each(failures)('(%s) a key is named, with how to give it another secret and how to undo it', async (failure) => {
    const { code, stderr } = await runUnseen(newKey(), failure);
    const [, key = ''] = /^error: key (\S+) was made/.exec(stderr) ?? [];
    expect(code).toBe(1);
    expect(stderr).toContain(`key rotate --key ${key} --overlap 0, or undo it by key disable --key ${key} (${failure}`);
    expect(stderr.trimEnd()).not.toContain('\n');
    await admin.json('key', 'rotate', '--key', key, '--overlap', '0', '--yes');
    await admin.json('key', 'disable', '--key', key);
  });

  it.each(failures)('(%s) a rotation says how long the secret before is valid', async (failure) => {
    const { apiKey } = await admin.json<{ apiKey: string }>(...newKey());
    const { code, stderr } = await runUnseen(['key', 'rotate', '--key', apiKey, '--overlap', '1h'], failure);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: key \S+ has a new secret, .*key rotate --key \S+; .* valid until 2\S+Z otherwise/);
    const atOnce = await runUnseen(['key', 'rotate', '--key', apiKey, '--overlap', '0', '--yes'], failure);
    expect(atOnce.stderr).toContain(`key rotate --key ${apiKey} --overlap 0; the one before has ended`);
  });

  it('the keys and webhooks that lost their secret with a master key are named', async () => {
    const { apiKey } = await admin.json<{ apiKey: string }>(...newKey());
    await db
      .collection('apiKeys')
      .updateOne({ _id: apiKey as never }, { $set: { 'secrets.0.sealed': Buffer.alloc(60) } });
    const replaced = await runUnseen(['master-key', 'replace', '--yes'], 'EPIPE');
    expect(replaced.code).toBe(1);
    expect(replaced.stderr).toContain(`${apiKey}: give each key one by key rotate`);
  });

  it('anything else ends with a line that says so, and quietly where the reader left', async () => {
    const list = ['workspace', 'list', '--json'];
    const full = await runUnseen(list, 'ENOSPC');
    expect(full.code).toBe(1);
    expect(full.stderr).toMatch(/^error: standard output failed: ENOSPC: write; .*\n$/);
    expect(await runUnseen(list, 'EPIPE')).toEqual({ code: 0, stderr: '' });
    expect(await runUnseen(['--help'], 'EPIPE')).toEqual({ code: 0, stderr: '' });
    const failing = await runUnseen(['wallet', 'list', '--workspace', 'ws_none'], 'EPIPE');
    expect(failing.code).toBe(1);
    expect(failing.stderr).toMatch(/^error: there is no workspace/);
  });
});

describe('as a process', () => {
  const env = { ...process.env, LOCAL_STACK_FILE: '/nonexistent/stack.json', ...settings };

  it('whose reader has left: quiet, with the exit code it would have had', async () => {
    const child = spawn(process.execPath, [entry, 'workspace', 'list', '--json'], { env });
    child.stdout.destroy();
    const [stderr, exit] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ stderr, code: exit[0] as unknown }).toEqual({ stderr: '', code: 0 });
  });

  it('on a full disk: one line, which names the key', async () => {
    const full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, [entry, ...newKey()], { env, stdio: ['ignore', full.fd, 'pipe'] });
    const [stderr, exit] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
    await full.close();
    expect(stderr).toMatch(/^error: key ak_\S+ was made, but its secret could not be shown: .*\n$/);
    expect(exit[0]).toBe(1);
  });
});
