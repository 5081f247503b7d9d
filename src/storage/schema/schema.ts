import { isDeepStrictEqual } from 'node:util';
import type { Db, Document } from 'mongodb';
import { isServerError } from '../shared/error-codes.ts';
import { ensureIndexes, type IndexDeclaration } from './indexes.ts';
import {
  claimValidators,
  recordSchemaVersion,
  refuseOtherVersion,
  schemaVersion,
  storedSchemaVersion,
} from './schema-version.ts';
import { validators } from './validators.ts';

/**
 * Names of the orders' indexes that queries name in a hint. `unsettled` holds the orders that are not posted yet.
 */
export const orderIndexes = {
  unsettled: 'unsettled_orders',
  ofWorkspace: 'orders_of_workspace',
  ofWallet: 'orders_of_wallet',
  failedOfWorkspace: 'failed_of_workspace',
  failedOfWallet: 'failed_of_wallet',
  ofRequest: 'signed_request_once_in_workspace',
  ofParent: 'orders_of_parent',
  unsettledOfParent: 'unsettled_of_parent',
  ofReference: 'orders_of_reference',
  ofBatch: 'orders_of_batch',
  scheduledOfWorkspace: 'scheduled_of_workspace',
  scheduledOfWallet: 'scheduled_of_wallet',
  ofTypeBefore: 'orders_of_type_before_transfer',
  ofTypeBehind: 'orders_of_type_behind_transfer',
  due: 'due_orders',
  dueByTime: 'due_orders_by_time',
} as const;

/** Name of the index of the test workspaces in which something is due. */
export const testClocksToWake = 'test_clocks_to_wake';

/** Names of the wallets' indexes that queries ask for. */
export const walletIndexes = {
  ofWorkspace: 'wallets_of_workspace',
  ofStatus: 'wallets_of_status',
  ofCurrency: 'wallets_of_currency',
  ofReference: 'wallet_reference_once',
} as const;

/** Name of the flows' index that queries ask for. */
export const flowIndexes = { byDirection: 'flows_of_workspace_by_direction' } as const;

/** How long events that were sent, or wait, are kept; in the seconds of a TTL index. */
const webhooksKept = { expireAfterSeconds: 30 * 24 * 3_600 };

/**
 * How long a used request is kept; in the seconds of a TTL index. MongoDB counts them from `usedAt`, by the clock of the
 * process that used it. A process whose clock is behind MongoDB's takes the request's timestamp for as much longer, and one
 * that is ahead of it is no worse: its `usedAt` is as much later. So this suffices for a clock that is two days behind.
 */
const signedRequestsKept = { expireAfterSeconds: 2 * 24 * 3_600 + 600 };

/** How long a process is known after it was last heard of; in the seconds of a TTL index. */
const reportsKept = { expireAfterSeconds: 3_600 };

/** Names of the indexes of webhooks that queries ask for. */
export const webhookIndexes = {
  behind: 'endpoints_behind',
  disabled: 'endpoints_disabled',
  dueChecks: 'checks_due',
  looked: 'endpoints_looked_at',
  retries: 'retries_due',
} as const;

/** Endpoints that have something to be sent, however long already. */
export const isBehind = { status: 'ENABLED', behindSince: { $gt: new Date(0) } } as const;

/** Matches entries of the outbox that are still to be sent. The index of `pending` has no key of one that all its endpoints have. */
const isPending = { pending: { $gt: '' } } as const;

const failed = { status: 'FAILED' };

/** The type of most orders, which is in no index of types: a plain transfer has no key more than all lists need. */
const transfers = 'TRANSFER';

/** The index of the orders of a type; undefined for that of most orders. */
export function indexOfType(type: string): string | undefined {
  if (type === transfers) return undefined;
  return type < transfers ? orderIndexes.ofTypeBefore : orderIndexes.ofTypeBehind;
}

/** Orders about which the service has something to do by itself, at a time of their own. */
const due = { dueAt: { $gt: new Date(0) } };

