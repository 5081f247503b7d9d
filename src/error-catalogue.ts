/** What belongs to a code, whatever the reason: its HTTP status and its symbolic message. */
const codes = {
  GA2001: { status: 401, message: 'API_KEY_MISSING' },
  GA2011: { status: 401, message: 'API_KEY_NOT_FOUND' },
  GA2012: { status: 401, message: 'SIGNATURE_INVALID' },
  GA2013: { status: 401, message: 'TIMESTAMP_EXPIRED' },
  GA2021: { status: 403, message: 'API_KEY_DISABLED' },
  GA2022: { status: 403, message: 'IP_NOT_WHITELISTED' },
  GA2024: { status: 403, message: 'API_ACCESS_DENIED' },
  GA2032: { status: 404, message: 'WORKSPACE_NOT_FOUND' },
  GA2034: { status: 403, message: 'NOT_WORKSPACE_MEMBER' },
  '50090201': { status: 403, message: 'API_ACCESS_DENIED' },
  RQ4001: { status: 400, message: 'VALIDATION_FAILED' },
  RQ4002: { status: 400, message: 'MALFORMED_BODY' },
  RQ4131: { status: 413, message: 'BODY_TOO_LARGE' },
  RQ4151: { status: 415, message: 'UNSUPPORTED_MEDIA_TYPE' },
  RQ4291: { status: 429, message: 'RATE_LIMITED' },
  WA4041: { status: 404, message: 'WALLET_NOT_FOUND' },
  WA4091: { status: 409, message: 'WALLET_REFERENCE_CONFLICT' },
  WA4092: { status: 409, message: 'WALLET_STATE_CONFLICT' },
  WA4221: { status: 422, message: 'WALLET_NOT_ACTIVE' },
  WA4222: { status: 422, message: 'WALLET_NOT_EMPTY' },
  WA4223: { status: 422, message: 'CREDIT_LIMIT_IN_USE' },
  TR4041: { status: 404, message: 'TRANSFER_NOT_FOUND' },
  TR4091: { status: 409, message: 'BIZ_ID_CONFLICT' },
  TR4092: { status: 409, message: 'ORDER_STATE_CONFLICT' },
  TR4221: { status: 422, message: 'SAME_WALLET' },
  TR4222: { status: 422, message: 'CURRENCY_MISMATCH' },
  TR4223: { status: 422, message: 'INSUFFICIENT_BALANCE' },
  TR4224: { status: 422, message: 'BALANCE_LIMIT' },
  TR4225: { status: 422, message: 'HOLD_CLOSED' },
  TR4226: { status: 422, message: 'EXCEEDS_REMAINING' },
  TR4227: { status: 422, message: 'NOT_REVERSIBLE' },
  TR4228: { status: 422, message: 'NOT_A_HOLD' },
  TR4229: { status: 422, message: 'BATCH_FAILED' },
  TR4230: { status: 422, message: 'LIMIT_EXCEEDED' },
  TR4231: { status: 422, message: 'KEY_BUDGET_EXCEEDED' },
  WH4041: { status: 404, message: 'WEBHOOK_NOT_FOUND' },
  WH4042: { status: 404, message: 'WEBHOOK_EVENT_NOT_FOUND' },
  WH4091: { status: 409, message: 'WEBHOOK_EXISTS' },
  WH4092: { status: 409, message: 'WEBHOOK_DISABLED' },
  WH4093: { status: 409, message: 'WEBHOOK_REPLAY_UNDER_WAY' },
  WH4221: { status: 422, message: 'WEBHOOK_LIMIT' },
  WH4222: { status: 422, message: 'WEBHOOK_PENDING_LIMIT' },
  SY5001: { status: 500, message: 'INTERNAL_ERROR' },
  SY5031: { status: 503, message: 'UNAVAILABLE' },
} as const;

/** As an entry's `field`: the name of the field at fault, known only with the request. */
export const namedField = 'its name';

/**
 * Which requests can meet an error: any; those to an endpoint with a query or a body; those to an endpoint that declares the error; or
 * none, because the error appears only in the `failure` of an order.
 */
type MetBy = 'request' | 'input' | 'endpoint' | 'order';

interface CatalogueEntry {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly metBy: MetBy;
  readonly when: string;
  /**
   * `error.field`: the name by which the request named what is at fault, or {@link namedField}. It is a part of the path, a
   * query parameter, a header, or the place in the JSON body, such as `legs[3].amount`. Absent where the request named nothing of it.
   */
  readonly field?: string;
  /** What `error.value` tells, in words. */
  readonly value?: string;
}

