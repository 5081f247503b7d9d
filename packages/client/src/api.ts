import type { components, LaterType, operations, webhooks } from './openapi.ts';

type Schemas = components['schemas'];

export type Wallet = Schemas['Wallet'];
export type WalletLimits = Schemas['WalletLimits'];
export type WalletAlerts = Schemas['WalletAlerts'];
export type Balance = Schemas['Balance'];
export type Flow = Schemas['Flow'];
export type StatementEntry = Schemas['StatementEntry'];
/** Its `type` tells what else it has; an order of a type that this version does not know is a LaterOrder. */
export type Order = Schemas['Order'];
export type TransferOrder = Schemas['TransferOrder'];
export type DepositOrder = Schemas['DepositOrder'];
export type WithdrawalOrder = Schemas['WithdrawalOrder'];
export type JournalOrder = Schemas['JournalOrder'];
export type ReversalOrder = Schemas['ReversalOrder'];
export type HoldOrder = Schemas['HoldOrder'];
export type CaptureOrder = Schemas['CaptureOrder'];
export type ReleaseOrder = Schemas['ReleaseOrder'];
export type LaterOrder = Schemas['LaterOrder'];
export type OrderLeg = Schemas['OrderLeg'];
export type Key = Schemas['Key'];
export type Webhook = Schemas['Webhook'];
export type WebhookWithSecret = Schemas['WebhookWithSecret'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type TestClock = Schemas['TestClock'];
export type TestClockAdvance = Schemas['TestClockAdvance'];
export type ErrorCode = Schemas['ErrorCode'];
export type ErrorReason = Schemas['ErrorReason'];

/** The figures of a statement's whole range. */
export type StatementTotals = Omit<Schemas['Statement'], 'items' | 'nextCursor'>;

/** How an order would end, and its wallets as it would leave them. */
export type Preview = Schemas['Preview'];
/** Why a line of a batch has no order. */
export type LineError = Schemas['RefusedLine'];

/** What is described as an ISO 8601 text may be given as a Date too. */
type WithDates<Given> = {
  [Name in keyof Given]: Name extends 'executeAt' | 'expiresAt' | 'since' | 'at' | 'from' | 'to'
    ? Given[Name] | Date
    : Given[Name];
};

type Body<
  Name extends
    | 'createTransfer'
    | 'deposit'
    | 'withdraw'
    | 'createJournal'
    | 'reverseTransfer'
    | 'holdAmount'
    | 'captureHold'
    | 'releaseHold'
    | 'createWallet',
> = WithDates<operations[Name]['requestBody']['content']['application/json']>;

/* The bodies of commands; `bizId` is made where it is absent. */
export type NewTransfer = Body<'createTransfer'>;
export type NewDeposit = Body<'deposit'>;
export type NewWithdrawal = Body<'withdraw'>;
export type NewJournal = Body<'createJournal'>;
export type JournalLeg = Schemas['JournalLeg'];
export type NewReversal = Body<'reverseTransfer'>;
export type ReverseLeg = Schemas['ReverseLeg'];
export type NewHold = Body<'holdAmount'>;
export type NewCapture = Body<'captureHold'>;
export type CaptureLeg = Schemas['CaptureLeg'];
export type NewRelease = Body<'releaseHold'>;
/** The body of any command, with the `type` of order that it makes: TRANSFER, if it does not say. */
export type NewOrder = WithDates<Schemas['AnyCommand']>;

/** What a wallet is made of. */
export type NewWallet = Body<'createWallet'>;
export type WalletUpdate = Schemas['UpdateWallet'];
export type NewLimit = Schemas['NewLimit'];
export type NewAlert = Schemas['NewAlert'];

/** Where to send which events. */
export type NewWebhook = Schemas['CreateWebhook'];

type Replay = WithDates<Required<Schemas['ReplayWebhook']>>;
/** One event, or all that was settled since a time. */
export type WebhookReplay = Pick<Replay, 'eventId'> | Pick<Replay, 'since'>;

type Filters<Name extends keyof operations> = WithDates<
  Omit<NonNullable<operations[Name]['parameters']['query']>, 'page' | 'cursor'>
>;
export type WalletFilters = Filters<'listWallets'>;
export type BalanceMoment = Filters<'getBalance'>;
export type StatementRange = Filters<'getStatement'> & { from: string | Date; to: string | Date };
export type FlowFilters = Filters<'listFlows'>;
export type DeliveryFilters = Filters<'listWebhookDeliveries'>;
export type OrderFilters = Filters<'listOrders'>;

type Message = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

interface EventId {
  /** The same at every delivery of this event: who has seen it passes over it. */
  readonly id: string;
}

/** An event that this version knows. */
export type KnownWebhookEvent = Readonly<Message> & EventId;

/** An event of a type that only a later service knows: what its `data` is, this version cannot tell. */
export interface UnknownWebhookEvent extends EventId {
  readonly type: LaterType;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  /** Of a test workspace; absent for others. */
  readonly test?: true;
  readonly data: unknown;
}

/** What the service tells of. `type` tells what `data` is. */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;
