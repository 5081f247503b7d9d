import { EJSON } from 'bson';
import type { Document, MongoClient } from 'mongodb';
import { watchConnectingClients } from '../../bench/servers/connecting-clients.ts';
import { ordersPageSize } from '../../src/reading/order-search.ts';
import { operatorMaxMs } from '../../src/storage/shared/commands.ts';
import { shardKeys } from '../../src/storage/schema/sharding.ts';

/** How a process says, on its standard output, that it sent a command that no router could send to one shard. */
export const complaintMark = '"event":"asks-every-shard"';
const shownMax = 2_000;

interface Sent {
  readonly name: string;
  readonly collection: string;
  readonly command: Document;
}

interface Exemption {
  readonly why: string;
  readonly isIt: (sent: Sent, filter: Document) => boolean;
}

/** The stored states of what has not ended. */
const unsettled: ReadonlySet<unknown> = new Set(['PENDING', 'SCHEDULED', 'SET_ASIDE']);

function statesIn(condition: unknown): readonly unknown[] {
  const { $in: listed } = (condition ?? {}) as { readonly $in?: readonly unknown[] };
  return listed ?? [condition];
}

/** What asks every shard, and may. All other commands of the web process and the workers name a workspace. */
const exemptions: readonly Exemption[] = [
  {
    why: 'the sweep, the backlog, back-pressure and the operations page ask for what waits of all workspaces: by an index of that alone, workspace by workspace, so many keys at the most, and about once a second',
    isIt: ({ collection, command }, { status }) =>
      collection === 'orders' &&
      statesIn(status).every((state) => unsettled.has(state)) &&
      command['hint'] === 'unsettled_orders',
  },
  {
    why: 'what is due is looked for in all workspaces, by an index of that alone, so many keys at the most, twice a second',
    isIt: ({ collection, command }) =>
      collection === 'orders' && ['due_orders', 'due_orders_by_time'].includes(String(command['hint'])),
  },
  {
    why: 'the operations page shows an order, a wallet or a webhook by its id, whoever’s it is',
    isIt: ({ name, collection }, filter) =>
      name === 'find' &&
      ['orders', 'wallets', 'webhookEndpoints'].includes(collection) &&
      Object.keys(filter).join() === '_id' &&
      typeof filter['_id'] === 'string',
  },
  {
    why: 'the operator’s list of orders goes down the ids of all workspaces: only when somebody looks, so many rows and seconds at the most',
    isIt: ({ name, collection, command }, { _id }) =>
      name === 'find' &&
      collection === 'orders' &&
      command['hint'] === '_id_' &&
      (_id as { readonly $lt?: unknown } | undefined)?.$lt !== undefined &&
      [2, ordersPageSize + 1].includes(Number(command['limit'])) &&
      Number(command['maxTimeMS']) <= operatorMaxMs,
  },
  {
    why: 'a process that records a currency looks whether wallets fit its decimals: only then, once, for some seconds',
    isIt: ({ name, collection }, filter) => name === 'aggregate' && collection === 'wallets' && namesCurrencies(filter),
  },
  {
    why: 'a process that lays out a new database looks whether there are books: only then, one document',
    isIt: ({ name, command }, filter) => name === 'find' && Object.keys(filter).length === 0 && command['limit'] === 1,
  },
];

/**
 * Watches the clients that connect from now on, each from its first time.
 * @param complainOf asked for each client that connects, where it does: told of what that client should not send. A client
 * for which there is none is not watched.
 */
export function watchConnecting(complainOf: () => ((command: string) => void) | undefined): void {
  watchConnectingClients((client) => {
    const complain = complainOf();
    if (complain !== undefined) watchWorkspaces(client, complain);
    return complain !== undefined;
  });
}

/**
 * Watches all that a client sends to the collections that may be sharded. A command has to name its workspaces at the top of
 * its filter, or in every branch of an `$or`, and in each document that it inserts; one that changes a single document has
 * to name the one workspace itself. @param complain told of each other command, shortened.
 */
export function watchWorkspaces(client: MongoClient, complain: (command: string) => void): void {
  client.options.monitorCommands = true;
  client.on('commandStarted', ({ commandName: name, command }) => {
    const collection: unknown = command[name];
    if (typeof collection !== 'string' || !(collection in shardKeys)) return;
    if (namesWorkspaces({ name, collection, command })) return;
    const { lsid, $clusterTime, ...shown } = command;
    complain(EJSON.stringify(shown).slice(0, shownMax));
  });
}

function namesWorkspaces(sent: Sent): boolean {
  const { name, command } = sent;
  const isTold = (filter: Document): boolean => isNamed(filter) || exemptions.some(({ isIt }) => isIt(sent, filter));
  switch (name) {
    case 'find':
      return isTold(command['filter'] as Document);
    case 'aggregate':
      return isTold(((command['pipeline'] as Document[])[0]?.['$match'] ?? {}) as Document);
    case 'count':
    case 'distinct':
      return isTold((command['query'] ?? {}) as Document);
    case 'findAndModify':
      return typeof (command['query'] as Document)['workspaceId'] === 'string';
    case 'insert':
      return (command['documents'] as Document[]).every(({ workspaceId }) => typeof workspaceId === 'string');
    case 'update':
      return (command['updates'] as { q: Document; multi?: boolean }[]).every(({ q, multi }) =>
        multi === true ? isNamed(q) : typeof q['workspaceId'] === 'string',
      );
    case 'delete':
      return (command['deletes'] as { q: Document }[]).every(({ q }) => isNamed(q));
    default:
      // A cursor stays on its shards; collections and indexes are of all of them.
      return true;
  }
}

function isNamed(filter: Document): boolean {
  const { workspaceId } = filter as { workspaceId?: string | { $in?: unknown } };
  return typeof workspaceId === 'string' || Array.isArray(workspaceId?.$in) || isEveryBranch(filter, isNamed);
}

function namesCurrencies(filter: Document): boolean {
  return filter['currency'] !== undefined || isEveryBranch(filter, namesCurrencies);
}

/** Of a filter without branches: false. */
function isEveryBranch({ $or: branches = [] }: Document, is: (branch: Document) => boolean): boolean {
  return (branches as Document[]).length > 0 && (branches as Document[]).every(is);
}
