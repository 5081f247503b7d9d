/** What a code is, whatever the reason: its HTTP status and its symbolic message. */
const codes = {
  GA2001: { code: 'GA2001', status: 401, message: 'API_KEY_MISSING' },
  GA2011: { code: 'GA2011', status: 401, message: 'API_KEY_NOT_FOUND' },
  GA2012: { code: 'GA2012', status: 401, message: 'SIGNATURE_INVALID' },
  GA2013: { code: 'GA2013', status: 401, message: 'TIMESTAMP_EXPIRED' },
  GA2021: { code: 'GA2021', status: 403, message: 'API_KEY_DISABLED' },
  GA2022: { code: 'GA2022', status: 403, message: 'IP_NOT_WHITELISTED' },
  GA2024: { code: 'GA2024', status: 403, message: 'API_ACCESS_DENIED' },
  GA2032: { code: 'GA2032', status: 404, message: 'WORKSPACE_NOT_FOUND' },
  GA2034: { code: 'GA2034', status: 403, message: 'NOT_WORKSPACE_MEMBER' },
  50090201: { code: '50090201', status: 403, message: 'API_ACCESS_DENIED' },
  RQ4001: { code: 'RQ4001', status: 400, message: 'VALIDATION_FAILED' },
  RQ4002: { code: 'RQ4002', status: 400, message: 'MALFORMED_BODY' },
  RQ4131: { code: 'RQ4131', status: 413, message: 'BODY_TOO_LARGE' },
  RQ4151: { code: 'RQ4151', status: 415, message: 'UNSUPPORTED_MEDIA_TYPE' },
  RQ4291: { code: 'RQ4291', status: 429, message: 'RATE_LIMITED' },
  WA4041: { code: 'WA4041', status: 404, message: 'WALLET_NOT_FOUND' },
  WA4221: { code: 'WA4221', status: 422, message: 'WALLET_NOT_ACTIVE' },
  TR4041: { code: 'TR4041', status: 404, message: 'TRANSFER_NOT_FOUND' },
  TR4091: { code: 'TR4091', status: 409, message: 'BIZ_ID_CONFLICT' },
  TR4221: { code: 'TR4221', status: 422, message: 'SAME_WALLET' },
  TR4222: { code: 'TR4222', status: 422, message: 'CURRENCY_MISMATCH' },
  TR4223: { code: 'TR4223', status: 422, message: 'INSUFFICIENT_BALANCE' },
  TR4224: { code: 'TR4224', status: 422, message: 'BALANCE_LIMIT' },
  WH4041: { code: 'WH4041', status: 404, message: 'WEBHOOK_NOT_FOUND' },
  WH4042: { code: 'WH4042', status: 404, message: 'WEBHOOK_EVENT_NOT_FOUND' },
  WH4091: { code: 'WH4091', status: 409, message: 'WEBHOOK_EXISTS' },
  WH4221: { code: 'WH4221', status: 422, message: 'WEBHOOK_LIMIT' },
  SY5001: { code: 'SY5001', status: 500, message: 'INTERNAL_ERROR' },
  SY5031: { code: 'SY5031', status: 503, message: 'UNAVAILABLE' },
} as const;

/** As an entry's `field`: whichever was at fault, by its name. */
export const namedField = 'its name';

/**
 * Which requests can meet an error: any request; one that has a query or body to be read; one to an endpoint that names the
 * error; or none, because it is only seen in the `failure` of an order.
 */
type MetBy = 'request' | 'input' | 'endpoint' | 'order';

interface CatalogueEntry {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly metBy: MetBy;
  readonly when: string;
  /** `X-Error-Field`: a header's name, or {@link namedField}. */
  readonly field?: string;
  /** What `X-Error-Value` tells, in words. */
  readonly value?: string;
}

const key = { metBy: 'request', field: 'X-Api-Key' } as const;
const timestamp = { ...codes.GA2013, metBy: 'request', field: 'X-Timestamp' } as const;
const nonce = { ...codes.GA2013, metBy: 'request', field: 'X-Nonce' } as const;
const signature = { ...codes.GA2012, metBy: 'request', field: 'X-Signature' } as const;
const request = { metBy: 'request' } as const;
const body = { ...codes.RQ4002, metBy: 'input' } as const;
const input = { ...codes.RQ4001, metBy: 'input', field: namedField } as const;
const amount = { ...codes.RQ4001, metBy: 'endpoint', field: namedField } as const;
const endpoint = { metBy: 'endpoint', field: namedField } as const;
const away = { ...codes.SY5031, metBy: 'request' } as const;
const busy = { ...codes.SY5031, metBy: 'endpoint' } as const;
const inOrder = { metBy: 'order' } as const;

