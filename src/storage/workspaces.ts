import type { Collection, Db } from 'mongodb';
import { systemClock, type Clock } from '../clock.ts';
import { isTestWorkspace, newId, timeOfId } from '../domain/ids.ts';
import { inOneReply, operatorMaxMs, upsert } from './shared/commands.ts';
import type { Stored } from './shared/decimal.ts';
import { newTestClock, type TestClock } from './test-clocks.ts';

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** When it was deleted. Requests of its keys are then answered that it is not found; its books stay. */
  readonly deletedAt: Date | null;
}

interface WorkspaceDocument extends Stored<Workspace> {
  /** Of a test workspace alone. */
  readonly clock?: TestClock;
}

interface Membership {
  readonly workspaceId: string;
  readonly userId: string;
}

interface MemberDocument extends Membership {
  readonly _id: string;
  readonly createdAt: Date;
}

export type Workspaces = ReturnType<typeof openWorkspaces>;

/** The `workspaces` and `members` collections. */
export function openWorkspaces(db: Db, clock: Clock = systemClock) {
  const workspaces: Collection<WorkspaceDocument> = db.collection('workspaces');
  const members: Collection<MemberDocument> = db.collection('members');

  /** For each membership, in order, whether the user is a member. */
  async function areMembers(memberships: readonly Membership[]): Promise<boolean[]> {
    const ids = memberships.map(memberId);
    const documents = await members
      .find({ _id: { $in: [...new Set(ids)] } }, { ...inOneReply(ids.length), projection: { _id: 1 } })
      .toArray();
    const memberIds = new Set(documents.map(({ _id }) => _id));
    return ids.map((id) => memberIds.has(id));
  }

  return {
    areMembers,

    /** @param id says whether it is a test workspace: see `newIdOf`. */
    async create(name: string, id = newId('workspace', clock())): Promise<Workspace> {
      const values = { name, createdAt: timeOfId('workspace', id), deletedAt: null };
      const ofTest = isTestWorkspace(id) ? { clock: newTestClock(clock()) } : {};
      await workspaces.insertOne({ _id: id, ...values, ...ofTest });
      return { id, ...values };
    },

    /** A workspace that exists and is not deleted. */
    async find(id: string): Promise<Workspace | undefined> {
      const document = await workspaces.findOne({ _id: id, deletedAt: null });
      return document === null ? undefined : toWorkspace(document);
    },

    /** A workspace, deleted or not. */
    async findAny(id: string): Promise<Workspace | undefined> {
      const document = await workspaces.findOne({ _id: id });
      return document === null ? undefined : toWorkspace(document);
    },

    /** The ids of those workspaces that exist and are not deleted. */
    async existing(ids: readonly string[]): Promise<Set<string>> {
      const filter = { _id: { $in: [...new Set(ids)] }, deletedAt: null };
      const documents = await workspaces.find(filter, { ...inOneReply(ids.length), projection: { _id: 1 } }).toArray();
      return new Set(documents.map(({ _id }) => _id));
    },

    /** Ids of those behind one, deleted or not, oldest first. */
    async idsBehind(id: string, countMax: number): Promise<string[]> {
      const options = { ...inOneReply(countMax), limit: countMax, projection: { _id: 1 }, maxTimeMS: operatorMaxMs };
      const documents = await workspaces.find({ _id: { $gt: id } }, { ...options, sort: { _id: 1 } }).toArray();
      return documents.map(({ _id }) => _id);
    },

    /** All that are not deleted, oldest first. */
    async list(): Promise<Workspace[]> {
      const documents = await workspaces.find({ deletedAt: null }).sort({ _id: 1 }).toArray();
      return documents.map(toWorkspace);
    },

    /** Marks a workspace deleted; its books stay. @returns it as it is now; undefined where there is none to delete. */
    async delete(id: string): Promise<Workspace | undefined> {
      const document = await workspaces.findOneAndUpdate(
        { _id: id, deletedAt: null },
        { $set: { deletedAt: clock() } },
        { returnDocument: 'after' },
      );
      return document === null ? undefined : toWorkspace(document);
    },

    /** Takes a deletion back, if it is still this one: keys work again within a second. */
    async restore({ id, deletedAt }: Pick<Workspace, 'id' | 'deletedAt'>): Promise<void> {
      await workspaces.updateOne({ _id: id, deletedAt }, { $set: { deletedAt: null } });
    },

    async isMember(workspaceId: string, userId: string): Promise<boolean> {
      return (await areMembers([{ workspaceId, userId }]))[0] === true;
    },

    /** Adds a member; adding one again, also at the same moment, changes nothing. */
    async addMember(workspaceId: string, userId: string): Promise<void> {
      const _id = memberId({ workspaceId, userId });
      const member = { workspaceId, userId, createdAt: clock() };
      await upsert(() => members.updateOne({ _id }, { $setOnInsert: member }, { upsert: true }));
    },

    /** @returns whether there was such a member. */
    async removeMember(workspaceId: string, userId: string): Promise<boolean> {
      return (await members.deleteOne({ _id: memberId({ workspaceId, userId }) })).deletedCount === 1;
    },
  };
}

function toWorkspace({ _id, name, createdAt, deletedAt }: WorkspaceDocument): Workspace {
  return { id: _id, name, createdAt, deletedAt };
}

/** A workspace's id has a fixed form without a colon, so no two memberships share an id. */
function memberId({ workspaceId, userId }: Membership): string {
  return `${workspaceId}:${userId}`;
}