type More = Partial<Pick<CatalogueEntry, 'status' | 'field' | 'value'>>;

function entry(metBy: MetBy, code: keyof typeof codes, when: string, more: More = {}): CatalogueEntry {
  return { code, ...codes[code], metBy, when, ...more };
}

const request = entry.bind(undefined, 'request');
const body = entry.bind(undefined, 'input', 'RQ4002');
const endpoint = entry.bind(undefined, 'endpoint');
const inOrder = entry.bind(undefined, 'order');
// A fault of a field that only the request names: of any query or body, or one that only some endpoints check.
const input = (when: string, more?: More) => entry('input', 'RQ4001', when, { field: namedField, ...more });
const field = (code: keyof typeof codes, when: string, more?: More) =>
  endpoint(code, when, { field: namedField, ...more });
// What the path names by its part `id`, and nothing else ever does.
const ofPath = (code: keyof typeof codes, when: string) => endpoint(code, when, { field: 'id' });

/**
 * Every error that a client can get, by its reason: the symbol in `error.reason`. Several reasons may share a code.
 * The reasons of the first six steps tell a sender only what it knows already, or what the code says.
 * Source: docs/contract.md, "The eight steps" and "Codes".
 */
export const catalogue = {
  API_KEY_MISSING: request('GA2001', 'the header is missing or empty', { field: 'X-Api-Key' }),
  API_KEY_NOT_FOUND: request('GA2011', 'no such key', { field: 'X-Api-Key' }),
  API_KEY_DISABLED: request('GA2021', 'an administrator disabled the key', { field: 'X-Api-Key' }),
  WORKSPACE_NOT_FOUND: request('GA2032', "the key's workspace does not exist"),
  NOT_WORKSPACE_MEMBER: request('GA2034', "the key's owner is no longer a member of its workspace"),
  TIMESTAMP_MISSING: request('GA2013', 'the header is missing or empty', { field: 'X-Timestamp' }),
  TIMESTAMP_MALFORMED: request('GA2013', 'not a Unix time in whole seconds, or sent twice', { field: 'X-Timestamp' }),
  TIMESTAMP_OFF: request('GA2013', "more than 60 s before or after the server's time", {
    field: 'X-Timestamp',
    value: "the server's Unix time in seconds",
  }),
  NONCE_MISSING: request('GA2013', 'the header is missing or empty', { field: 'X-Nonce' }),
  NONCE_MALFORMED: request('GA2013', 'not 1 to 128 printable ASCII characters, or sent twice', { field: 'X-Nonce' }),
  NONCE_REUSED: request('GA2013', 'the key has used it before', { field: 'X-Nonce' }),
  SIGNATURE_MISSING: request('GA2012', 'the header is missing or empty', { field: 'X-Signature' }),
  SIGNATURE_MALFORMED: request('GA2012', 'not the padded standard base64 of 32 bytes, or sent twice', {
    field: 'X-Signature',
  }),
  SIGNATURE_MISMATCH: request('GA2012', 'the signature of another message, or by another secret', {
    field: 'X-Signature',
    value: 'what was received: method, path, and the SHA-256 of the body in hexadecimal',
  }),
  KEY_RATE_EXCEEDED: request('RQ4291', 'the key makes too many requests; see Retry-After'),
  ADDRESS_RATE_EXCEEDED: request('RQ4291', 'authentication failed too often from this address; see Retry-After'),
  IP_NOT_WHITELISTED: request('GA2022', "the client's address is not on the key's whitelist", {
    value: 'the address as seen, where it is known',
  }),
  SCOPE_MISSING: request('GA2024', 'the key lacks the scope that the endpoint declares', { value: 'that scope' }),
  ENDPOINT_UNKNOWN: request('50090201', 'no endpoint has this method and path, to the letter: a trailing slash counts'),
  REQUEST_MALFORMED: request('RQ4002', 'it is not HTTP/1.1, or its target is not a path'),
  HOST_MISSING: request('RQ4002', 'a request of HTTP/1.1 has to name the host', { field: 'Host' }),
  HOST_MALFORMED: request('RQ4002', 'it came more than once, or is not a host with or without a port', {
    field: 'Host',
  }),
  REQUEST_TOO_LATE: request('RQ4002', 'the request took too long to arrive', { status: 408 }),
  HEADERS_TOO_LARGE: request('RQ4002', 'the headers are larger than 16 KiB', { status: 431 }),
  BODY_INCOMPLETE: request('RQ4002', 'less came than was announced'),
  BODY_FRAGMENTED: request('RQ4002', 'the body came in far more pieces, or with far more framing, than its size needs'),
  BODY_TOO_LARGE: request(
    'RQ4131',
    'the body is larger than 64 KiB; where it may have lines or legs, larger than 512 KiB',
  ),
  BODY_ENCODED: request('RQ4151', 'the body is compressed', { field: 'Content-Encoding' }),
  MEDIA_TYPE_UNSUPPORTED: request('RQ4151', 'missing, or not application/json in UTF-8', { field: 'Content-Type' }),
  BODY_MISSING: body('the endpoint takes a JSON object, and nothing came'),
  BODY_NOT_UTF8: body('the body is not UTF-8'),
  BODY_NOT_JSON: body('the body is not JSON, or begins with a byte order mark', {
    value: 'how many characters come before what is wrong',
  }),
  BODY_NOT_OBJECT: body('the body is not one JSON object'),
  KEY_REPEATED: body('a key comes twice in one object', { field: namedField }),
  TOO_MANY_VALUES: entry(
    'input',
    'RQ4001',
    'far more keys or elements in the body, or parameters in the query, than the endpoint takes',
  ),
  IDEMPOTENCY_KEY_UNSUPPORTED: entry(
    'input',
    'RQ4001',
    'the header is not signed; a repetition is known by the `bizId` of the body, and that is not the same',
    { field: 'Idempotency-Key' },
  ),
  FIELD_MISSING: input('the field is required', {
    value: 'where it is one of several, of which one is required: those',
  }),
  FIELD_UNKNOWN: request('RQ4001', 'the endpoint takes no such field or query parameter', {
    field: namedField,
    value: 'of a query: the parameters that it takes',
  }),
  FIELD_REPEATED: input('the query parameter comes twice'),
  FIELD_TYPE_WRONG: input('of another JSON type, such as a number where a string is wanted', {
    value: 'the type that is wanted',
  }),
  FIELD_MALFORMED: input('not of its form; see the description of the endpoint', {
    value: 'its form, as a regular expression or in words; where several exclude each other, those',
  }),
  FIELD_OUT_OF_RANGE: input('too small or too large', { value: 'the least or the greatest that is taken' }),
  VALUE_NOT_ALLOWED: input('not one of the values that are taken', { value: 'those that are' }),
  CURRENCY_UNKNOWN: input('no such currency; `GET /api/v1/key` lists them', {
    value: 'where only its case is wrong: the one that is meant',
  }),
  TIME_MALFORMED: input('not ISO 8601 with seconds and a zone; the `+` of a zone is written `%2B` in a query', {
    value: 'what was received',
  }),
  TIME_NOT_AHEAD: field('RQ4001', 'the time has passed, and has to lie ahead', { value: 'the time now' }),
  TIME_NOT_PASSED: field('RQ4001', 'the time has not passed yet', { value: 'the time now' }),
  TIME_RANGE_REVERSED: endpoint('RQ4001', '`from` is later than `to`', { field: 'from' }),
  PAGE_TOO_DEEP: input('more than 10,000 rows lie before the `page` that was asked for; go on with `cursor` instead'),
  CURSOR_MALFORMED: input('not a cursor of this list'),
  CURSOR_CONFLICT: input('with a cursor there is no `page`, and no filter but its own'),
  AMOUNT_MALFORMED: field('RQ4001', 'not a plain decimal: digits, and a point with digits behind it'),
  AMOUNT_ZERO: field('RQ4001', 'an amount is above zero'),
  TOO_MANY_DECIMALS: field('RQ4001', 'more decimals than the currency has, zeros included', {
    value: 'how many it has',
  }),
  TOO_MANY_DIGITS: field('RQ4001', 'more than 30 digits, or 34 with all decimals of the currency'),
  WALLET_NOT_FOUND: field('WA4041', 'the workspace has no such wallet'),
  WALLET_NOT_ACTIVE: field('WA4221', 'a wallet of the order is frozen or closed', { value: 'its status' }),
  WALLET_REFERENCE_CONFLICT: field('WA4091', 'the reference belongs to a wallet of another currency', {
    value: 'the id of that wallet',
  }),
  WALLET_STATE_CONFLICT: ofPath('WA4092', 'the wallet is CLOSED, for good'),
  WALLET_NOT_EMPTY: ofPath('WA4222', 'the wallet still has a balance, or an amount is held on it'),
  CREDIT_LIMIT_IN_USE: field('WA4223', 'the wallet uses more credit than that', {
    value: 'the least limit allowed: held − balance',
  }),
  TRANSFER_NOT_FOUND: field('TR4041', 'the workspace has no such order'),
  BIZ_ID_CONFLICT: field('TR4091', 'the bizId belongs to an order with other values: `fields` names them', {
    value: 'the transferId of that order',
  }),
  SAME_WALLET: field('TR4221', 'source and target are one wallet'),
  CURRENCY_MISMATCH: field('TR4222', 'a wallet of the order has another currency', { value: 'its currency' }),
  ORDER_STATE_CONFLICT: field('TR4092', 'the order that it refers to is not COMPLETED; for a cancel, not SCHEDULED', {
    value: 'its status',
  }),
  NOT_REVERSIBLE: field('TR4227', 'a hold, a release or a reversal: these are not reversed', { value: 'its type' }),
  NOT_A_HOLD: field('TR4228', 'the order that it refers to is no hold', { value: 'its type' }),
  HOLD_CLOSED: field('TR4225', 'nothing remains of the hold, or it has expired', {
    value: 'CAPTURED, RELEASED or EXPIRED',
  }),
  EXCEEDS_REMAINING: field('TR4226', 'more than is left of the hold, or of what can be moved back', {
    value: 'how much is left',
  }),
  INSUFFICIENT_BALANCE: inOrder('TR4223', 'the source had too little available when the order was posted'),
  BALANCE_LIMIT: inOrder('TR4224', 'a balance would have passed 34 digits'),
  BATCH_FAILED: inOrder('TR4229', 'another order of the atomic batch failed, or was refused'),
  LIMIT_EXCEEDED: inOrder('TR4230', 'it would have passed a limit of the source: `failure.limit`'),
  KEY_BUDGET_EXCEEDED: inOrder('TR4231', 'it would have passed a budget of its key: `failure.limit`'),
  WEBHOOK_NOT_FOUND: ofPath('WH4041', 'the workspace has no such webhook'),
  WEBHOOK_EVENT_NOT_FOUND: field(
    'WH4042',
    'no such event of the workspace, or not of a type that the webhook asked for',
  ),
  WEBHOOK_EXISTS: field('WH4091', 'the workspace has a webhook with this url'),
  WEBHOOK_LIMIT: endpoint('WH4221', 'the workspace has ten webhooks'),
  WEBHOOK_DISABLED: ofPath('WH4092', 'the webhook is disabled; enable it first'),
  WEBHOOK_REPLAY_UNDER_WAY: ofPath('WH4093', 'another replay of the webhook has not ended'),
  WEBHOOK_PENDING_LIMIT: ofPath('WH4222', 'a thousand events wait to be sent to the webhook'),
  WEBHOOK_RATE_EXCEEDED: endpoint(
    'RQ4291',
    'the workspace has made too many webhooks, tests or replays; see Retry-After',
  ),
  WEBHOOK_URL_REFUSED: field('RQ4001', 'webhooks are not sent to such a url', {
    value: 'why, such as URL_NOT_HTTPS, URL_CREDENTIALS, PORT_NOT_ALLOWED, ADDRESS_NOT_ALLOWED',
  }),
  INTERNAL_ERROR: request(
    'SY5001',
    'a fault of the service; an order may have been recorded all the same: send it again, with the same bizId',
  ),
  UNAVAILABLE: request('SY5031', 'a server behind the service is away or overloaded; see Retry-After'),
  TOO_MANY_BODIES: request('SY5031', 'too many large bodies are on their way at once; see Retry-After'),
  ANSWER_TOO_LATE: request('SY5031', 'it took too long to answer; see Retry-After'),
  BACKLOG_FULL: endpoint('SY5031', 'too many orders wait to be posted; see Retry-After'),
  WORKSPACE_BACKLOG_FULL: endpoint('SY5031', 'too many orders of the workspace wait to be posted; see Retry-After'),
  SCHEDULED_FULL: endpoint('SY5031', 'too many orders of the workspace are scheduled; see Retry-After'),
  TOO_MANY_LISTS: endpoint('SY5031', 'more lists are asked for at once than can be read in time; see Retry-After'),
} as const;
