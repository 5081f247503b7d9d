import { Db, type Collection, type Document } from 'mongodb';
import { vi } from 'vitest';

/** What a router was sent that only a router understands, and its list of divided collections. */
export interface PlayedRouter {
  readonly sent: Document[];
  readonly divided: Document[];
}

/**
 * Makes this process's clients take the server for the router of a sharded cluster: what only a router does is answered as
 * its manual says, all else goes to the server. Until mocks are restored.
 */
export function playRouter(): PlayedRouter {
  const router: PlayedRouter = { sent: [], divided: [] };
  const ask = Reflect.get(Db.prototype, 'command') as (this: Db, ...values: unknown[]) => Promise<Document>;
  vi.spyOn(Db.prototype, 'command').mockImplementation(async function (this: Db, command, options) {
    if ('isMaster' in command) return { ...(await ask.call(this, command, options)), msg: 'isdbgrid' };
    if (this.databaseName !== 'admin' || !('enableSharding' in command || 'shardCollection' in command)) {
      return ask.call(this, command, options);
    }
    router.sent.push(command);
    if ('shardCollection' in command)
      router.divided.push({ _id: command['shardCollection'] as string, key: command['key'] as Document });
    return { ok: 1 };
  });
  const open = Reflect.get(Db.prototype, 'collection') as (this: Db, ...values: unknown[]) => Collection;
  vi.spyOn(Db.prototype, 'collection').mockImplementation(function (this: Db, name, options) {
    const collection = open.call(this, name, options);
    if (this.databaseName !== 'config') return collection;
    const findOne = (filter: Document) =>
      Promise.resolve(router.divided.find(({ _id, dropped }) => _id === filter['_id'] && dropped !== true) ?? null);
    return Object.assign(collection, { findOne });
  });
  return router;
}
