import type { ErrorCode, ErrorReason, Order, TestClockAdvance } from './api.ts';

/** Everything that this package throws, but what a caller's own signal was aborted with. No error holds a secret. */
export class ClientError extends Error {
  override name = 'ClientError';
}

/** The package was used wrongly; nothing was sent. The message says how to use it. */
export class UsageError extends ClientError {
  override name = 'UsageError';
}

/** A known symbol, or one of a later server. */
type OrLater<Known extends string> = Known | (string & {});

interface Refusal {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly reason: string | undefined;
  readonly field: string | undefined;
  readonly value: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly serverTime: number;
}

/** The service refused. Branch on `code`, or on `reason`, which is finer. */
export class ApiError extends ClientError {
  override name = 'ApiError';
  readonly status: number;
  readonly code: OrLater<ErrorCode>;
  /** Why, in a symbol that stays; undefined where the server does not say. */
  readonly reason: OrLater<ErrorReason> | undefined;
  /** The field, path part, query parameter or header at fault. */
  readonly field: string | undefined;
  /** What helps to mend it, such as the scope that was missing. */
  readonly value: string | undefined;
  /** The service's own sentence, or its symbol where no locale was asked for. */
  readonly serverMessage: string;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds after which a repetition makes sense. */
  readonly retryAfterSeconds: number | undefined;
  /** In milliseconds since the Unix epoch. */
  readonly serverTime: number;

  constructor({ method, path, message, ...told }: Refusal) {
    const { status, code, reason, field, value } = told;
    const details = [
      ...(reason === undefined ? [] : [`reason ${reason}`]),
      ...(field === undefined ? [] : [`field ${field}`]),
      ...(value === undefined ? [] : [`value ${value}`]),
    ];
    const inBrackets = details.length === 0 ? '' : ` (${details.join(', ')})`;
    super(`${method} ${path}: HTTP ${status} ${code} ${message}${inBrackets}`);
    this.status = status;
    this.code = code;
    this.reason = reason;
    this.field = field;
    this.value = value;
    this.serverMessage = message;
    this.requestId = told.requestId;
    this.retryAfterSeconds = told.retryAfterSeconds;
    this.serverTime = told.serverTime;
  }
}

/** What answered is not the service, or not whole: a proxy's page, another JSON, a redirect, an answer without an end. */
export class UnexpectedAnswerError extends ClientError {
  override name = 'UnexpectedAnswerError';
  readonly status: number;
  /** The first {@link receivedCharactersMax} characters of what came. */
  readonly received: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, received: { status: number; text: string; retryAfterSeconds?: number | undefined }) {
    super(message);
    this.status = received.status;
    this.received = received.text.slice(0, receivedCharactersMax);
    this.retryAfterSeconds = received.retryAfterSeconds;
  }
}

const receivedCharactersMax = 500;

/** No answer came: the connection could not be made, broke off, or took too long. Whether the service acted is not known. */
export class ConnectionError extends ClientError {
  override name = 'ConnectionError';
  readonly isTimeout: boolean;

  constructor(message: string, options: { isTimeout: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.isTimeout = options.isTimeout;
  }
}

/** The order ended FAILED: it moved nothing, and never will. */
export class TransferFailedError extends ClientError {
  override name = 'TransferFailedError';
  readonly order: Order;
  /** Such as TR4223 for too little balance. */
  readonly code: NonNullable<Order['failure']>['code'] | undefined;

  constructor(order: Order) {
    const { code, message } = order.failure ?? {};
    super(`Transfer ${order.transferId} (bizId ${order.bizId}) failed: ${code ?? 'no code'} ${message ?? ''}`.trim());
    this.order = order;
    this.code = code;
  }
}

/** The order was cancelled before its time came: it moved nothing, and never will. */
export class TransferCancelledError extends ClientError {
  override name = 'TransferCancelledError';
  readonly order: Order;

  constructor(order: Order) {
    super(`Transfer ${order.transferId} (bizId ${order.bizId}) was cancelled.`);
    this.order = order;
  }
}

/** The order is stored and had no end yet when the wait was over: wait again by its id. It is not lost. */
export class StillPendingError extends ClientError {
  override name = 'StillPendingError';
  readonly order: Order;

  constructor(order: Order, waitedMs: number) {
    super(`Transfer ${order.transferId} (bizId ${order.bizId}) is still ${order.status} after ${waitedMs} ms.`);
    this.order = order;
  }
}

export type ClockFault = 'ANSWER_LOST' | 'NO_PROGRESS';

/** Where a test workspace's clock stands is not known, or it does not come further. Ask the clock, and go on with `to`. */
export class ClockError extends ClientError {
  override name = 'ClockError';
  readonly reason: ClockFault;
  /** How far it came; undefined where that is not known. */
  readonly advance: TestClockAdvance | undefined;

  constructor(
    reason: ClockFault,
    message: string,
    { advance, cause }: { advance?: TestClockAdvance; cause?: unknown },
  ) {
    super(message, { cause });
    this.reason = reason;
    this.advance = advance;
  }
}

export type WebhookFault = 'HEADER_MISSING' | 'TIMESTAMP_OFF' | 'SIGNATURE_INVALID' | 'BODY_NOT_AN_EVENT';

/** What came is not an event of the service, or is too old: answer it 400, and do nothing. */
export class WebhookError extends ClientError {
  override name = 'WebhookError';
  readonly reason: WebhookFault;

  constructor(reason: WebhookFault, message: string) {
    super(message);
    this.reason = reason;
  }
}
