import type { Client } from './api-client.ts';
import { scopes } from '../../src/domain/scopes.ts';
import { webhookTypes } from '../../src/domain/webhook.ts';
import type { RunningService } from './service.ts';

export interface TestWorkspace {
  workspaceId: string;
  apiKey: string;
  apiSecret: string;
  client: Client;
  /** Makes a wallet and, with an amount above zero, funds it. */
  wallet(funds?: string, currency?: string): Promise<string>;
  /** Has all events sent to a URL, by a webhook of this id. */
  webhook(url: string): Promise<string>;
  /** Has the API do something to a wallet or a webhook, such as `wallets/${id}/freeze`. Fails unless it is done. */
  post<Result = unknown>(path: string, body?: object): Promise<Result>;
}

export const allScopes: readonly string[] = scopes;

/**
 * A workspace with one member and a key of all scopes, or of those given, and a client that signs with it. @param more for the command
 * that makes it, such as `--test`.
 */
export async function createWorkspace(
  service: RunningService,
  scopes = allScopes,
  ...more: string[]
): Promise<TestWorkspace> {
  const { workspaceId } = await service.admin<{ workspaceId: string }>(
    'workspace',
    'create',
    '--name',
    'test',
    ...more,
  );
  await service.admin('member', 'add', '--workspace', workspaceId, '--user', 'owner');
  const key = await service.admin<{ apiKey: string; apiSecret: string }>(
    ...['key', 'create', '--workspace', workspaceId, '--owner', 'owner'],
    ...scopes.flatMap((scope) => ['--scope', scope]),
  );
  const client = service.client(key);
  const post = async <Result>(path: string, body: object = {}): Promise<Result> => {
    const { status, envelope } = await client.request<Result>('POST', `/api/v1/${path}`, { body });
    if (status !== 200) throw new Error(`${path} is answered ${status} ${envelope?.message ?? ''}`);
    return envelope!.data;
  };
  return {
    workspaceId,
    apiKey: key.apiKey,
    apiSecret: key.apiSecret,
    client,
    async wallet(funds = '0', currency = 'USD') {
      const made = ['--workspace', workspaceId, '--currency', currency];
      const { id } = await service.admin<{ id: string }>('wallet', 'create', ...made);
      if (Number(funds) > 0) await service.admin('wallet', 'fund', '--wallet', id, '--amount', funds);
      return id;
    },
    webhook: async (url) => (await post<{ id: string }>('webhooks', { url, events: webhookTypes })).id,
    post,
  };
}
