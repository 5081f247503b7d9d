import { join } from 'node:path';
import type { DataFolder } from './data-folder.ts';
import { run } from './executables.ts';

const DEMO_FILE = 'demo.json';
/** The admin command line. */
export const ADMIN_ENTRY = join(import.meta.dirname, '../src/admin/main.ts');
const CURRENCY = 'USD';
const FUNDS = { alice: '1000.00', bob: '100.00' };

export interface DemoWorkspace {
  workspaceId: string;
  apiKey: string;
  apiSecret: string;
  currency: string;
  wallets: { alice: string; bob: string };
}

type Admin = <Result>(...args: string[]) => Promise<Result>;

/** The command line, each command in a process of its own. */
export function adminIn(env: NodeJS.ProcessEnv, signal?: AbortSignal): Admin {
  return async <Result>(...args: string[]) =>
    JSON.parse(await run(process.execPath, [ADMIN_ENTRY, ...args, '--json'], env, signal)) as Result;
}

/** The workspace to try things with: the one from before if this database still has it, else a new one. */
export async function demoWorkspace(
  folder: DataFolder,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<DemoWorkspace> {
  const admin = adminIn(env, signal);
  const kept = await folder.readJson<DemoWorkspace>(DEMO_FILE);
  if (kept && (await isThere(admin, kept))) return kept;
  const made = await makeWorkspace(admin, 'Demo');
  await folder.writeJson(DEMO_FILE, made);
  return made;
}

/** Checked because the database may be another one than last time (MONGODB_URI), or a new one; and an older demo was no test workspace. */
async function isThere(admin: Admin, { workspaceId, apiKey }: DemoWorkspace): Promise<boolean> {
  const keys = await admin<{ apiKey: string }[]>('key', 'list', '--workspace', workspaceId).catch(() => []);
  return apiKey.startsWith('ak_test_') && keys.some((key) => key.apiKey === apiKey);
}

/** A test workspace with a key of all scopes, and money in the wallets of alice and bob. */
export async function makeWorkspace(admin: Admin, name: string): Promise<DemoWorkspace> {
  const made = await admin<Record<string, string>>('sandbox', 'create', '--name', name, '--currency', CURRENCY);
  const { WORKSPACE_ID: workspaceId = '', API_KEY: apiKey = '', API_SECRET: apiSecret = '' } = made;
  const wallets = { alice: made[`WALLET_${CURRENCY}_1`] ?? '', bob: made[`WALLET_${CURRENCY}_2`] ?? '' };
  const fund = (name: keyof typeof FUNDS) =>
    admin('wallet', 'fund', '--wallet', wallets[name], '--amount', FUNDS[name]);
  await Promise.all([fund('alice'), fund('bob')]);
  return { workspaceId, apiKey, apiSecret, currency: CURRENCY, wallets };
}
