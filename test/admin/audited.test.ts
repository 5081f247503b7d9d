import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { EJSON } from 'bson';
import type { Command } from 'commander';
import { Decimal128 } from 'mongodb';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Output } from '../../src/admin/output.ts';
import { createProgram } from '../../src/admin/program.ts';
import { systemClock } from '../../src/clock.ts';
import { newId } from '../../src/domain/ids.ts';
import { webhookTypes } from '../../src/domain/webhook.ts';
import { newOrder } from '../../src/orders/order.ts';
import { readAdminSettings } from '../../src/settings/config.ts';
import { openAuditEvents } from '../../src/storage/audit.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { toDocument, type OrderDocument } from '../../src/storage/orders/documents.ts';
import { openCurrencyRecord } from '../../src/storage/currencies.ts';
import { ensureSchema, flowIndexes } from '../../src/storage/schema/schema.ts';
import { Endpoints } from '../../src/webhooks/endpoints.ts';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';
import { playRouter } from '../support/router.ts';
import { commandLine, masterKeys } from './command-line.ts';

const { uri, db } = testDatabase();
const { url: redisUrl } = await testRedis();
const settings = { MONGODB_URI: uri, REDIS_URL: redisUrl, MASTER_KEYS: masterKeys };
const auditEvents = openAuditEvents(db);
const newestMasterKey = randomBytes(32).toString('base64');
const secrets = [masterKeys.slice(2), newestMasterKey];

/** @returns what it printed. */
async function admin<Result = Record<string, unknown>>(...args: string[]): Promise<Result> {
  return commandLine(settings).json<Result>(...args, '--as', 'carol');
}

beforeAll(async () => {
  await ensureSchema(db);
});

/** Every document and index but those of the audit itself. */
async function everything(): Promise<string> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();
  const contents = names
    .filter((name) => name !== 'auditEvents')
    .map(async (name) => {
      const collection = db.collection(name);
      const indexes = (await collection.indexes()).map((index) => index.name).sort();
      return { name, indexes, documents: await collection.find().sort({ _id: 1 }).toArray() };
    });
  return EJSON.stringify(await Promise.all(contents));
}

const refuseEvents = (isRefused: boolean) =>
  db.command({ collMod: 'auditEvents', validator: isRefused ? { isWritable: true } : {} });
afterEach(async () => {
  vi.restoreAllMocks();
  await refuseEvents(false);
  // No worker has posted them, so that no wallet has counted them.
  await db.collection('orders').deleteMany({ status: 'COMPLETED' });
});

async function newWorkspace(): Promise<string> {
  const { workspaceId } = await admin<{ workspaceId: string }>('workspace', 'create', '--name', 'Acme');
  await admin('member', 'add', '--workspace', workspaceId, '--user', 'alice');
  return workspaceId;
}
async function newKey(workspaceId: string): Promise<string> {
  const create = ['key', 'create', '--workspace', workspaceId, '--owner', 'alice', '--scope', 'wallet:read'];
  const { apiKey, apiSecret } = await admin<{ apiKey: string; apiSecret: string }>(...create);
  secrets.push(apiSecret);
  return apiKey;
}
async function newWallet(workspaceId: string, currency = 'EUR'): Promise<string> {
  return (await admin<{ id: string }>('wallet', 'create', '--workspace', workspaceId, '--currency', currency)).id;
}
/** As if it had been posted; of two new wallets. */
async function newHold(workspaceId: string): Promise<string> {
  const sides = { sourceWalletId: await newWallet(workspaceId), targetWalletId: await newWallet(workspaceId) };
  const values = { workspaceId, type: 'HOLD', ...sides, amount: '1', currency: 'EUR' };
  const order = newOrder({ ...values, expiresAt: new Date(Date.now() + 60_000) });
  const completed = { ...toDocument(order), status: 'COMPLETED' as const, completedAt: order.createdAt };
  await db.collection<OrderDocument>('orders').insertOne(completed);
  return order.id;
}
async function newFile(content: object): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'test-audited-')), 'content.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}
/** The file of a journal, of one leg to a new wallet. */
async function newJournal(workspaceId: string): Promise<string> {
  return newFile({ legs: [{ targetWalletId: await newWallet(workspaceId), amount: '1', currency: 'EUR' }] });
}
async function newScheduledOrder(workspaceId: string): Promise<string> {
  const sides = { sourceWalletId: await newWallet(workspaceId), targetWalletId: await newWallet(workspaceId) };
  const executeAt = new Date(Date.now() + 3_600_000);
  const values = { workspaceId, type: 'TRANSFER', ...sides, amount: '1', currency: 'EUR', executeAt };
  const order = newOrder(values);
  await db.collection<OrderDocument>('orders').insertOne(toDocument(order));
  return order.id;
}
async function newStuckOrder(workspaceId: string): Promise<string> {
  const now = new Date();
  const _id = newId('order');
  const order = {
    ...{ _id, bizId: _id, workspaceId, type: 'TRANSFER', sourceWalletId: 'wa_1', targetWalletId: 'wa_2' },
    ...{
      wallets: ['wa_1', 'wa_2'],
      amount: Decimal128.fromString('1'),
      currency: 'XYZ',
      status: 'SET_ASIDE',
      failure: null,
    },
    ...{ createdAt: now, updatedAt: now, completedAt: null },
    ...{ fault: { attempts: 4, reason: 'odd', at: now }, stuckSince: now },
  };
  await db.collection<{ _id: string }>('orders').insertOne(order);
  return _id;
}