/**
 * Everything a client can be told went wrong, by its reason: the symbol that `X-Error-Reason` carries. Several reasons may
 * share a code. Those of the first six steps say of a request only what its sender knows, or what the code says already.
 * Source: docs/contract.md, "The eight steps" and "Codes".
 */
export const catalogue = {
  API_KEY_MISSING: { ...codes.GA2001, ...key, when: 'the header is missing or empty' },
  API_KEY_NOT_FOUND: { ...codes.GA2011, ...key, when: 'no such key' },
  API_KEY_DISABLED: { ...codes.GA2021, ...key, when: 'an administrator disabled the key' },
  WORKSPACE_NOT_FOUND: { ...codes.GA2032, ...request, when: "the key's workspace does not exist" },
  NOT_WORKSPACE_MEMBER: { ...codes.GA2034, ...request, when: "the key's owner is no longer a member of its workspace" },
  TIMESTAMP_MISSING: { ...timestamp, when: 'the header is missing or empty' },
  TIMESTAMP_MALFORMED: { ...timestamp, when: 'not a Unix time in whole seconds, or sent twice' },
  TIMESTAMP_OFF: {
    ...timestamp,
    when: "more than 60 s before or after the server's time",
    value: "the server's Unix time in seconds",
  },
  NONCE_MISSING: { ...nonce, when: 'the header is missing or empty' },
  NONCE_MALFORMED: { ...nonce, when: 'not 1 to 128 printable ASCII characters, or sent twice' },
  NONCE_REUSED: { ...nonce, when: 'the key has used it before' },
  SIGNATURE_MISSING: { ...signature, when: 'the header is missing or empty' },
  SIGNATURE_MALFORMED: {
    ...signature,
    when: 'not the padded standard base64 of 32 bytes, or sent twice',
  },
  SIGNATURE_MISMATCH: {
    ...signature,
    when: 'the signature of another message, or by another secret',
    value: 'what was received: method, path, and the SHA-256 of the body in hexadecimal',
  },
  KEY_RATE_EXCEEDED: { ...codes.RQ4291, ...request, when: 'the key makes too many requests; see Retry-After' },
  ADDRESS_RATE_EXCEEDED: {
    ...codes.RQ4291,
    ...request,
    when: 'authentication failed too often from this address; see Retry-After',
  },
  IP_NOT_WHITELISTED: {
    ...codes.GA2022,
    ...request,
    when: "the client's address is not on the key's whitelist",
    value: 'the address as seen, where it is known',
  },
  SCOPE_MISSING: {
    ...codes.GA2024,
    ...request,
    when: 'the key lacks the scope that the endpoint declares',
    value: 'that scope',
  },
  ENDPOINT_UNKNOWN: {
    ...codes[50090201],
    ...request,
    when: 'no endpoint has this method and path, to the letter: a trailing slash counts',
  },
  REQUEST_MALFORMED: { ...codes.RQ4002, ...request, when: 'it is not HTTP/1.1, or its target is not a path' },
  HOST_MISSING: { ...codes.RQ4002, ...request, field: 'Host', when: 'a request of HTTP/1.1 has to name the host' },
  REQUEST_TOO_LATE: { ...codes.RQ4002, ...request, status: 408, when: 'the request took too long to arrive' },
  HEADERS_TOO_LARGE: { ...codes.RQ4002, ...request, status: 431, when: 'the headers are larger than 16 KiB' },
  BODY_INCOMPLETE: { ...codes.RQ4002, ...request, when: 'less came than was announced' },
  BODY_TOO_LARGE: { ...codes.RQ4131, ...request, when: 'the body is larger than 64 KiB' },
  BODY_ENCODED: { ...codes.RQ4151, ...request, field: 'Content-Encoding', when: 'the body is compressed' },
  MEDIA_TYPE_UNSUPPORTED: {
    ...codes.RQ4151,
    ...request,
    field: 'Content-Type',
    when: 'missing, or not application/json in UTF-8',
  },
  BODY_MISSING: { ...body, when: 'the endpoint takes a JSON object, and nothing came' },
  BODY_NOT_UTF8: { ...body, when: 'the body is not UTF-8' },
  BODY_NOT_JSON: { ...body, when: 'the body is not JSON, or begins with a byte order mark' },
  BODY_NOT_OBJECT: { ...body, when: 'the body is not one JSON object' },
  KEY_REPEATED: { ...body, field: namedField, when: 'a key comes twice in one object' },
  FIELD_MISSING: { ...input, when: 'the field is required' },
  FIELD_UNKNOWN: { ...input, when: 'the endpoint takes no such field' },
  FIELD_REPEATED: { ...input, when: 'the query parameter comes twice' },
  FIELD_TYPE_WRONG: { ...input, when: 'of another JSON type, such as a number where a string is wanted' },
  FIELD_MALFORMED: { ...input, when: 'not of its form; see the description of the endpoint' },
  FIELD_OUT_OF_RANGE: { ...input, when: 'too small or too large', value: 'the least or the greatest that is taken' },
  VALUE_NOT_ALLOWED: { ...input, when: 'not one of the values that are taken', value: 'those that are' },
  CURRENCY_UNKNOWN: { ...input, when: 'no such currency; `GET /api/v1/key` lists them' },
  TIME_MALFORMED: {
    ...input,
    when: 'not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query',
  },
  PAGE_TOO_DEEP: {
    ...input,
    when: 'more than 10,000 rows lie before the `page` that was asked for; go on with `cursor` instead',
  },
  CURSOR_MALFORMED: { ...input, when: 'not a cursor of this list' },
  CURSOR_CONFLICT: { ...input, when: 'with a cursor there is no `page`, and no filter but its own' },
  AMOUNT_MALFORMED: { ...amount, when: 'not a plain decimal: digits, and a point with digits behind it' },
  AMOUNT_ZERO: { ...amount, when: 'an amount is above zero' },
  TOO_MANY_DECIMALS: {
    ...amount,
    when: 'more decimals than the currency has, zeros included',
    value: 'how many it has',
  },
  TOO_MANY_DIGITS: { ...amount, when: 'more than 30 digits, or 34 with all decimals of the currency' },
  WALLET_NOT_FOUND: { ...codes.WA4041, ...endpoint, when: 'the workspace has no such wallet' },
  WALLET_NOT_ACTIVE: {
    ...codes.WA4221,
    ...endpoint,
    when: 'a wallet of the transfer is frozen or closed',
    value: 'its status',
  },
  TRANSFER_NOT_FOUND: { ...codes.TR4041, ...endpoint, when: 'the workspace has no such transfer order' },
  BIZ_ID_CONFLICT: {
    ...codes.TR4091,
    ...endpoint,
    when: 'the bizId belongs to an order with other values',
    value: 'the transferId of that order',
  },
  SAME_WALLET: { ...codes.TR4221, ...endpoint, when: 'source and target are one wallet' },
  CURRENCY_MISMATCH: {
    ...codes.TR4222,
    ...endpoint,
    when: 'a wallet of the transfer has another currency',
    value: 'its currency',
  },
  INSUFFICIENT_BALANCE: {
    ...codes.TR4223,
    ...inOrder,
    when: 'the source held too little when the order was posted',
  },
  BALANCE_LIMIT: { ...codes.TR4224, ...inOrder, when: 'a balance would have passed 34 digits' },
  WEBHOOK_NOT_FOUND: { ...codes.WH4041, metBy: 'endpoint', when: 'the workspace has no such webhook' },
  WEBHOOK_EVENT_NOT_FOUND: {
    ...codes.WH4042,
    ...endpoint,
    when: 'no order of the workspace was settled with this event',
  },
  WEBHOOK_EXISTS: { ...codes.WH4091, ...endpoint, when: 'the workspace has a webhook with this url' },
  WEBHOOK_LIMIT: { ...codes.WH4221, metBy: 'endpoint', when: 'the workspace has ten webhooks' },
  WEBHOOK_URL_REFUSED: {
    ...codes.RQ4001,
    ...endpoint,
    when: 'webhooks are not sent to such a url',
    value: 'why, such as URL_NOT_HTTPS, URL_CREDENTIALS, PORT_NOT_ALLOWED, ADDRESS_NOT_ALLOWED',
  },
  INTERNAL_ERROR: { ...codes.SY5001, ...request, when: 'a fault of the service' },
  UNAVAILABLE: { ...away, when: 'a server behind the service is away or overloaded; see Retry-After' },
  ANSWER_TOO_LATE: { ...away, when: 'it took too long to answer; see Retry-After' },
  BACKLOG_FULL: { ...busy, when: 'too many orders wait to be posted; see Retry-After' },
  WORKSPACE_BACKLOG_FULL: { ...busy, when: 'too many orders of the workspace wait to be posted; see Retry-After' },
  TOO_MANY_LISTS: { ...busy, when: 'more lists are asked for at once than can be read in time; see Retry-After' },
} as const satisfies Record<string, CatalogueEntry>;
