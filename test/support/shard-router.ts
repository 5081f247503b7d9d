import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Document } from 'mongodb';
import pTimeout from 'p-timeout';
import { shardKeys } from '../../src/storage/schema/sharding.ts';
import { framesOf, handshakeOf, readMessage, replyTo } from './wire-messages.ts';

export interface ShardRouter {
  readonly uri: string;
  /** Commands to sharded collections so far: how many workspaces each named; 0 where it asked all shards. */
  readonly workspacesNamed: number[];
  /** A shard answers nothing any more, until it is resumed; then it is sent what came meanwhile. */
  stop(shard: number): void;
  resume(shard: number): void;
  /** How many commands wait for a shard that does not answer. */
  held(): number;
  close(): Promise<void>;
}

/** Source: MongoDB's error codes, MaxTimeMSExpired. */
const expired = { ok: 0, code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'operation exceeded time limit' };
const fallback = () => false;

/**
 * Stands in for the router of a sharded cluster, before servers that have the schema each. It knows only what the service
 * sends to sharded collections: a command goes to the shard of the workspaces that its filter or its documents name, and to
 * all shards if it names none. All else goes to the first shard. A command for several shards waits until all of them answer,
 * for as long as it may take, and is then answered by the first: enough to show who waits for whom.
 */
export async function startShardRouter(
  shards: readonly { readonly port: number }[],
  shardOf: (workspaceId: string) => number,
): Promise<ShardRouter> {
  const stopped = new Map<number, PromiseWithResolvers<undefined>>();
  const workspacesNamed: number[] = [];
  const sockets = new Set<Socket>();
  /** The shard of the transaction that a session has open. */
  const shardOfSession = new Map<string, number>();
  let heldCount = 0;

  function shardsOf(command: Document): [number, ...number[]] {
    const session = JSON.stringify(command['lsid'] ?? null);
    const workspaces = workspacesOf(command);
    if (workspaces === undefined) return [(command['autocommit'] === false && shardOfSession.get(session)) || 0];
    workspacesNamed.push(workspaces.length);
    const [first = 0, ...others] = workspaces.length === 0 ? shards.keys() : new Set(workspaces.map(shardOf));
    if (command['autocommit'] === false) shardOfSession.set(session, first);
    return [first, ...others];
  }

  /** @returns whether the shard answers before the command's time is over. */
  async function untilAnswering(shard: number, maxTimeMS: unknown): Promise<boolean> {
    const answering = stopped.get(shard)?.promise;
    if (answering === undefined) return true;
    heldCount += 1;
    const answers = answering.then(() => true);
    const limited = typeof maxTimeMS === 'number' ? pTimeout(answers, { milliseconds: maxTimeMS, fallback }) : answers;
    const isThere = await limited;
    heldCount -= 1;
    return isThere;
  }

  async function serve(client: Socket): Promise<void> {
    const upstreams = shards.map(({ port }) => connect({ host: '127.0.0.1', port }));
    for (const socket of [client, ...upstreams]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => sockets.delete(socket));
    }
    client.once('close', () => {
      for (const upstream of upstreams) upstream.destroy();
    });
    const replies = upstreams.map(framesOf);
    for await (const frame of framesOf(client)) {
      const message = readMessage(frame);
      if (/^(isMaster|ismaster|hello)$/.test(Object.keys(message.command)[0] ?? '')) {
        client.write(replyTo(message, { ...handshakeOf(9), msg: 'isdbgrid' }));
        continue;
      }
      const asked = shardsOf(message.command);
      const { maxTimeMS } = message.command;
      const areThere = await Promise.all(asked.map((shard) => untilAnswering(shard, maxTimeMS)));
      if (areThere.includes(false)) {
        client.write(replyTo(message, expired));
        continue;
      }
      upstreams[asked[0]]?.write(frame);
      const reply = await replies[asked[0]]?.next();
      if (reply === undefined || reply.done === true) break;
      client.write(reply.value);
    }
    client.destroy();
  }

  const server = createServer((client) => void serve(client).catch(() => client.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const resume = (shard: number): void => {
    stopped.get(shard)?.resolve(undefined);
    stopped.delete(shard);
  };
  return {
    uri: `mongodb://127.0.0.1:${port}/`,
    workspacesNamed,
    stop: (shard) => void stopped.set(shard, Promise.withResolvers<undefined>()),
    resume,
    held: () => heldCount,
    async close() {
      for (const shard of stopped.keys()) resume(shard);
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The workspaces that a command to a sharded collection names, each once; undefined for any other command. */
function workspacesOf(command: Document): string[] | undefined {
  const [name = ''] = Object.keys(command);
  const collection: unknown = command[name];
  if (typeof collection !== 'string' || !(collection in shardKeys)) return undefined;
  const listed = (field: string): Document[] => (command[field] as Document[] | undefined) ?? [];
  const whole = [command['filter'], command['query'], listed('pipeline')[0]?.['$match']] as (Document | undefined)[];
  const parts = [...listed('updates'), ...listed('deletes')].map(({ q }) => q as Document);
  const filters = [...whole.filter((filter) => filter !== undefined), ...parts, ...listed('documents')];
  return [...new Set(filters.flatMap(named))];
}

function named(filter: Document): string[] {
  const { workspaceId, $or } = filter as { workspaceId?: string | { $in?: string[] }; $or?: Document[] };
  if (typeof workspaceId === 'string') return [workspaceId];
  return workspaceId?.$in ?? ($or ?? []).flatMap(named);
}
