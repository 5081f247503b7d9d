import type { Clock } from '../clock.ts';
import { hasIdForm, isTestWorkspace } from '../domain/ids.ts';
import { ServiceError, type ServerName } from '../errors.ts';
import type { RequestCount, Nonces } from '../redis/nonces.ts';
import type { Charged, KeyLimit, RateVerdict } from '../redis/rate-limits.ts';
import type { Scope } from '../domain/scopes.ts';
import { isTransientFault } from '../storage/shared/transaction.ts';
import type { Principal, Principals } from './principals.ts';
import { canonicalMessage, isSignedByOneOf } from './signature.ts';
import {
  isMissing,
  malformed,
  readNonce,
  readTimestamp,
  wrongSignature,
  type HeaderValue,
  type SigningHeader,
} from './signing-headers.ts';

/** A request on its way through the pipeline: what was received, and what the steps found so far. */
export interface AuthenticationAttempt {
  /** In upper case. */
  readonly method: string;
  /** The raw request target up to `?`. */
  readonly path: string;
  readonly header: (name: SigningHeader) => HeaderValue;
  /** Undefined where it is not known. */
  readonly clientAddress: () => string | undefined;
  /** The scope that the matched route declares; undefined where no route matches. */
  readonly scope: DeclaredScope | undefined;
  /** A second scope that it declares. */
  readonly alsoNeeds?: Scope | undefined;
  /** Whether the route exists for test workspaces alone. */
  readonly isOfTest?: true | undefined;
  /** The bytes of the body, or why it was not read. A promise unless it is there already. */
  readonly readBody: () => Body | Promise<Body>;
  /** Milliseconds until the request has to be answered. */
  readonly timeLeftMs: () => number;
  body?: Body;
  principal?: Principal;
  timestamp?: string;
  nonce?: string;
  isSignatureRight?: boolean;
  /** How many requests its key has made. Only those with a right signature are counted. */
  counted?: RequestCount | undefined;
  rate?: RateVerdict;
  /** What it was charged beside that. */
  charged?: Charged;
}

type Body = Uint8Array | ServiceError;

/** Declared by a route that takes any scope. */
export const anyScope = 'any';
export type DeclaredScope = Scope | typeof anyScope;

/** What the steps ask. */
export interface PipelineSources {
  readonly principals: Pick<Principals, 'find' | 'remembered'>;
  readonly nonces: Nonces;
  readonly keyLimit: KeyLimit;
  readonly clock: Clock;
}

export interface RefusedAttempt {
  /** The name of the step. */
  readonly step: string;
  readonly error: unknown;
  /** What the log may show of the request. It is read only if it is logged. */
  readonly attempt: Pick<AuthenticationAttempt, 'header' | 'clientAddress'>;
}

interface Step {
  readonly name: string;
  readonly check: (attempt: AuthenticationAttempt, sources: PipelineSources) => void | Promise<void>;
}

/**
 * A body counts as one request for each of so many bytes that it begins. What is made of a body takes time that grows with it,
 * also where it is then refused; a usual one is smaller than this.
 */
const requestBytes = 4 * 1024;

/** The steps that need only the headers. For a nonce that is the check of its form, not of its use. */
const headerSteps: readonly Step[] = [
  { name: 'api key', check: findKey },
  { name: 'key status', check: checkKeyStatus },
  { name: 'workspace', check: checkWorkspace },
  { name: 'timestamp', check: checkTimestamp },
  { name: 'nonce', check: checkNonceForm },
];

/**
 * The steps that need the whole request; a step of the contract may take several here. The signature is computed before the
 * nonce is looked up, so that one command can look it up and spend it. A client still sees the order of the contract.
 */
const bodySteps: readonly Step[] = [
  { name: 'nonce', check: computeSignature },
  { name: 'nonce', check: spendNonce },
  { name: 'nonce', check: refuseUnreadBody },
  { name: 'signature', check: checkSignature },
  { name: 'signature', check: judgeRate },
  { name: 'signature', check: chargeBody },
  { name: 'ip whitelist', check: checkWhitelist },
  { name: 'scope', check: checkScope },
];

/** The eight steps in their order; the first failure ends processing. Source: docs/contract.md, "The eight steps". */
export const stepNames: readonly string[] = [...new Set([...headerSteps, ...bodySteps].map(({ name }) => name))];
/** Those at which somebody is refused who has no secret, or an old one. */
export const forgedSteps: readonly string[] = ['api key', 'nonce', 'signature'];