interface Prepared {
  /** Beside noun and verb. */
  args: string[];
  /** Null where the event is of no workspace. */
  workspaceId: string | null;
}

/** Prepares something for a command to change, in a workspace of its own. */
function on<Thing>(option: string, make: (workspaceId: string) => Promise<Thing>, ...more: string[]) {
  return async (): Promise<Prepared> => {
    const workspaceId = await newWorkspace();
    return { args: [option, String(await make(workspaceId)), ...more], workspaceId };
  };
}
const itself = (workspaceId: string) => Promise.resolve(workspaceId);

const ofPosting = { args: ['--reason', 'a migration'], workspaceId: null };

/** A webhook of its own for a command, and what more it is told. */
const onWebhook =
  (...more: string[]) =>
  async (): Promise<Prepared> => {
    const workspaceId = await newWorkspace();
    const keys = () => Promise.resolve(readAdminSettings(settings).MASTER_KEYS);
    const making = { collections: openCollections(db), masterKeys: keys, allowsLocal: true, clock: systemClock };
    const webhook = { workspaceId, url: 'http://127.0.0.1:9/events', events: webhookTypes, description: '' };
    const { endpoint, secret } = await new Endpoints({ ...making, knownAfterMs: 0 }).create(webhook);
    secrets.push(secret);
    return { args: ['--workspace', workspaceId, '--webhook', endpoint.id, ...more], workspaceId };
  };

const changing: Record<string, () => Promise<Prepared>> = {
  // Of the workspace that it makes.
  'workspace create': () => Promise.resolve({ args: ['--name', 'new'], workspaceId: expect.any(String) as string }),
  'workspace delete': on('--workspace', itself, '--yes'),
  'member add': on('--workspace', itself, '--user', 'bob'),
  'member remove': on('--workspace', itself, '--user', 'alice', '--yes'),
  'key create': on('--workspace', itself, '--owner', 'alice', '--scope', 'wallet:read'),
  'key enable': on('--key', newKey),
  'key disable': on('--key', newKey),
  'key rotate': on('--key', newKey),
  'key scopes': on('--key', newKey, '--scope', 'transfer:read'),
  'key whitelist': on('--key', newKey, '--ip', '::1'),
  'key rate': on('--key', newKey, '--per-second', '5', '--burst', '5'),
  'key budget': on('--key', newKey, ...['--set', 'daily', '--currency', 'EUR', '--amount', '5', '--window', 'day']),
  'wallet create': on('--workspace', itself, '--currency', 'EUR'),
  // The first of a currency, so that there is no EXTERNAL wallet yet.
  'wallet fund': on('--wallet', newWallet, '--amount', '1', '--no-wait'),
  'wallet withdraw': on('--wallet', newWallet, '--amount', '1', '--no-wait'),
  'wallet limits': async () =>
    on('--wallet', newWallet, '--set-file', await newFile({ limits: [{ name: 'a', amount: '1', window: 'order' }] }))(),
  'wallet alerts': async () =>
    on('--wallet', newWallet, '--set-file', await newFile({ alerts: [{ name: 'a', availableAbove: '1' }] }))(),
  'transfer retry': on('--id', newStuckOrder, '--reason', 'it is known now'),
  'transfer cancel': on('--id', newScheduledOrder),
  'transfer release': on('--id', newHold, '--no-wait'),
  'transfer journal': async () => {
    const workspaceId = await newWorkspace();
    const args = ['--workspace', workspaceId, '--file', await newJournal(workspaceId), '--no-wait'];
    return { args, workspaceId };
  },
  'master-key rotate': async () => {
    await newKey(await newWorkspace());
    settings.MASTER_KEYS = `${masterKeys},2:${newestMasterKey}`;
    return { args: [], workspaceId: null };
  },
  'master-key replace': async () => {
    await newKey(await newWorkspace());
    vi.stubEnv('MASTER_KEYS', `2:${newestMasterKey}`);
    return { args: ['--yes'], workspaceId: null };
  },
  'schema apply': async () => {
    await db.collection('flows').dropIndex(flowIndexes.byDirection);
    return { args: [], workspaceId: null };
  },
  'currencies add': () => Promise.resolve({ args: ['--currency', 'GEM', '--decimals', '3'], workspaceId: null }),
  'currencies set': async () => {
    await openCurrencyRecord(db).add(new Map([['GEM', 3]]));
    return { args: ['--currency', 'GEM', '--decimals', '4'], workspaceId: null };
  },
  'posting pause': () => Promise.resolve(ofPosting),
  'posting resume': async () => {
    await admin('posting', 'pause', ...ofPosting.args);
    return ofPosting;
  },
  'webhook enable': async () => {
    const prepared = await onWebhook()();
    await admin('webhook', 'disable', ...prepared.args);
    return prepared;
  },
  'webhook disable': onWebhook(),
  'webhook test': onWebhook(),
  'webhook replay': onWebhook('--since', '2026-01-01T00:00:00Z'),
  'schema shard': async () => {
    await db.collection('flows').dropIndex(flowIndexes.byDirection);
    playRouter();
    return { args: [], workspaceId: null };
  },
};

