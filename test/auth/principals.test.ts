import { randomBytes } from 'node:crypto';
import { MongoServerError } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { coldLookupsMax, createPrincipals, type Principals } from '../../src/auth/principals.ts';
import { sealSecret } from '../../src/auth/secrets.ts';
import type { ApiKey } from '../../src/storage/keys/api-keys.ts';
import { createThroughFailover } from '../../src/waiting/failover.ts';
import { isTransientFault } from '../../src/storage/shared/transaction.ts';

const throughFailover = createThroughFailover(isTransientFault);
const unhurried = (): number => Infinity;
const masterKeys = new Map([[1, randomBytes(32)]]);
const notWritablePrimary = 10107;
const now = new Date();
/** Longer than several rounds. */
const waitOptions = { timeout: 10_000, interval: 20 };

function sources() {
  const key = {
    id: 'ak_1',
    workspaceId: 'ws_1',
    ownerId: 'owner',
    scopes: ['wallet:read' as const],
    status: 'ENABLED' as ApiKey['status'],
    ipWhitelist: [],
    secrets: [sealSecret('s', 'ak_1', masterKeys)],
    createdAt: now,
    updatedAt: now,
  };
  const unreadable = { ...key, id: 'ak_unreadable' };
  const findMany = vi.fn((ids: readonly string[]) =>
    Promise.resolve([{ ...key }, unreadable].filter(({ id }) => ids.includes(id))),
  );
  const workspaces = {
    existing: (ids: readonly string[]) => Promise.resolve(new Set(ids)),
    areMembers: (memberships: readonly unknown[]) => Promise.resolve(memberships.map(() => true)),
  };
  const principals = createPrincipals({ apiKeys: { findMany }, workspaces }, masterKeys, throughFailover, 50);
  opened.push(principals);
  return { key, findMany, principals };
}

const opened: Principals[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((principals) => principals.close()));
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] });
  // The cache takes a time of zero for none.
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

describe('principals', () => {
  it('have two secrets during the overlap of a rotation, and one as soon as it has ended', async () => {
    const { key, principals } = sources();
    const endsAt = new Date(now.getTime() + 60_000);
    const before = { ...sealSecret('before', 'ak_1', masterKeys), expiresAt: endsAt };
    key.secrets = [before, sealSecret('s', 'ak_1', masterKeys)];
    const found = await principals.find('ak_1', unhurried);
    expect(found?.secrets(new Date(endsAt.getTime() - 1))).toEqual(['before', 's']);
    expect(found?.secrets(endsAt)).toEqual(['s']);
  });

  it('are found although others look for any number of keys that nobody knows', async () => {
    const { principals, findMany } = sources();
    expect((await principals.find('ak_1', unhurried))?.keyId).toBe('ak_1');
    await principals.close();
    const held = Promise.withResolvers<undefined>();
    const readKeys = findMany.getMockImplementation();
    findMany.mockImplementation(async (ids) => {
      await held.promise;
      return (await readKeys?.(ids)) ?? [];
    });
    const strangers = Array.from({ length: coldLookupsMax + 1 }, (_, index) =>
      principals.find(`ak_x${index}`, unhurried),
    );
    await expect(strangers.pop()).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
    vi.advanceTimersByTime(2_000);
    const again = principals.find('ak_1', unhurried);
    held.resolve(undefined);
    expect((await again)?.keyId).toBe('ak_1');
    expect(new Set(await Promise.all(strangers))).toEqual(new Set([undefined]));
  });

  it('are read together and once for all requests of a moment', async () => {
    const { principals, findMany } = sources();
    const ids = ['ak_1', 'ak_2', 'ak_3', 'ak_1'];
    const all = await Promise.all(ids.map((id) => principals.find(id, unhurried)));
    expect(all.map((principal) => principal?.keyId)).toEqual(['ak_1', undefined, undefined, 'ak_1']);
    expect(findMany.mock.calls).toEqual([[['ak_1', 'ak_2', 'ak_3']]]);
  });

  it('in use are read anew in the background, so that nobody waits', async () => {
    const { principals, findMany, key } = sources();
    await principals.find('ak_1', unhurried);
    key.status = 'DISABLED';
    // Time stands still for what is remembered, so that only the background can have read it.
    await vi.waitFor(async () => {
      expect((await principals.find('ak_1', unhurried))?.isEnabled).toBe(false);
    }, waitOptions);
    await vi.waitFor(() => {
      expect(findMany.mock.calls.length).toBeGreaterThan(3);
    }, waitOptions);
  });

  it('whose secret cannot be opened are an error, and no matter of the others', async () => {
    const { principals } = sources();
    const [right, wrong] = await Promise.allSettled([
      principals.find('ak_1', unhurried),
      principals.find('ak_unreadable', unhurried),
    ]);
    expect(right).toMatchObject({ status: 'fulfilled', value: { keyId: 'ak_1' } });
    expect(wrong.status).toBe('rejected');
  });

  it('are never a second old', async () => {
    const { principals, key } = sources();
    await principals.find('ak_1', unhurried);
    key.status = 'DISABLED';
    vi.advanceTimersByTime(950);
    expect((await principals.find('ak_1', unhurried))?.isEnabled).toBe(false);
  });

  it('are forgotten at once when something was changed, also what is just being read', async () => {
    const { principals, key } = sources();
    const before = principals.find('ak_1', unhurried);
    key.status = 'DISABLED';
    principals.forget();
    await before;
    expect((await principals.find('ak_1', unhurried))?.isEnabled).toBe(false);
  });

  it('are not taken from a read that began a second ago and hangs', async () => {
    const { principals, key, findMany } = sources();
    const { promise: hanging, resolve } = Promise.withResolvers<(typeof key)[]>();
    const asItWas = { ...key };
    findMany.mockReturnValueOnce(hanging);
    const first = principals.find('ak_1', unhurried);
    await vi.waitFor(() => {
      expect(findMany).toHaveBeenCalledTimes(1);
    }, waitOptions);
    key.status = 'DISABLED';
    vi.advanceTimersByTime(950);
    expect((await principals.find('ak_1', unhurried))?.isEnabled).toBe(false);
    resolve([asItWas]);
    await first;
    expect((await principals.find('ak_1', unhurried))?.isEnabled).toBe(false);
  });

  it('that do not exist are remembered as well', async () => {
    const { principals, findMany } = sources();
    for (let time = 0; time < 2; time += 1) expect(await principals.find('ak_2', unhurried)).toBeUndefined();
    expect(findMany).toHaveBeenCalledTimes(1);
  });

  it('that MongoDB cannot be asked for are waited for, and no older state is taken for an answer', async () => {
    const { principals, findMany, key } = sources();
    await principals.find('ak_1', unhurried);
    vi.advanceTimersByTime(950);
    const away = Promise.reject(new MongoServerError({ code: notWritablePrimary, errmsg: 'not primary' }));
    away.catch(() => undefined);
    findMany.mockReturnValue(away);
    const found = principals.find('ak_1', unhurried);
    const before = findMany.mock.calls.length;
    await vi.waitFor(() => {
      expect(findMany.mock.calls.length).toBeGreaterThan(before + 3);
    }, waitOptions);
    key.status = 'DISABLED';
    findMany.mockImplementation(() => Promise.resolve([key]));
    expect(await Promise.race([found, vi.advanceTimersByTimeAsync(1_000).then(() => found)])).toMatchObject({
      isEnabled: false,
    });
  });
});
