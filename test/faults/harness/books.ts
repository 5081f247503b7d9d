import type { Db } from 'mongodb';
import { openWallets } from '../../../src/storage/wallets.ts';

/** One workspace with a key, and wallets to move money between. */
export interface PreparedBooks {
  workspaceId: string;
  apiKey: string;
  apiSecret: string;
  /** Ids by currency; the first wallet of each is in most transfers. */
  wallets: ReadonlyMap<string, readonly string[]>;
}

type Admin = (...args: string[]) => Promise<string>;

/** Few, so that most transactions meet in one; some without money, so that some transfers fail. */
const walletsEach = 5;
const fundedEach = 2;
const funds = '2000';
const currencies = ['USD', 'USDT'];
const scopes = ['wallet:read', 'transfer:read', 'transfer:create'];

export async function prepareBooks(db: Db, admin: Admin): Promise<PreparedBooks> {
  const { workspaceId } = JSON.parse(await admin('workspace', 'create', '--name', 'faults')) as { workspaceId: string };
  await admin('member', 'add', '--workspace', workspaceId, '--user', 'owner');
  const scopeOptions = scopes.flatMap((scope) => ['--scope', scope]);
  const made = await admin('key', 'create', '--workspace', workspaceId, '--owner', 'owner', ...scopeOptions);
  const { apiKey, apiSecret } = JSON.parse(made) as { apiKey: string; apiSecret: string };
  const wallets = new Map<string, readonly string[]>();
  const collection = openWallets(db);
  for (const currency of currencies) {
    const names = Array.from({ length: walletsEach }, (_, index) => `${currency} ${index}`);
    const ids = await Promise.all(
      names.map(async (name) => (await collection.create({ workspaceId, name, currency })).id),
    );
    wallets.set(currency, ids);
    await Promise.all(ids.slice(0, fundedEach).map((id) => admin('wallet', 'fund', '--wallet', id, '--amount', funds)));
  }
  return { workspaceId, apiKey, apiSecret, wallets };
}
