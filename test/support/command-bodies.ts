import { apiDescription } from '../../script/docs/api-description.ts';
import { orderTypes } from '../../src/orders/types.ts';
import type { TestWorkspace } from './workspace.ts';

interface Description {
  readonly paths: Readonly<Record<string, { readonly post?: { readonly requestBody?: object } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly examples?: readonly object[] }>> };
}

const commandsPath = '/api/v1/transfer/command';
const amount = '0.1';

/** An order that can be cancelled: its time is far off. @returns its id. */
export async function scheduledOrder(workspace: TestWorkspace): Promise<string> {
  const executeAt = new Date(Date.now() + 3_600_000).toISOString();
  const sides = { sourceWalletId: await workspace.wallet(), targetWalletId: await workspace.wallet() };
  const body = { ...sides, amount, currency: 'USD', executeAt };
  const created = await workspace.client.request<{ transferId: string }>('POST', `${commandsPath}/create`, { body });
  return created.envelope!.data.transferId;
}

/** A body for each endpoint that makes or changes a wallet, by the end of its path. Each may be sent several times. */
export const walletBodies: Readonly<Record<string, object>> = {
  wallets: { currency: 'USD', name: 'Alice', metadata: { plan: 'basic' } },
  limit: { creditLimit: '5' },
  freeze: {},
  unfreeze: {},
  close: {},
};

/**
 * A body for each command that makes an order, by its name: the example of its description, with wallets of a workspace and an
 * order that it can refer to. Each may be sent several times. Whoever adds a type need not name it here.
 */
export async function commandBodies(workspace: TestWorkspace): Promise<Record<string, object>> {
  const { paths, components } = apiDescription() as unknown as Description;
  const [sourceWalletId, targetWalletId] = [await workspace.wallet('1000'), await workspace.wallet('1000')];
  const sides = { sourceWalletId, targetWalletId };
  const otherWalletId = await workspace.wallet('1000');
  const make = async (command: string): Promise<string> => {
    const options = { body: { ...sides, amount: '100', currency: 'USD' }, headers: { Prefer: 'wait=10' } };
    const answer = await workspace.client.request<{ transferId: string }>(
      'POST',
      `${commandsPath}/${command}`,
      options,
    );
    return answer.envelope!.data.transferId;
  };
  const parents = { TRANSFER: await make('create'), HOLD: await make('hold') };

  const bodies = orderTypes.flatMap(({ command, parent }) => {
    if (command === undefined) return [];
    const described = JSON.stringify(paths[`${commandsPath}/${command.name}`]?.post?.requestBody);
    const [, component = ''] = /schemas\/(\w+)/.exec(described) ?? [];
    const [type] = Object.entries(parents).find(([name]) => parent?.refusesType(name) === undefined) ?? [];
    const ids: Record<string, string> = { ...sides, transferId: parents[type as keyof typeof parents] };
    const { bizId: _, ...example } = { bizId: '', ...components.schemas[component]?.examples?.[0] };
    const fields = Object.entries(example).map(([field, value]) => [
      field,
      ids[field] ?? (field.endsWith('WalletId') ? otherWalletId : value),
    ]);
    return [[command.name, { ...Object.fromEntries(fields), amount }] as const];
  });
  return Object.fromEntries(bodies);
}