/**
 * Orders that have not ended: of the stored states, in the order of their letters (CANCELLED, COMPLETED, FAILED, PENDING,
 * SCHEDULED, SET_ASIDE), those that are no end. A new state has to keep to that.
 * MongoDB before 6.0 refuses `$in` here; a query for one of these states, or a list of them, is known to ask for nothing that
 * the index lacks.
 */
const unsettled = { status: { $gte: 'PENDING' } };

/**
 * Every collection with its indexes, each with the query it serves. Orders and flows are listed by id: ids are ordered
 * by time, so a range of creation times is a range of ids, and one index serves filter and sort. On a collection that may be
 * sharded, an index that keeps something unique or is counted begins with the shard key: a shard can guard no other
 * uniqueness, and must see from each key that it counts whether the document is its own. What waits in all workspaces is
 * found workspace by workspace too, so that none is looked through for the others.
 */
export const schema: Readonly<Record<string, readonly IndexDeclaration[]>> = {
  // The test workspaces in which something is due; no other has a key.
  workspaces: [
    {
      key: { 'clock.wakeAt': 1 },
      name: testClocksToWake,
      partialFilterExpression: { 'clock.wakeAt': { $gt: new Date(0) } },
    },
  ],
  members: [{ key: { workspaceId: 1, userId: 1 }, name: 'member_once', unique: true }],
  apiKeys: [
    { key: { workspaceId: 1, _id: 1 }, name: 'keys_of_workspace' },
    { key: { 'secrets.masterKeyVersion': 1 }, name: 'keys_by_master_key' },
  ],
  keyBudgets: [{ key: { workspaceId: 1, _id: 1 }, name: 'budgets_of_workspace' }],
  wallets: [
    { key: { workspaceId: 1, _id: -1 }, name: walletIndexes.ofWorkspace },
    // A posting changes no key of these.
    { key: { workspaceId: 1, status: 1, _id: -1 }, name: walletIndexes.ofStatus },
    { key: { workspaceId: 1, currency: 1, status: 1, _id: -1 }, name: walletIndexes.ofCurrency },
    {
      key: { workspaceId: 1, reference: 1 },
      name: walletIndexes.ofReference,
      unique: true,
      partialFilterExpression: { reference: { $exists: true } },
    },
  ],
  orders: [
    { key: { workspaceId: 1, bizId: 1 }, name: 'biz_id_once', unique: true },
    { key: { workspaceId: 1, _id: -1 }, name: orderIndexes.ofWorkspace },
    { key: { workspaceId: 1, wallets: 1, _id: -1 }, name: orderIndexes.ofWallet },
    { key: { workspaceId: 1, status: 1, _id: 1 }, name: orderIndexes.unsettled, partialFilterExpression: unsettled },
    // Only FAILED orders, which are rare among millions, enter these. (The status is in their keys because MongoDB before
    // 5.0 refuses two indexes of one key pattern.)
    {
      key: { workspaceId: 1, status: 1, _id: -1 },
      name: orderIndexes.failedOfWorkspace,
      partialFilterExpression: failed,
    },
    {
      key: { workspaceId: 1, wallets: 1, status: 1, _id: -1 },
      name: orderIndexes.failedOfWallet,
      partialFilterExpression: failed,
    },
    // Keeps a signed create from being recorded twice, even after Redis lost its nonces. The signed time comes before the
    // nonce, which is random, so that keys of one second lie together, however large the index has become.
    {
      key: { workspaceId: 1, 'request.keyId': 1, 'request.timestamp': 1, 'request.nonce': 1 },
      name: orderIndexes.ofRequest,
      unique: true,
      partialFilterExpression: { 'request.timestamp': { $exists: true } },
    },
    // None of these has a key of a plain transfer. (Two indexes hold the types before and behind it by their letters, because
    // a partial index cannot say "not", nor can two have one key pattern before MongoDB 5.0.)
    {
      key: { workspaceId: 1, parentId: 1, _id: -1 },
      name: orderIndexes.ofParent,
      partialFilterExpression: { parentId: { $exists: true } },
    },
    {
      key: { workspaceId: 1, reference: 1, _id: -1 },
      name: orderIndexes.ofReference,
      partialFilterExpression: { reference: { $exists: true } },
    },
    {
      key: { workspaceId: 1, batchId: 1, _id: -1 },
      name: orderIndexes.ofBatch,
      partialFilterExpression: { batchId: { $exists: true } },
    },
    // The SCHEDULED and the CANCELLED ones. (The status runs backwards, because the indexes of FAILED orders have it forwards.)
    {
      key: { workspaceId: 1, status: -1, _id: -1 },
      name: orderIndexes.scheduledOfWorkspace,
      partialFilterExpression: { executeAt: { $exists: true } },
    },
    {
      key: { workspaceId: 1, wallets: 1, status: -1, _id: -1 },
      name: orderIndexes.scheduledOfWallet,
      partialFilterExpression: { executeAt: { $exists: true } },
    },
    {
      key: { workspaceId: 1, type: 1, _id: -1 },
      name: orderIndexes.ofTypeBefore,
      partialFilterExpression: { type: { $lt: transfers } },
    },
    {
      key: { workspaceId: 1, type: 1, _id: 1 },
      name: orderIndexes.ofTypeBehind,
      partialFilterExpression: { type: { $gt: transfers } },
    },
    {
      key: { workspaceId: 1, parentId: 1, status: 1 },
      name: orderIndexes.unsettledOfParent,
      partialFilterExpression: { parentId: { $exists: true }, ...unsettled },
    },
    // The holds and the SCHEDULED orders are told apart by their state, so that neither are read for the others.
    { key: { workspaceId: 1, status: 1, dueAt: 1, _id: 1 }, name: orderIndexes.due, partialFilterExpression: due },
    // Which workspaces have something due: as many keys as are due, however many wait for their time.
    { key: { status: 1, dueAt: 1, workspaceId: 1 }, name: orderIndexes.dueByTime, partialFilterExpression: due },
  ],
  // A flow's id is its wallet and its sequence: the primary key alone lists a wallet's flows, in order and by time.
  flows: [{ key: { workspaceId: 1, direction: 1, _id: -1 }, name: flowIndexes.byDirection }],
  webhookEndpoints: [
    { key: { workspaceId: 1, slot: 1 }, name: 'endpoint_slot_once', unique: true },
    { key: { workspaceId: 1, url: 1 }, name: 'endpoint_url_once', unique: true },
    { key: { 'secrets.masterKeyVersion': 1 }, name: 'endpoints_by_master_key' },
    { key: { nextCheckAt: 1 }, name: webhookIndexes.dueChecks, partialFilterExpression: { status: 'ENABLED' } },
    { key: { behindSince: 1 }, name: webhookIndexes.behind, partialFilterExpression: isBehind },
    { key: { lookedAt: 1 }, name: webhookIndexes.looked, partialFilterExpression: { status: 'ENABLED' } },
    {
      key: { disabledReason: 1, disabledAt: -1 },
      name: webhookIndexes.disabled,
      partialFilterExpression: { status: 'DISABLED' },
    },
  ],
  webhookOutbox: [
    { key: { workspaceId: 1, _id: 1 }, name: 'outbox_of_workspace' },
    { key: { workspaceId: 1, pending: 1, _id: 1 }, name: 'outbox_pending', partialFilterExpression: isPending },
    { key: { createdAt: 1 }, name: 'outbox_kept', ...webhooksKept },
  ],
  // A delivery's id is its endpoint and its event, so deliveries are in the order in which the orders were created.
  webhookDeliveries: [
    { key: { workspaceId: 1, _id: -1 }, name: 'deliveries_of_endpoint' },
    {
      key: { workspaceId: 1, endpointId: 1, nextAttemptAt: 1 },
      name: webhookIndexes.retries,
      partialFilterExpression: { state: 'PENDING' },
    },
    { key: { updatedAt: 1 }, name: 'deliveries_kept', ...webhooksKept },
  ],
  // The primary key, which is made from the request, keeps it from being used twice.
  signedRequests: [{ key: { usedAt: 1 }, name: 'signed_requests_kept', ...signedRequestsKept }],
  currencies: [],
  leases: [],
  masterKeys: [],
  partitioning: [],
  posters: [{ key: { reportedAt: 1 }, name: 'reports_kept', ...reportsKept }],
  // Read by time, which is the order of the ids.
  auditEvents: [
    { key: { workspaceId: 1, _id: -1 }, name: 'events_of_workspace' },
    { key: { actor: 1, _id: -1 }, name: 'events_of_actor' },
    { key: { claimedActor: 1, _id: -1 }, name: 'events_of_claimed_actor' },
    { key: { action: 1, _id: -1 }, name: 'events_of_action' },
    // What happened to one thing, among all that the workspace's clients change.
    ...Object.entries({
      walletId: 'events_of_wallet',
      key: 'events_of_key',
      transferId: 'events_of_order',
      transferIds: 'events_of_orders',
    }).map(([field, name]) => ({
      key: { workspaceId: 1, [`subject.${field}`]: 1, _id: -1 } as const,
      name,
      partialFilterExpression: { [`subject.${field}`]: { $exists: true } },
    })),
  ],
};

