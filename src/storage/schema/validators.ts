import type { Document } from 'mongodb';
import { alertStates } from '../../domain/alerts.ts';
import { orderStatuses } from '../../orders/order.ts';
import { directions, walletStatuses } from '../../domain/wallet.ts';
import { scopes } from '../../domain/scopes.ts';

const text = { bsonType: 'string' };
const time = { bsonType: 'date' };
const timeOrNull = { bsonType: ['date', 'null'] };
const amount = { bsonType: 'decimal' };
const amountFromZero = { bsonType: 'decimal', minimum: 0 };
const amountAboveZero = { bsonType: 'decimal', minimum: 0, exclusiveMinimum: true };
/** A sum of amounts, which may have more digits than a Decimal128: text in plain notation. */
const sum = { bsonType: 'string', pattern: '^(0|[1-9][0-9]*)([.][0-9]+)?$' };
const none = { bsonType: 'null' };
const window = { bsonType: ['string', 'object'] };
/** The driver writes a whole number as one of these, by its size. */
const count = { bsonType: ['int', 'long', 'double'], minimum: 0 };
/** Of a part of a sum, which may be below zero. */
const change = { bsonType: count.bsonType };
const oneOf = (values: readonly string[]): Document => ({ enum: [...values] });

/** An object with any fields, whose values are all of one form. */
const mapOf = (values: Document): Document => ({ bsonType: 'object', additionalProperties: values });
/** Numbers of orders by type and state. */
const orderCounts = mapOf(mapOf(count));

