import type { Collection, Db } from 'mongodb';
import { newId, timeOfId } from '../domain/ids.ts';

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** When it was deleted: its keys then answer that the workspace is not found; its books stay. */
  readonly deletedAt: Date | null;
}

interface WorkspaceDocument extends Omit<Workspace, 'id'> {
  readonly _id: string;
}

interface MemberDocument {
  readonly _id: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly createdAt: Date;
}

export type Workspaces = ReturnType<typeof openWorkspaces>;

/** The `workspaces` and `members` collections. */
export function openWorkspaces(db: Db) {
  const workspaces: Collection<WorkspaceDocument> = db.collection('workspaces');
  const members: Collection<MemberDocument> = db.collection('members');
  return {
    async create(name: string): Promise<Workspace> {
      const id = newId('workspace');
      const values = { name, createdAt: timeOfId('workspace', id), deletedAt: null };
      await workspaces.insertOne({ _id: id, ...values });
      return { id, ...values };
    },

    /** A workspace that exists and is not deleted. */
    async find(id: string): Promise<Workspace | undefined> {
      const document = await workspaces.findOne({ _id: id, deletedAt: null });
      return document === null ? undefined : toWorkspace(document);
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
        { $set: { deletedAt: new Date() } },
        { returnDocument: 'after' },
      );
      return document === null ? undefined : toWorkspace(document);
    },

    async isMember(workspaceId: string, userId: string): Promise<boolean> {
      return (await members.findOne({ workspaceId, userId })) !== null;
    },

    /** Adds a member; adding one again changes nothing. */
    async addMember(workspaceId: string, userId: string): Promise<void> {
      await members.updateOne(
        { workspaceId, userId },
        { $setOnInsert: { _id: `${workspaceId}:${userId}`, createdAt: new Date() } },
        { upsert: true },
      );
    },

    /** @returns whether there was such a member. */
    async removeMember(workspaceId: string, userId: string): Promise<boolean> {
      return (await members.deleteOne({ workspaceId, userId })).deletedCount === 1;
    },
  };
}

function toWorkspace({ _id, ...rest }: WorkspaceDocument): Workspace {
  return { id: _id, ...rest };
}
