import { describe, expect, it } from 'vitest';
import { hashFlow } from '../../src/domain/flow-hash.ts';
import { flowId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import type { Flow, Wallet } from '../../src/domain/wallet.ts';
import { checkLastFlows } from '../../src/verify/chain.ts';

const walletId = 'wa_01M7YFW4H9MHJM5TEH8GNDWS21';
const [workspaceId, currency, createdAt] = ['ws_01M7YFW3B8BGWR3QVGQYYT7PD9', 'USD', new Date(1_700_000_000_000)];

/** Credits of 1, hashed as posting does. */
function credits(count: number): Flow[] {
  const flows: Flow[] = [];
  for (let sequence = 1; sequence <= count; sequence += 1) {
    const flow: Omit<Flow, 'hash'> = {
      ...{
        id: flowId(walletId, sequence),
        workspaceId,
        walletId,
        sequence,
        direction: 'CREDIT' as const,
        amount: new Money(1),
      },
      ...{ currency, balanceBefore: new Money(sequence - 1), balanceAfter: new Money(sequence), createdAt },
      ...{ debits: new Money(0), debitOrders: 0 },
      ...{ transferId: `tr_${sequence}`, leg: 0, counterpartyWalletId: 'wa_other' },
    };
    flows.push({ ...flow, hash: hashFlow(flows.at(-1)?.hash ?? '', flow) });
  }
  return flows;
}

const flows = credits(5);
const wallet: Wallet = {
  ...{ id: walletId, workspaceId, name: 'main', currency, version: 5 },
  ...({ kind: 'STANDARD', status: 'ACTIVE' } as const),
  ...{ debitFlows: 0, debits: new Money(0), debitOrders: 0, orders: { DEPOSIT: { COMPLETED: 5 } } },
  ...{ held: new Money(0), openHolds: 0, creditLimit: new Money(0) },
  ...{ balance: new Money(5), sequence: 5, flowHash: flows.at(-1)?.hash ?? '' },
  ...{ lastFlowAt: createdAt, createdAt, updatedAt: createdAt },
};

describe('the last flows of a wallet', () => {
  it('verify, whether they are all it has or not', () => {
    expect(checkLastFlows(wallet, flows, true)).toEqual({ count: 5, areAll: true, breaches: [] });
    expect(checkLastFlows(wallet, flows.slice(2), false)).toEqual({ count: 2, areAll: false, breaches: [] });
    const empty = { ...wallet, balance: new Money(0), sequence: 0, orders: {}, flowHash: '' };
    expect(checkLastFlows(empty, [], true)).toEqual({ count: 0, areAll: true, breaches: [] });
  });

  const kindsOf = (changed: readonly Flow[], areAll = true) =>
    checkLastFlows(wallet, changed, areAll).breaches.map(({ kind }) => kind);

  it('do not, where one was altered, is missing, or the wallet says otherwise', () => {
    const altered = flows.map((flow) => (flow.sequence === 4 ? { ...flow, transferId: 'tr_9' } : flow));
    expect(kindsOf(altered)).toEqual(['flow-hash']);
    expect(kindsOf(altered.slice(1), false)).toEqual(['flow-hash']);
    expect(kindsOf(flows.filter(({ sequence }) => sequence !== 3))).toEqual(['sequence-gap']);
    expect(kindsOf(flows.slice(1))).toEqual(['sequence-gap']);
    expect(kindsOf(flows.slice(0, 4))).toEqual(['wallet-sequence', 'wallet-balance', 'wallet-hash']);
  });
});