/**
 * Takes a request through the eight steps.
 *
 * A client may take half a minute to send its body. So what its key may do, and how old its timestamp is, is judged when the
 * body is complete: the first steps are then taken again, with the key as it stands then, and the later steps build on that.
 * A limit on the wait would have refused slow clients instead, and left a revoked key usable until the limit.
 * @param onRefused called if a step refuses the request; for the operator's counts and log.
 * @throws ServiceError of the first step that fails; UNAVAILABLE if MongoDB or Redis cannot be asked, because a request is
 * never accepted without a check.
 */
export async function authenticate(
  attempt: AuthenticationAttempt,
  sources: PipelineSources,
  onRefused?: (refusal: RefusedAttempt) => void,
): Promise<Principal> {
  async function take(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      try {
        // Most steps answer at once. Those are not awaited.
        const checking = step.check(attempt, sources);
        if (checking !== undefined) await checking;
      } catch (error) {
        onRefused?.({ step: step.name, error, attempt });
        throw error;
      }
    }
  }

  await take(headerSteps);
  const body = attempt.readBody();
  attempt.body = body instanceof Promise ? await body : body;
  if (body instanceof Promise) await take(headerSteps);
  await take(bodySteps);
  return reached(attempt.principal);
}

function findKey(attempt: AuthenticationAttempt, { principals }: PipelineSources): void | Promise<void> {
  const keyId = attempt.header('x-api-key');
  if (isMissing(keyId)) throw new ServiceError('API_KEY_MISSING');
  if (keyId === malformed) throw new ServiceError('API_KEY_NOT_FOUND');
  const keep = (principal: Principal | undefined): void => {
    if (principal === undefined) throw new ServiceError('API_KEY_NOT_FOUND');
    attempt.principal = principal;
  };
  const remembered = principals.remembered(keyId);
  // What cannot be a key is neither looked up nor remembered.
  if (remembered === undefined && !hasIdForm('apiKey', keyId)) throw new ServiceError('API_KEY_NOT_FOUND');
  if (remembered === undefined) return orUnavailable('mongodb', principals.find(keyId, attempt.timeLeftMs)).then(keep);
  keep(remembered);
}

function checkKeyStatus(attempt: AuthenticationAttempt): void {
  if (!reached(attempt.principal).isEnabled) throw new ServiceError('API_KEY_DISABLED');
}

function checkWorkspace(attempt: AuthenticationAttempt): void {
  const { workspaceExists, ownerIsMember } = reached(attempt.principal);
  if (!workspaceExists) throw new ServiceError('WORKSPACE_NOT_FOUND');
  if (!ownerIsMember) throw new ServiceError('NOT_WORKSPACE_MEMBER');
}

function checkTimestamp(attempt: AuthenticationAttempt, { clock }: PipelineSources): void {
  attempt.timestamp = readTimestamp(attempt.header('x-timestamp'), clock());
}

function checkNonceForm(attempt: AuthenticationAttempt): void {
  attempt.nonce = readNonce(attempt.header('x-nonce'));
}

/** Only notes whether the signature is right, because the nonce is judged before it. */
function computeSignature(attempt: AuthenticationAttempt, { clock }: PipelineSources): void {
  attempt.isSignatureRight = attempt.body instanceof Uint8Array && isSigned(attempt, attempt.body, clock());
}

/**
 * If the signature is right, one command spends the nonce and counts the request against its key's rate. So a forger cannot
 * spend nonces, and of many identical requests at once exactly one passes and is counted.
 */
async function spendNonce(attempt: AuthenticationAttempt, { nonces }: PipelineSources): Promise<void> {
  const { keyId } = reached(attempt.principal);
  const nonce = reached(attempt.nonce);
  if (attempt.isSignatureRight === true) {
    attempt.counted = await orUnavailable('redis', nonces.spend(keyId, nonce));
    if (attempt.counted === undefined) throw new ServiceError('NONCE_REUSED');
  } else if (!(await orUnavailable('redis', nonces.isUnspent(keyId, nonce)))) throw new ServiceError('NONCE_REUSED');
}

function refuseUnreadBody({ body }: AuthenticationAttempt): void {
  if (body instanceof ServiceError) throw body;
}