/** Other fields are allowed, so that a release that adds one is not refused while older processes run. */
function object(required: Record<string, Document>, optional: Record<string, Document> = {}): Document {
  return { bsonType: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

const limit = object({ name: text, window, since: count }, { amount: sum, count });
const limitUse = object({ name: text, currency: text, window, used: text, usedCount: count }, { amount: sum, count });
const alert = object({ name: text, state: oneOf(alertStates), since: time }, { limitUsed: { bsonType: 'object' } });

const wallet = object(
  {
    _id: text,
    workspaceId: text,
    name: text,
    currency: text,
    kind: oneOf(['STANDARD', 'EXTERNAL']),
    status: oneOf(walletStatuses),
    balance: amount,
    sequence: count,
    flowHash: text,
    lastFlowAt: time,
    debitFlows: count,
    debits: sum,
    orders: orderCounts,
    version: count,
    createdAt: time,
    updatedAt: time,
  },
  {
    held: amountFromZero,
    openHolds: count,
    creditLimit: amountFromZero,
    debitOrders: count,
    limits: { bsonType: 'array', items: limit },
    alerts: { bsonType: 'array', items: alert },
    alertEvents: count,
    reference: text,
    metadata: text,
  },
);

/** Only an EXTERNAL wallet may have less than nothing available. Most wallets have neither holds nor credit: they come first. */
const hasWhatItSpends = {
  $or: [
    { held: { $exists: false }, creditLimit: { $exists: false }, balance: { $gte: 0 } },
    { kind: { $in: ['EXTERNAL', 'TOTALS'] } },
    { $expr: { $gte: [{ $add: ['$balance', { $ifNull: ['$creditLimit', 0] }] }, { $ifNull: ['$held', 0] }] } },
  ],
};

/** A part of a workspace's totals, stored beside its wallets. */
const totals = object(
  { _id: text, workspaceId: text, kind: oneOf(['TOTALS']) },
  { orders: mapOf(mapOf(mapOf(change))), wallets: mapOf(mapOf(change)), budgets: count },
);

/** Not set aside. (The release before told it by this field alone, and left the order PENDING.) */
const isWaiting = { not: { required: ['stuckSince'] } };

/** What an order has, or each of its legs. */
const ofOneLeg = { sourceWalletId: text, targetWalletId: text, amount: amountAboveZero, currency: text };

const order = {
  ...object(
    {
      _id: text,
      bizId: text,
      workspaceId: text,
      type: text,
      wallets: { bsonType: 'array', items: text },
      status: oneOf([...orderStatuses, 'SET_ASIDE']),
      failure: { bsonType: ['string', 'null'] },
      createdAt: time,
      updatedAt: time,
      completedAt: timeOrNull,
    },
    {
      ...ofOneLeg,
      currency: { bsonType: ['string', 'array'], items: text },
      legs: {
        bsonType: 'array',
        items: object(ofOneLeg, { description: text, parentLeg: count }),
      },
      failureLeg: count,
      failureLimit: limitUse,
      apiKey: text,
      budgets: count,
      terms: mapOf(text),
      parentId: text,
      executeAt: time,
      batchId: text,
      otherIds: { bsonType: 'array', items: text },
      firstId: text,
      expiresAt: time,
      dueAt: timeOrNull,
      digest: text,
      description: text,
      reference: text,
      metadata: text,
      progress: {
        anyOf: [
          object({
            reversed: amountFromZero,
            captured: amountFromZero,
            released: amountFromZero,
            hasExpired: { bsonType: 'bool' },
            changes: count,
          }),
          object({ reversedLegs: { bsonType: 'array', items: amountFromZero }, changes: count }),
        ],
      },
      request: object({ keyId: text, nonce: text }, { timestamp: count }),
      postedBy: object({ worker: text, attempts: count }),
    },
  ),
  allOf: [{ anyOf: [{ required: Object.keys(ofOneLeg) }, { required: ['currency', 'legs'] }] }],
  anyOf: [
    { ...isWaiting, properties: { status: oneOf(['PENDING']), failure: none, completedAt: none } },
    object({ status: oneOf(['SCHEDULED', 'CANCELLED']), executeAt: time, failure: none, completedAt: none }),
    object({ status: oneOf(['SET_ASIDE']), stuckSince: time, failure: none, completedAt: none }),
    { properties: { status: oneOf(['COMPLETED']), failure: none, completedAt: time } },
    { properties: { status: oneOf(['FAILED']), failure: text, completedAt: none } },
  ],
};

/** Lets a fault be noted on any PENDING order, and the order be set aside with its batch, however wrong it is. */
const fault = { bsonType: 'object' };
const faultyOrders = [
  { ...object({ status: oneOf(['PENDING']), fault }), ...isWaiting },
  object({ status: oneOf(['SET_ASIDE']), fault, stuckSince: time }),
];

const flow = object(
  {
    _id: text,
    workspaceId: text,
    walletId: text,
    sequence: count,
    direction: oneOf(directions),
    amount: amountAboveZero,
    currency: text,
    balanceBefore: amount,
    balanceAfter: amount,
    debits: sum,
    transferId: text,
    counterpartyWalletId: text,
    createdAt: time,
    hash: text,
  },
  { leg: count, debitOrders: count },
);

const apiKey = object(
  {
    _id: text,
    workspaceId: text,
    ownerId: text,
    scopes: { bsonType: 'array', items: oneOf(scopes) },
    status: oneOf(['ENABLED', 'DISABLED']),
    ipWhitelist: { bsonType: 'array', items: text },
    secrets: {
      bsonType: 'array',
      items: object({
        masterKeyVersion: count,
        sealed: { bsonType: 'binData' },
        createdAt: time,
        expiresAt: timeOrNull,
      }),
    },
    createdAt: time,
    updatedAt: time,
  },
  { rate: { ...object({ perSecond: count, burst: count }), bsonType: ['object', 'null'] } },
);

const budget = object(
  { name: text, currency: text, amount: sum, window, since: count, from: time, used: sum, usedCount: count },
  { count },
);
const keyBudgets = object({
  _id: text,
  workspaceId: text,
  budgets: { bsonType: 'array', items: budget },
  version: count,
  changes: count,
});

const testClock = object({ at: time, since: time, wakeAt: timeOrNull }, { advance: object({ from: time, to: time }) });

/** Rises with every change of a validator below, so that a process of an older release leaves the newer ones alone. */
export const validatorsVersion = 15;

/**
 * What MongoDB itself refuses to store (DocumentValidationFailure, 121), whoever writes it: the last line of defence
 * against a wrong writer of money or keys. Source: MongoDB manual, "Schema Validation", "$jsonSchema".
 */
export const validators: Readonly<Record<string, Document>> = {
  workspaces: {
    $jsonSchema: object({ _id: text, name: text, createdAt: time, deletedAt: timeOrNull }, { clock: testClock }),
  },
  members: { $jsonSchema: object({ _id: text, workspaceId: text, userId: text, createdAt: time }) },
  apiKeys: { $jsonSchema: apiKey },
  keyBudgets: { $jsonSchema: keyBudgets },
  wallets: { $jsonSchema: { anyOf: [wallet, totals] }, ...hasWhatItSpends },
  orders: { $jsonSchema: { anyOf: [order, ...faultyOrders] } },
  flows: { $jsonSchema: flow },
};
