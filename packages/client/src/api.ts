import type { components, operations, paths } from './openapi.ts';

type Schemas = components['schemas'];

export type Wallet = Schemas['Wallet'];
export type Balance = Schemas['Balance'];
export type Flow = Schemas['Flow'];
export type StatementEntry = Schemas['StatementEntry'];
export type Order = Schemas['Order'];
export type Key = Schemas['Key'];
export type Webhook = Schemas['Webhook'];
export type WebhookWithSecret = Schemas['WebhookWithSecret'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type ErrorCode = Schemas['ErrorCode'];
export type ErrorReason = Schemas['ErrorReason'];

/** The figures of a statement's whole range. */
export type StatementTotals = Omit<Schemas['Statement'], 'items' | 'nextCursor'>;

/** How a transfer would end, and its wallets as it would leave them. */
export type Preview = Schemas['Preview'];
/** Why a line of a batch has no order. */
export type LineError = Schemas['RefusedLine'];

type Body<
  Name extends
    | 'createTransfer'
    | 'deposit'
    | 'withdraw'
    | 'reverseTransfer'
    | 'holdAmount'
    | 'captureHold'
    | 'releaseHold'
    | 'createWallet',
> = operations[Name]['requestBody']['content']['application/json'];

/* The bodies of commands; `bizId` is made where it is absent. */
export type NewTransfer = Body<'createTransfer'>;
export type NewDeposit = Body<'deposit'>;
export type NewWithdrawal = Body<'withdraw'>;
export type NewReversal = Body<'reverseTransfer'>;
export type NewHold = Body<'holdAmount'>;
export type NewCapture = Body<'captureHold'>;
export type NewRelease = Body<'releaseHold'>;

/** What a wallet is made of. */
export type NewWallet = Body<'createWallet'>;

/** Where to send which events. */
export type NewWebhook = Schemas['CreateWebhook'];

type Replay = Required<Schemas['ReplayWebhook']>;
/** One event, or all that was settled since a time (ISO 8601, with a zone). */
export type WebhookReplay = Pick<Replay, 'eventId'> | Pick<Replay, 'since'>;

type Filters<Name extends keyof operations> = Omit<
  NonNullable<operations[Name]['parameters']['query']>,
  'page' | 'cursor'
>;
export type WalletFilters = Filters<'listWallets'>;
export type BalanceMoment = NonNullable<operations['getBalance']['parameters']['query']>;
export type StatementRange = Filters<'getStatement'> & { from: string; to: string };
export type FlowFilters = Filters<'listFlows'>;
export type DeliveryFilters = Filters<'listWebhookDeliveries'>;
export type OrderFilters = Filters<'listOrders'>;

type Verb = 'get' | 'post';

/** The paths of the API that have this method. */
export type PathOf<Method extends Uppercase<Verb>> = {
  [Path in keyof paths]: paths[Path] extends Record<Lowercase<Method>, object> ? Path : never;
}[keyof paths];

/** What a success of this endpoint holds as `data`. */
export type DataOf<Method extends Uppercase<Verb>, Path extends PathOf<Method>> = paths[Path][Lowercase<Method> &
  keyof paths[Path]] extends { responses: { 200: { content: { 'application/json': { data: infer Data } } } } }
  ? Data
  : unknown;