const looking: Record<string, string[]> = {
  'workspace list': [],
  'webhook list': [],
  'webhook deliveries': ['--workspace', '--webhook'],
  'key list': [],
  'wallet list': ['--workspace'],
  'wallet limits': ['--wallet'],
  'wallet alerts': ['--wallet'],
  'wallet statement': ['--from', '2026-01-01', '--to', '2026-01-02', '--wallet'],
  'transfer stuck': [],
  verify: [],
  'audit list': [],
  'posting show': [],
  'config check': ['--process', 'admin'],
  'currencies list': [],
  sign: ['--key', 'k', '--secret', 's', '--method', 'GET', '--path', '/api'],
};

/** What does several of the above, each with its event. */
const several: Record<string, string[]> = {
  'sandbox create': ['workspace create', 'member add', 'key create', 'wallet create', 'wallet create'],
};

function leavesOf(command: Command, words: string[] = []): string[] {
  if (command.commands.length === 0) return [words.join(' ')];
  // The former name of `posting` is hidden.
  const shown = command.commands.filter((child) => child.name() !== 'partitions');
  return shown.flatMap((child) => leavesOf(child, [...words, child.name()]));
}

it('every command is known here', () => {
  const program = createProgram({ env: {}, requestsEndMs: 0, connectTimeoutMs: 0, output: new Output(process) });
  // Some only look unless they are told to change something.
  const known = new Set([changing, looking, several].flatMap((each) => Object.keys(each)));
  expect([...known].sort()).toEqual(leavesOf(program).sort());
});

describe('what changes something does nothing without its event, and has one afterwards', () => {
  it.each(Object.entries(changing))('%s', async (command, prepare) => {
    const { args, workspaceId } = await prepare();
    const words = command.split(' ');
    const [before, [last]] = [await everything(), (await auditEvents.list({}, 1)).items];
    await refuseEvents(true);
    await expect(admin(...words, ...args)).rejects.toThrow('the audit cannot be written to, so nothing was changed');
    expect(await everything()).toBe(before);

    await refuseEvents(false);
    const { apiSecret, secret } = await admin(...words, ...args);
    for (const shown of [apiSecret, secret]) if (typeof shown === 'string') secrets.push(shown);
    expect(await everything()).not.toBe(before);
    const [event, previous] = (await auditEvents.list({}, 2)).items;
    expect(event).toMatchObject({
      ...{ action: command, workspaceId, outcome: 'DONE', endedAt: expect.any(Date) as Date },
      ...{ actor: userInfo().username, claimedActor: 'carol', address: null, host: hostname(), pid: process.pid },
    });
    expect(previous).toEqual(last);
    const text = EJSON.stringify(await db.collection('auditEvents').find().toArray());
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

it.each(Object.entries(several))(
  '%s does nothing without events, and has one of each change',
  async (command, changes) => {
    const create = [...command.split(' '), '--name', 'new', '--currency', 'EUR'];
    const before = await everything();
    await refuseEvents(true);
    await expect(admin(...create)).rejects.toThrow('so nothing was changed');
    expect(await everything()).toBe(before);

    await refuseEvents(false);
    const { WORKSPACE_ID: workspaceId } = await admin<{ WORKSPACE_ID: string }>(...create);
    const { items } = await auditEvents.list({ workspaceId }, 10);
    expect(items.toReversed().map(({ action }) => action)).toEqual(changes);
  },
);

describe('what only looks changes nothing, and needs no event', () => {
  it.each(Object.entries(looking))('%s', async (command, options) => {
    const inWorkspace = options[0] === '--workspace' && [options[0], await newWorkspace()];
    const ofWallet = options.at(-1) === '--wallet' && [...options, await newWallet(await newWorkspace())];
    const args = options[1] === '--webhook' ? (await onWebhook()()).args : inWorkspace || ofWallet || options;
    const before = await everything();
    await refuseEvents(true);
    await admin(...command.split(' '), ...args);
    expect(await everything()).toBe(before);
  });
});
