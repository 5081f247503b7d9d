/**
 * The one catalogue of everything a client can be told went wrong: code, HTTP status, symbolic message, and when.
 * Source: docs/contract.md, "The eight steps" and "Codes".
 */
export const catalogue = {
  API_KEY_MISSING: { code: 'GA2001', status: 401, message: 'API_KEY_MISSING', when: 'X-Api-Key is missing or empty' },
  API_KEY_NOT_FOUND: { code: 'GA2011', status: 401, message: 'API_KEY_NOT_FOUND', when: 'no such key' },
  SIGNATURE_INVALID: {
    code: 'GA2012',
    status: 401,
    message: 'SIGNATURE_INVALID',
    when: 'X-Signature is not the signature of this request',
  },
  TIMESTAMP_EXPIRED: {
    code: 'GA2013',
    status: 401,
    message: 'TIMESTAMP_EXPIRED',
    when: 'X-Timestamp is malformed or more than 60 s off, or X-Nonce is malformed or already used',
  },
  API_KEY_DISABLED: {
    code: 'GA2021',
    status: 403,
    message: 'API_KEY_DISABLED',
    when: 'an administrator disabled the key',
  },
  IP_NOT_WHITELISTED: {
    code: 'GA2022',
    status: 403,
    message: 'IP_NOT_WHITELISTED',
    when: "the client's address is not on the key's whitelist",
  },
  SCOPE_MISSING: {
    code: 'GA2024',
    status: 403,
    message: 'API_ACCESS_DENIED',
    when: 'the key lacks the scope that the endpoint declares',
  },
  WORKSPACE_NOT_FOUND: {
    code: 'GA2032',
    status: 404,
    message: 'WORKSPACE_NOT_FOUND',
    when: "the key's workspace does not exist",
  },
  NOT_WORKSPACE_MEMBER: {
    code: 'GA2034',
    status: 403,
    message: 'NOT_WORKSPACE_MEMBER',
    when: "the key's owner is no longer a member of its workspace",
  },
  ACCESS_DENIED: {
    code: '50090201',
    status: 403,
    message: 'API_ACCESS_DENIED',
    when: 'the method and path declare no scope',
  },
  VALIDATION_FAILED: {
    code: 'RQ4001',
    status: 400,
    message: 'VALIDATION_FAILED',
    when: 'a field, a path part or a query parameter is not of its form',
  },
  PAGE_TOO_DEEP: {
    code: 'RQ4001',
    status: 400,
    message: 'VALIDATION_FAILED',
    when: 'more than 10,000 rows lie before the `page` that was asked for; go on with `cursor` instead',
  },
  MALFORMED_BODY: {
    code: 'RQ4002',
    status: 400,
    message: 'MALFORMED_BODY',
    when: 'the body is not one JSON object in UTF-8, or the request is malformed (408: late; 431: headers too large)',
  },
  BODY_TOO_LARGE: { code: 'RQ4131', status: 413, message: 'BODY_TOO_LARGE', when: 'the body is larger than 64 KiB' },
  UNSUPPORTED_MEDIA_TYPE: {
    code: 'RQ4151',
    status: 415,
    message: 'UNSUPPORTED_MEDIA_TYPE',
    when: 'a body that is not application/json in UTF-8, or is compressed',
  },
  RATE_LIMITED: { code: 'RQ4291', status: 429, message: 'RATE_LIMITED', when: 'too many requests; see Retry-After' },
  WALLET_NOT_FOUND: {
    code: 'WA4041',
    status: 404,
    message: 'WALLET_NOT_FOUND',
    when: 'the workspace has no such wallet',
  },
  WALLET_NOT_ACTIVE: {
    code: 'WA4221',
    status: 422,
    message: 'WALLET_NOT_ACTIVE',
    when: 'a wallet of the transfer is frozen or closed',
  },
  TRANSFER_NOT_FOUND: {
    code: 'TR4041',
    status: 404,
    message: 'TRANSFER_NOT_FOUND',
    when: 'the workspace has no such transfer order',
  },
  BIZ_ID_CONFLICT: {
    code: 'TR4091',
    status: 409,
    message: 'BIZ_ID_CONFLICT',
    when: 'the bizId belongs to an order with other values',
  },
  SAME_WALLET: { code: 'TR4221', status: 422, message: 'SAME_WALLET', when: 'source and target are one wallet' },
  CURRENCY_MISMATCH: {
    code: 'TR4222',
    status: 422,
    message: 'CURRENCY_MISMATCH',
    when: 'the currency is not that of both wallets',
  },
  INSUFFICIENT_BALANCE: {
    code: 'TR4223',
    status: 422,
    message: 'INSUFFICIENT_BALANCE',
    when: "in an order's failure only: the source held too little when the order was posted",
  },
  BALANCE_LIMIT: {
    code: 'TR4224',
    status: 422,
    message: 'BALANCE_LIMIT',
    when: "in an order's failure only: a balance would have passed 34 digits",
  },
  INTERNAL_ERROR: { code: 'SY5001', status: 500, message: 'INTERNAL_ERROR', when: 'a fault of the service' },
  UNAVAILABLE: {
    code: 'SY5031',
    status: 503,
    message: 'UNAVAILABLE',
    when: 'a server behind the service is away or overloaded; see Retry-After',
  },
} as const satisfies Record<string, CatalogueEntry>;

interface CatalogueEntry {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly when: string;
}

export type ErrorName = keyof typeof catalogue;

interface ServiceErrorOptions {
  /** The field, path part or query parameter at fault, for a sentence shown to the client. */
  readonly field?: string;
  /** After how many seconds a retry makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** The value of the `RateLimit` header. */
  readonly rateLimit?: string;
  /** Why, for the log alone; never sent to a client. */
  readonly cause?: unknown;
}

/**
 * An answer of the catalogue, thrown. What a client sees of it is the catalogue's code, status and message, and `field`.
 */
export class ServiceError extends Error {
  readonly errorName: ErrorName;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly rateLimit: string | undefined;

  constructor(errorName: ErrorName, options: ServiceErrorOptions = {}) {
    super(catalogue[errorName].message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.errorName = errorName;
    this.field = options.field;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.rateLimit = options.rateLimit;
  }
}
