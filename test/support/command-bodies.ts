import { findType, orderTypes } from '../../src/orders/types.ts';
import { bodyOf, description } from './described-api.ts';
import { commandsPath, sendCommand } from './orders.ts';
import type { TestWorkspace } from './workspace.ts';

const amount = '0.1';

/** An order that can be cancelled: its time is far off. @returns its id. */
export async function scheduledOrder(workspace: TestWorkspace): Promise<string> {
  const executeAt = new Date(Date.now() + 3_600_000).toISOString();
  const sides = { sourceWalletId: await workspace.wallet(), targetWalletId: await workspace.wallet() };
  const body = { ...sides, amount, currency: 'USD', executeAt };
  return (await sendCommand(workspace, 'create', body, {})).envelope!.data.transferId;
}

/** A body for each endpoint that makes or changes a wallet, by the end of its path. Each may be sent several times. */
export const walletBodies: Readonly<Record<string, object>> = {
  wallets: { currency: 'USD', name: 'Alice', metadata: { plan: 'basic' } },
  limit: { creditLimit: '5' },
  limits: { limits: [{ name: 'daily', amount: '100000', window: { rolling: 'PT24H' } }] },
  alerts: { alerts: [{ name: 'low', availableBelow: '1' }] },
  update: { name: 'Alice B.' },
  freeze: {},
  unfreeze: {},
  close: {},
};

/**
 * A body for each command that makes an order, by its name: the example of its description, with wallets of a workspace and an
 * order that it can refer to. Each may be sent several times. Whoever adds a type need not name it here.
 */
export async function commandBodies(workspace: TestWorkspace): Promise<Record<string, object>> {
  const [sourceWalletId, targetWalletId] = [await workspace.wallet('1000'), await workspace.wallet('1000')];
  const sides = { sourceWalletId, targetWalletId };
  const otherWalletId = await workspace.wallet('1000');
  const make = async (command: string): Promise<string> =>
    (await sendCommand(workspace, command, { ...sides, amount: '100', currency: 'USD' })).envelope!.data.transferId;
  const parents = { TRANSFER: await make('create'), HOLD: await make('hold') };

  const bodies = orderTypes.flatMap(({ command, parent }) => {
    if (command === undefined) return [];
    const described = bodyOf(description.paths[`${commandsPath}/${command.name}`]!['post']!);
    const [type] = Object.entries(parents).find(([name]) => parent?.refusesType(findType(name)) === undefined) ?? [];
    const ids: Record<string, string> = { ...sides, transferId: parents[type as keyof typeof parents] };
    const { bizId: _, ...example } = { bizId: '', ...described?.examples?.[0] };
    const body = JSON.stringify(example, (field, value: unknown) => {
      if (field === 'amount') return amount;
      return ids[field] ?? (field.endsWith('WalletId') ? otherWalletId : value);
    });
    return [[command.name, { ...('legs' in example ? {} : { amount }), ...(JSON.parse(body) as object) }] as const];
  });
  return Object.fromEntries(bodies);
}