/**
 * Lays out a new database, or adds what this release adds: creates what is missing, and replaces validators of an older
 * release. Every process does this when it starts. Safe to repeat and to run from several processes at once; each returns
 * once all is there, whoever made it. Collections are created here, because one that a write creates has no validator. A
 * validator that is right already is not set again: even a change with nothing to do could queue for a lock behind an open
 * transaction, and everything else would queue behind it.
 * @param isUpgrade whether a database of the version before is brought along; nobody may run that release any more.
 * @throws SchemaTooNewError, SchemaTooOldError other code has laid out the database; IndexConflictError an index differs
 * from its declaration.
 */
export async function ensureSchema(db: Db, isUpgrade = false): Promise<void> {
  await refuseOtherVersion(db, isUpgrade);
  await claimValidators(db);
  const listed = await db.listCollections({}, { nameOnly: false }).toArray();
  const existing = new Map(listed.map(({ name, options = {} }) => [name, options]));
  for (const [name, indexes] of Object.entries(schema)) {
    const validation = validationOf(name);
    const stored = existing.get(name);
    if (stored === undefined) {
      await db.createCollection(name, validation).catch((error: unknown) => {
        // Another process was faster.
        if (!isServerError(error, 'NamespaceExists')) throw error;
      });
    }
    // Claimed again, because a newer process may have started since the collections were listed.
    if (stored !== undefined && !isIn(validation, stored) && (await claimValidators(db))) {
      await db.command({ collMod: name, ...validation });
    }
    await ensureIndexes(db.collection(name), indexes);
  }
  await recordSchemaVersion(db);
}

/**
 * As {@link ensureSchema}, but by one read where the database has this code's version: two commands for each collection would
 * take a command line longer than its own work. What a release adds to a version, `admin schema apply` and every process add.
 */
export async function ensureLaidOut(db: Db): Promise<void> {
  if ((await storedSchemaVersion(db)) !== schemaVersion) await ensureSchema(db);
}

/** Makes MongoDB refuse wrong inserts and updates; empty for a collection that holds neither money nor keys. */
function validationOf(name: string): Document {
  const validator = validators[name];
  return validator === undefined ? {} : { validator, validationLevel: 'strict', validationAction: 'error' };
}

function isIn(wanted: Document, options: Document): boolean {
  return Object.entries(wanted).every(([option, value]) => isDeepStrictEqual(options[option], value));
}
