import { describe, expect, it } from 'vitest';
import { openCollections } from '../../src/storage/collections.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();

describe('a membership', () => {
  it('is removed once', async () => {
    await ensureSchema(db);
    const { workspaces } = openCollections(db);
    const { id } = await workspaces.create('one');
    await workspaces.addMember(id, 'alice');
    expect(await workspaces.removeMember(id, 'alice')).toBe(true);
    expect(await workspaces.removeMember(id, 'alice')).toBe(false);
  });

  it('is told for several users in their order, and for one workspace alone', async () => {
    await ensureSchema(db);
    const { workspaces } = openCollections(db);
    const [one, other] = [await workspaces.create('one'), await workspaces.create('other')];
    await workspaces.addMember(one.id, 'alice');
    const asked = [
      { workspaceId: one.id, userId: 'bob' },
      { workspaceId: one.id, userId: 'alice' },
      { workspaceId: other.id, userId: 'alice' },
    ];
    expect(await workspaces.areMembers(asked)).toEqual([false, true, false]);
  });
});

describe('workspaces', () => {
  it('that exist are those that are not deleted', async () => {
    await ensureSchema(db);
    const { workspaces } = openCollections(db);
    const [one, other] = [await workspaces.create('one'), await workspaces.create('other')];
    await workspaces.delete(other.id);
    expect(await workspaces.existing([other.id, one.id, 'ws_absent'])).toEqual(new Set([one.id]));
  });
});
