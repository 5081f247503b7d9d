import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { siteOf } from '../address.ts';
import { hostFault } from '../http/headers.ts';

/** Probes carry no token, so the answer says whether the process is well, and not why it is not. */
const probePaths: ReadonlySet<string> = new Set(['/livez', '/readyz']);

const tokenAskedFor =
  'This port is for the operator: it asks for OPS_TOKEN, as a bearer token or as any user’s password.\n';
const notNamedByAddress =
  'This port is for the operator: name this machine by its address or as localhost, or set OPS_TOKEN.\n';

const hostMalformed = 'A request names one host, once.\n';

const tooManyGuesses = 'Too many wrong tokens came from this address; see Retry-After.\n';

/** Wrong tokens that one address (of IPv6, one /64 network) may present in a minute. */
const guessesMax = 30;
const guessesMs = 60_000;
/** How long an address counts as the operator's after it last presented the right token. */
const knownMs = 60 * 60_000;
/** Addresses remembered at once, of either kind. */
const sitesMax = 10_000;

/**
 * Lets in requests with the token: as a bearer token, or as the password of any user. A wrong token is refused everywhere.
 * Without a token only the probes are answered, in brief. If no token is configured, a request must name this machine by
 * its address or as localhost, because a foreign page could make a name of its own point here.
 * An address that presented too many wrong tokens is answered 429 for the rest of the minute, even with the right token.
 * Otherwise the answer would tell whether a guess was right. If the right token came from there within the hour before, it
 * still passes, because whoever shares an address with the operator must not be able to lock the operator out.
 * Sets `res.locals.isTrusted`, and `res.locals.user` if a user was named beside the token; nobody checks that name.
 * @param token undefined on a port that only this machine can reach.
 */
export function letInOperator(token: string | undefined): RequestHandler {
  const guesses = createGuesses();
  const admitted = new LRUCache<string, true>({ max: sitesMax, ttl: knownMs });
  return (req, res, next) => {
    const refuse = (status: number, why: string, headers: Readonly<Record<string, string>> = {}): void => {
      res.status(status).set(headers).type('text/plain').send(why);
    };
    if (hostFault(req) === 'HOST_MALFORMED') {
      refuse(400, hostMalformed);
      return;
    }
    const { authorization } = req.headers;
    const site = siteOf(req.socket.remoteAddress ?? '');
    const isGuess = token !== undefined && authorization !== undefined;
    const { token: presented, user } = presentedBy(authorization);
    const isRight = token !== undefined && presented !== undefined && isEqual(presented, token);
    const waitSeconds = isGuess ? guesses.waitSeconds(site) : 0;
    if (waitSeconds > 0 && !(isRight && admitted.has(site))) {
      refuse(429, tooManyGuesses, { 'Retry-After': String(waitSeconds) });
      return;
    }
    if (isRight) admitted.set(site, true);
    else if (isGuess) guesses.count(site);
    const isTrusted = token === undefined ? isAddress(req.headers.host) : isRight;
    const isProbe = probePaths.has(req.path) && authorization === undefined;
    if (!isTrusted && !isProbe) {
      if (token === undefined) refuse(403, notNamedByAddress);
      else refuse(401, tokenAskedFor, { 'WWW-Authenticate': 'Basic realm="operations", charset="UTF-8"' });
    } else if (isOfThisSite(req)) {
      res.locals['isTrusted'] = isTrusted;
      res.locals['user'] = user;
      next();
    } else refuse(403, 'This was asked by a page of another site.\n');
  };
}

/** Counts wrong tokens by where they came from. In this process alone, because each process has a port of its own. */
function createGuesses() {
  const counts = new LRUCache<string, number>({ max: sitesMax, ttl: guessesMs, noUpdateTTL: true });
  return {
    count(site: string): void {
      counts.set(site, (counts.get(site) ?? 0) + 1);
    },
    /** Seconds until the next token is looked at; 0 if it is looked at now. */
    waitSeconds(site: string): number {
      if ((counts.get(site) ?? 0) < guessesMax) return 0;
      return Math.max(1, Math.ceil(counts.getRemainingTTL(site) / 1_000));
    },
  };
}

function presentedBy(authorization: string | undefined): { readonly token?: string; readonly user?: string } {
  const [scheme, credentials] = /^(\S+) +(\S+)$/.exec(authorization ?? '')?.slice(1) ?? [];
  if (scheme === undefined || credentials === undefined) return {};
  if (scheme.toLowerCase() === 'bearer') return { token: credentials };
  if (scheme.toLowerCase() !== 'basic') return {};
  const userAndPassword = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = userAndPassword.indexOf(':');
  return colon === -1 ? {} : { user: userAndPassword.slice(0, colon), token: userAndPassword.slice(colon + 1) };
}

/** Compares digests, which have one length, so that the time taken tells nothing about the texts. */
function isEqual(presented: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(presented), digest(token));
}

function isAddress(host: string | undefined): boolean {
  if (host === undefined) return false;
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || isIP(name) !== 0;
}

/** A browser names the site of a form or script that changes something. If it is another site, the request is refused. */
function isOfThisSite({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD' || headers.origin === undefined) return true;
  return headers.host !== undefined && URL.parse(headers.origin)?.host === headers.host;
}