function checkSignature(attempt: AuthenticationAttempt): void {
  const { isSignatureRight, header, method, path, body } = attempt;
  if (isSignatureRight === true || !(body instanceof Uint8Array)) return;
  throw wrongSignature(header('x-signature'), { method, path, body });
}

/** Comes after the signature, so that nobody else can use up the rate. A request of the burst costs another command. */
function judgeRate(attempt: AuthenticationAttempt, { keyLimit }: PipelineSources): void | Promise<void> {
  const { keyId, rate } = reached(attempt.principal);
  const verdict = keyLimit.judge(keyId, rate, reached(attempt.counted));
  const keep = (judged: RateVerdict): void => {
    attempt.rate = judged;
    refuseExceeded(judged);
  };
  if (verdict instanceof Promise) return orUnavailable('redis', verdict).then(keep);
  keep(verdict);
}

/** Comes before anything is made of the body, whatever becomes of it then. */
function chargeBody(attempt: AuthenticationAttempt, { keyLimit }: PipelineSources): void | Promise<void> {
  const { body } = attempt;
  if (!(body instanceof Uint8Array) || body.length <= requestBytes) return;
  return chargeRate(attempt, Math.ceil(body.length / requestBytes), keyLimit);
}

/**
 * Counts a request whose rate was judged as `count` of them, unless it counts as more already.
 * @throws ServiceError KEY_RATE_EXCEEDED too few are left: then it stays counted as before; UNAVAILABLE.
 */
export async function chargeRate(attempt: AuthenticationAttempt, count: number, keyLimit: KeyLimit): Promise<void> {
  if (count <= (attempt.charged?.count ?? 1)) return;
  const { keyId, rate } = reached(attempt.principal);
  const charging = keyLimit.charge(keyId, rate, count, reached(attempt.counted), attempt.charged);
  const { verdict, charged } = await orUnavailable('redis', charging);
  attempt.charged = charged;
  refuseExceeded(verdict);
}

function refuseExceeded({ isAllowed, retryAfterSeconds, header }: RateVerdict): void {
  if (!isAllowed) throw new ServiceError('KEY_RATE_EXCEEDED', { retryAfterSeconds, rateLimit: header });
}

function checkWhitelist(attempt: AuthenticationAttempt): void {
  const { whitelist } = reached(attempt.principal);
  if (whitelist === undefined) return;
  const address = attempt.clientAddress();
  if (address === undefined || !whitelist.some((network) => network.contains(address))) {
    throw new ServiceError('IP_NOT_WHITELISTED', { value: address });
  }
}

function checkScope(attempt: AuthenticationAttempt): void {
  const { scope, alsoNeeds, isOfTest } = attempt;
  const { scopes, workspaceId } = reached(attempt.principal);
  if (scope === undefined || (isOfTest === true && !isTestWorkspace(workspaceId)))
    throw new ServiceError('ENDPOINT_UNKNOWN');
  const isEnough = scope === anyScope ? scopes.size > 0 : scopes.has(scope);
  if (!isEnough) throw new ServiceError('SCOPE_MISSING', { value: scope });
  if (alsoNeeds !== undefined && !scopes.has(alsoNeeds)) throw new ServiceError('SCOPE_MISSING', { value: alsoNeeds });
}

function isSigned(attempt: AuthenticationAttempt, body: Uint8Array, now: Date): boolean {
  const signature = attempt.header('x-signature');
  if (typeof signature !== 'string') return false;
  const { method, path } = attempt;
  const message = canonicalMessage({
    method,
    path,
    timestamp: reached(attempt.timestamp),
    nonce: reached(attempt.nonce),
    body,
  });
  return isSignedByOneOf(reached(attempt.principal).secrets(now), message, signature);
}

/** What an earlier step has set. Steps never run out of order. */
function reached<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a step of the pipeline ran before the one it builds on');
  return value;
}

/** @param server who was asked. An error that is no fault of MongoDB, such as of a secret that cannot be opened, names nobody. */
function orUnavailable<T>(server: ServerName, answer: Promise<T>): Promise<T> {
  return answer.catch((cause: unknown) => {
    const isOfServer = server === 'redis' || cause instanceof ServiceError || isTransientFault(cause);
    throw new ServiceError('UNAVAILABLE', { cause, server: isOfServer ? server : undefined });
  });
}
