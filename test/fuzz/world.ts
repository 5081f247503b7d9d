import type { Db } from 'mongodb';
import { externalWalletId } from '../../src/domain/ids.ts';
import { scopes } from '../../src/domain/scopes.ts';
import { openWallets } from '../../src/storage/wallets/wallets.ts';

/** What a key may do; `nothing` where a step refuses it whatever it asks for. */
export type Rights = 'everything' | 'reading' | 'nothing';

export interface FuzzKey {
  apiKey: string;
  apiSecret: string;
  rights: Rights;
}

/** What the requests are about. The same seed chooses the same places in it, whatever the ids of a run are. */
export interface World {
  keys: readonly FuzzKey[];
  /** Two that are funded, one without money: ordinary transfers. */
  wallets: readonly string[];
  /** Ids that no transfer of these keys may use: frozen, of another currency, of another workspace, EXTERNAL, unknown. */
  refusedWallets: readonly string[];
  /** Orders that exist. */
  orders: readonly string[];
  /** Part of every nonce, so that a run never repeats those of another. */
  runId: string;
}

export type Admin = (...args: string[]) => Promise<unknown>;

const readingScopes = scopes.filter((scope) => scope.endsWith(':read'));
const funds = '1000000';
/** Documentation's own addresses: no client has one. Source: RFC 5737. */
const nobodysNetwork = '203.0.113.0/24';

export async function prepareWorld(db: Db, admin: Admin, runId: string): Promise<World> {
  const made = async <T>(...args: string[]): Promise<T> => (await admin(...args)) as T;
  const workspace = async (): Promise<string> => {
    const { workspaceId } = await made<{ workspaceId: string }>('workspace', 'create', '--name', 'fuzz');
    await admin('member', 'add', '--workspace', workspaceId, '--user', 'owner');
    return workspaceId;
  };
  const [own, other] = await Promise.all([workspace(), workspace()]);
  const key = async (rights: Rights, ...more: string[]): Promise<FuzzKey> => {
    const given = (rights === 'reading' ? readingScopes : scopes).flatMap((scope) => ['--scope', scope]);
    const place = ['--workspace', own, '--owner', 'owner'];
    return { ...(await made<FuzzKey>('key', 'create', ...place, ...given, ...more)), rights };
  };
  const keys = await Promise.all([
    key('everything'),
    key('reading'),
    key('nothing'),
    key('nothing', '--ip', nobodysNetwork),
  ]);
  await admin('key', 'disable', '--key', keys[2].apiKey);
  const collection = openWallets(db);
  const wallet = async (workspaceId: string, currency: string): Promise<string> =>
    (await collection.create({ workspaceId, name: currency, currency })).id;
  const wallets = await Promise.all(['USD', 'USD', 'USD'].map((currency) => wallet(own, currency)));
  const [frozen, euros, foreign] = await Promise.all([wallet(own, 'USD'), wallet(own, 'EUR'), wallet(other, 'USD')]);
  await collection.change({ workspaceId: own, id: frozen, change: { status: 'FROZEN' } });
  await Promise.all(wallets.slice(0, 2).map((id) => admin('wallet', 'fund', '--wallet', id, '--amount', funds)));
  const orders = await db.collection<{ _id: string }>('orders').find().toArray();
  return {
    keys,
    wallets,
    refusedWallets: [frozen, euros, foreign, externalWalletId(own, 'USD'), `wa_${'0'.repeat(26)}`],
    orders: orders.map(({ _id }) => _id),
    runId,
  };
}
