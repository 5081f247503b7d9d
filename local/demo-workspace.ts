import { join } from 'node:path';
import type { DataFolder } from './data-folder.ts';
import { run } from './executables.ts';

const DEMO_FILE = 'demo.json';
/** The admin command line. */
export const ADMIN_ENTRY = join(import.meta.dirname, '../src/admin/main.ts');
const OWNER = 'demo-user';
const CURRENCY = 'USD';
/** All that there are, so that whatever the reference shows can be tried. */
export const SCOPES = [
  'wallet:read',
  'wallet:manage',
  'transfer:read',
  'transfer:create',
  'transfer:fund',
  'transfer:reverse',
  'transfer:hold',
  'webhook:manage',
];
const FUNDS = { alice: '1000.00', bob: '100.00' };

export interface DemoWorkspace {
  workspaceId: string;
  apiKey: string;
  apiSecret: string;
  currency: string;
  wallets: { alice: string; bob: string };
}

type Admin = <Result>(...args: string[]) => Promise<Result>;

/** The workspace to try things with: the one from before if this database still has it, else a new one. */
export async function demoWorkspace(
  folder: DataFolder,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<DemoWorkspace> {
  const admin: Admin = async <Result>(...args: string[]) =>
    JSON.parse(await run(process.execPath, [ADMIN_ENTRY, ...args, '--json'], env, signal)) as Result;
  const kept = await folder.readJson<DemoWorkspace>(DEMO_FILE);
  if (kept && (await isThere(admin, kept))) return kept;
  const made = await make(admin);
  await folder.writeJson(DEMO_FILE, made);
  return made;
}

/** Checked because the database may be another one than last time (MONGODB_URI), or a new one. */
async function isThere(admin: Admin, { workspaceId, apiKey }: DemoWorkspace): Promise<boolean> {
  const keys = await admin<{ apiKey: string }[]>('key', 'list', '--workspace', workspaceId).catch(() => []);
  return keys.some((key) => key.apiKey === apiKey);
}

async function make(admin: Admin): Promise<DemoWorkspace> {
  const { workspaceId } = await admin<{ workspaceId: string }>('workspace', 'create', '--name', 'Demo');
  const workspace = ['--workspace', workspaceId];
  await admin('member', 'add', ...workspace, '--user', OWNER);
  const scopes = SCOPES.flatMap((scope) => ['--scope', scope]);
  const wallet = async (name: keyof typeof FUNDS) => {
    const created = ['--currency', CURRENCY, '--name', name];
    const { walletId } = await admin<{ walletId: string }>('wallet', 'create', ...workspace, ...created);
    await admin('wallet', 'fund', '--wallet', walletId, '--amount', FUNDS[name]);
    return walletId;
  };
  const [key, alice, bob] = await Promise.all([
    admin<{ apiKey: string; apiSecret: string }>('key', 'create', ...workspace, '--owner', OWNER, ...scopes),
    wallet('alice'),
    wallet('bob'),
  ]);
  const { apiKey, apiSecret } = key;
  return { workspaceId, apiKey, apiSecret, currency: CURRENCY, wallets: { alice, bob } };
}
