import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Wallet } from '../../src/domain/wallet.ts';
import type { WalletReference, TransferWallet } from '../../src/storage/wallets/wallets.ts';
import { createWalletCheck } from '../../src/accepting/wallet-check.ts';

const own: TransferWallet = { workspaceId: 'ws_1', kind: 'STANDARD', status: 'ACTIVE', currency: 'EUR' };
const transfer = { workspaceId: 'ws_1', sourceWalletId: 'wa_a', targetWalletId: 'wa_b', currency: 'EUR' };

function open() {
  const stored = new Map<string, TransferWallet>([
    ['wa_a', own],
    ['wa_b', own],
    ['wa_frozen', { ...own, status: 'FROZEN' }],
    ['wa_dollars', { ...own, currency: 'USD' }],
    ['wa_foreign', { ...own, workspaceId: 'ws_2' }],
    ['wa_foreign_too', { ...own, workspaceId: 'ws_2' }],
    ['wa_external', { ...own, kind: 'EXTERNAL' }],
  ]);
  const findForTransfer = vi.fn((references: readonly WalletReference[]) => {
    const found = references.flatMap(({ id }) => {
      const side = stored.get(id);
      return side === undefined ? [] : [[id, side] as const];
    });
    return Promise.resolve(new Map(found));
  });
  const ensureExternal = vi.fn((workspaceId: string, currency: string) =>
    Promise.resolve({ workspaceId, kind: 'EXTERNAL', status: 'ACTIVE', currency } as Wallet),
  );
  const walletCheck = createWalletCheck({ findForTransfer, ensureExternal });
  const check = (values: Partial<typeof transfer> = {}) => {
    const { workspaceId, currency, sourceWalletId, targetWalletId } = { ...transfer, ...values };
    const named = [
      { field: 'sourceWalletId', id: sourceWalletId },
      { field: 'targetWalletId', id: targetWalletId },
    ];
    return walletCheck.check(workspaceId, [{ currency, wallets: named }]);
  };
  /** The ids of each query so far, each in order. */
  const asked = () => findForTransfer.mock.calls.map(([references]) => references.map(({ id }) => id).toSorted());
  return { stored, findForTransfer, ensureExternal, walletCheck, check, asked };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] });
  // The cache takes a time of zero for none.
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a transfer's wallets", () => {
  test.each([
    ['SAME_WALLET', { targetWalletId: 'wa_a' }],
    ['WALLET_NOT_FOUND', { sourceWalletId: 'wa_none', targetWalletId: 'wa_frozen' }],
    ['WALLET_NOT_FOUND', { targetWalletId: 'wa_foreign' }],
    ['WALLET_NOT_FOUND', { targetWalletId: 'wa_external' }],
    ['WALLET_NOT_ACTIVE', { sourceWalletId: 'wa_frozen', currency: 'USD' }],
    ['WALLET_NOT_ACTIVE', { sourceWalletId: 'wa_dollars', targetWalletId: 'wa_frozen' }],
    ['CURRENCY_MISMATCH', { targetWalletId: 'wa_dollars' }],
  ])('are refused with %s: %j, remembered or not', async (code, values) => {
    const { check } = open();
    await expect(check(values)).rejects.toMatchObject({ errorName: code });
    await check();
    await expect(check(values)).rejects.toMatchObject({ errorName: code });
  });

  test('cost the query of an unknown one if they are EXTERNAL', async () => {
    const { check, asked } = open();
    await check();
    for (let time = 0; time < 2; time += 1) await expect(check({ sourceWalletId: 'wa_external' })).rejects.toThrow();
    expect(asked().slice(1)).toEqual([['wa_external'], ['wa_external']]);
  });

  test('of the world outside are made once a moment', async () => {
    const { walletCheck, ensureExternal } = open();
    for (let time = 0; time < 2; time += 1) await walletCheck.ensureExternal('ws_1', 'EUR');
    await walletCheck.ensureExternal('ws_1', 'USD');
    expect(ensureExternal.mock.calls).toEqual([
      ['ws_1', 'EUR'],
      ['ws_1', 'USD'],
    ]);
  });

  test('of one moment are looked up together, each once', async () => {
    const { check, asked } = open();
    await Promise.all([check(), check({ sourceWalletId: 'wa_b', targetWalletId: 'wa_a' }), check()]);
    expect(asked()).toEqual([['wa_a', 'wa_b']]);
  });

  test('are remembered for less than a second', async () => {
    const { check, asked } = open();
    await check();
    vi.advanceTimersByTime(800);
    await check();
    expect(asked()).toHaveLength(1);
    vi.advanceTimersByTime(200);
    await check();
    expect(asked()).toEqual([
      ['wa_a', 'wa_b'],
      ['wa_a', 'wa_b'],
    ]);
  });

  test('are looked up where only the other one is remembered', async () => {
    const { stored, check, asked } = open();
    stored.set('wa_c', own);
    await check();
    await check({ targetWalletId: 'wa_c' });
    expect(asked()).toEqual([['wa_a', 'wa_b'], ['wa_c']]);
  });

  test('are looked up anew once a change was announced, also where a query was under way', async () => {
    const { stored, findForTransfer, walletCheck, check } = open();
    await check();
    stored.set('wa_b', { ...own, status: 'FROZEN' });
    walletCheck.forget();
    await expect(check()).rejects.toMatchObject({ errorName: 'WALLET_NOT_ACTIVE' });

    stored.set('wa_b', own);
    const slow = Promise.withResolvers<Map<string, TransferWallet>>();
    findForTransfer.mockReturnValueOnce(slow.promise);
    const early = check();
    await vi.waitFor(() => {
      expect(findForTransfer).toHaveBeenCalledTimes(3);
    });
    walletCheck.forget();
    slow.resolve(new Map(['wa_a', 'wa_b'].map((id) => [id, own])));
    await early;
    stored.set('wa_b', { ...own, status: 'FROZEN' });
    await expect(check()).rejects.toMatchObject({ errorName: 'WALLET_NOT_ACTIVE' });
  });

  test('that are not active are looked up each time: an unfrozen one is usable at once', async () => {
    const { stored, check } = open();
    await expect(check({ targetWalletId: 'wa_frozen' })).rejects.toThrow();
    stored.set('wa_frozen', own);
    await check({ targetWalletId: 'wa_frozen' });
  });

  test('of another workspace cost it the same query as those that do not exist, however often they are used', async () => {
    const { check, asked } = open();
    const stranger = { workspaceId: 'ws_2', sourceWalletId: 'wa_foreign', targetWalletId: 'wa_foreign_too' };
    await check();
    await check(stranger);
    const before = asked().length;
    await expect(check({ ...stranger, targetWalletId: 'wa_a' })).rejects.toThrow();
    await expect(check({ ...stranger, targetWalletId: 'wa_none' })).rejects.toThrow();
    await expect(check({ ...stranger, targetWalletId: 'wa_a' })).rejects.toThrow();
    expect(asked().slice(before)).toEqual([['wa_a'], ['wa_none'], ['wa_a']]);
  });
});
