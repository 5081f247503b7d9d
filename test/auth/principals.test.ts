import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPrincipals } from '../../src/auth/principals.ts';
import { sealSecret } from '../../src/auth/secrets.ts';
import type { ApiKey, ApiKeys } from '../../src/storage/apiKeys.ts';
import type { Workspaces } from '../../src/storage/workspaces.ts';

const masterKeys = new Map([[1, randomBytes(32)]]);
const now = new Date();

function sources() {
  const key = {
    id: 'ak_1',
    workspaceId: 'ws_1',
    ownerId: 'owner',
    scopes: ['wallet:read'],
    status: 'ENABLED' as ApiKey['status'],
    ipWhitelist: [],
    secrets: [sealSecret('s', 'ak_1', masterKeys)],
    createdAt: now,
    updatedAt: now,
  };
  const find = vi.fn((id: string) => Promise.resolve(id === 'ak_1' ? { ...key } : undefined));
  const apiKeys = { find } as unknown as ApiKeys;
  const workspaces = {
    find: () => Promise.resolve({}),
    isMember: () => Promise.resolve(true),
  } as unknown as Workspaces;
  return { key, find, principals: createPrincipals({ apiKeys, workspaces, masterKeys }) };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] });
  // The cache takes a time of zero for none.
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

describe('principals', () => {
  it('are read once for all requests of a moment', async () => {
    const { principals, find } = sources();
    const all = await Promise.all(Array.from({ length: 50 }, () => principals.find('ak_1')));
    expect(all.every((principal) => principal?.keyId === 'ak_1')).toBe(true);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('are read anew in the background before they are too old, so that nobody waits', async () => {
    const { principals, find, key } = sources();
    await principals.find('ak_1');
    vi.advanceTimersByTime(600);
    key.status = 'DISABLED';
    expect((await principals.find('ak_1'))?.isEnabled).toBe(true);
    expect(find).toHaveBeenCalledTimes(2);
    await vi.waitFor(async () => {
      expect((await principals.find('ak_1'))?.isEnabled).toBe(false);
    });
  });

  it('are never a second old', async () => {
    const { principals, key } = sources();
    await principals.find('ak_1');
    key.status = 'DISABLED';
    vi.advanceTimersByTime(950);
    expect((await principals.find('ak_1'))?.isEnabled).toBe(false);
  });

  it('are forgotten at once when something was changed, also what is just being read', async () => {
    const { principals, key } = sources();
    const before = principals.find('ak_1');
    key.status = 'DISABLED';
    principals.forget();
    await before;
    expect((await principals.find('ak_1'))?.isEnabled).toBe(false);
  });

  it('that do not exist are remembered as well', async () => {
    const { principals, find } = sources();
    expect([await principals.find('ak_2'), await principals.find('ak_2')]).toEqual([undefined, undefined]);
    expect(find).toHaveBeenCalledTimes(1);
  });
});
