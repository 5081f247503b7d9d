import type { Wallet } from '../domain/wallet.ts';
import type { ApiKey } from '../storage/keys/api-keys.ts';
import type { Collections } from '../storage/collections.ts';
import type { Workspace } from '../storage/workspaces.ts';
import { orFail } from './failures.ts';

/** @throws CommandError there is no such workspace, or it was deleted. */
export async function findWorkspace({ workspaces }: Collections, id: string): Promise<Workspace> {
  return orFail(await workspaces.find(id), `there is no workspace ${id}; see: workspace list`);
}

/** For what ends what is left in it. @throws CommandError there never was such a workspace. */
export async function findAnyWorkspace({ workspaces }: Collections, id: string): Promise<Workspace> {
  return orFail(await workspaces.findAny(id), `there is no workspace ${id}; see: workspace list`);
}

/** @throws CommandError there is no such key. */
export async function findKey({ apiKeys }: Collections, id: string): Promise<ApiKey> {
  return orFail(await apiKeys.find(id), `there is no key ${id}; see: key list`);
}

/** @throws CommandError there is no such wallet. */
export async function findWallet({ wallets }: Collections, id: string): Promise<Wallet> {
  return orFail(await wallets.findAnywhere(id), `there is no wallet ${id}; see: wallet list`);
}
