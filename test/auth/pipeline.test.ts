import { describe, expect, it } from 'vitest';
import { parseNetwork } from '../../src/address.ts';
import {
  anyScope,
  authenticate,
  chargeRate,
  stepNames,
  type AuthenticationAttempt,
  type PipelineSources,
} from '../../src/auth/pipeline.ts';
import type { Principal } from '../../src/auth/principals.ts';
import { canonicalMessage, sign } from '../../src/auth/signature.ts';
import { malformed } from '../../src/auth/signing-headers.ts';
import { newId } from '../../src/domain/ids.ts';
import type { RateVerdict } from '../../src/redis/rate-limits.ts';
import { ServiceError, type ErrorName } from '../../src/errors.ts';

const nowSeconds = 1_800_000_000;
const secret = 'the secret';
const keyId = newId('apiKey');

const principal: Principal = {
  keyId,
  workspaceId: 'ws_1',
  ownerId: 'owner',
  isEnabled: true,
  workspaceExists: true,
  ownerIsMember: true,
  scopes: new Set(['wallet:read']),
  whitelist: undefined,
  rate: undefined,
  secrets: () => [secret],
};

interface Case {
  principal?: Partial<Principal>;
  /** What is known of the key without asking. */
  remembered?: Principal;
  headers?: Record<string, string[]>;
  body?: Uint8Array | ServiceError;
  attempt?: Partial<AuthenticationAttempt>;
  spent?: string[];
  /** Signs for another body than the one that is sent. */
  isForged?: boolean;
  rate?: RateVerdict;
  /** Of what it is charged beside that. */
  charge?: RateVerdict;
}

const allowed: RateVerdict = { isAllowed: true, retryAfterSeconds: 0, remaining: 1, header: '' };

/** A request that passes, changed by the case, with what its nonces hold afterwards. */
function prepare(given: Case) {
  const headers: Record<string, string[]> = {
    'x-api-key': [keyId],
    'x-timestamp': [String(nowSeconds)],
    'x-nonce': ['nonce-1'],
    ...given.headers,
  };
  const body = given.body ?? new Uint8Array();
  const parts = {
    method: 'GET',
    path: '/api/v1/wallets',
    timestamp: headers['x-timestamp']?.[0] ?? '',
    nonce: headers['x-nonce']?.[0] ?? '',
    body: given.isForged === true ? Buffer.from('other') : body instanceof Uint8Array ? body : new Uint8Array(),
  };
  headers['x-signature'] ??= [sign(canonicalMessage(parts), secret)];
  const spent = new Set(given.spent);
  const charges: number[] = [];
  const attempt: AuthenticationAttempt = {
    method: 'GET',
    path: '/api/v1/wallets',
    header: (name) => {
      const [value, ...more] = headers[name] ?? [];
      return more.length > 0 ? malformed : value;
    },
    clientAddress: () => '203.0.113.9',
    scope: 'wallet:read',
    readBody: () => Promise.resolve(body),
    timeLeftMs: () => Infinity,
    ...given.attempt,
  };
  const tools: PipelineSources = {
    principals: {
      remembered: () => given.remembered,
      find: (id) => Promise.resolve(id === keyId ? { ...principal, ...given.principal } : undefined),
    },
    nonces: {
      isUnspent: (_keyId, nonce) => Promise.resolve(!spent.has(nonce)),
      spend: (_keyId, nonce) => {
        const isFresh = !spent.has(nonce);
        spent.add(nonce);
        return Promise.resolve(isFresh ? { requestCount: 1, countedForMs: 1_000 } : undefined);
      },
    },
    keyLimit: {
      judge: () => Promise.resolve(given.rate ?? allowed),
      charge: (_keyId, _rate, count) => {
        charges.push(count);
        return Promise.resolve({ verdict: given.charge ?? allowed, charged: { count, fromBurst: 0 } });
      },
    },
    clock: () => new Date(nowSeconds * 1000 + 999),
  };
  return { attempt, tools, spent, charges };
}

function outcome(given: Case): Promise<ErrorName | 'passes'> {
  const { attempt, tools } = prepare(given);
  return nameOf(authenticate(attempt, tools));
}

async function nameOf(authenticating: Promise<unknown>): Promise<ErrorName | 'passes'> {
  try {
    await authenticating;
    return 'passes';
  } catch (error) {
    if (error instanceof ServiceError) return error.errorName;
    throw error;
  }
}

/** One way to fail each step, in the order of the steps. */
const failures: readonly (readonly [ErrorName, Case])[] = [
  ['API_KEY_MISSING', { headers: { 'x-api-key': [] } }],
  ['API_KEY_NOT_FOUND', { headers: { 'x-api-key': [newId('apiKey')] } }],
  ['API_KEY_DISABLED', { principal: { isEnabled: false } }],
  ['WORKSPACE_NOT_FOUND', { principal: { workspaceExists: false } }],
  ['NOT_WORKSPACE_MEMBER', { principal: { ownerIsMember: false } }],
  ['TIMESTAMP_OFF', { headers: { 'x-timestamp': [String(nowSeconds - 61)] } }],
  ['NONCE_REUSED', { spent: ['nonce-1'] }],
  ['SIGNATURE_MISMATCH', { isForged: true }],
  ['KEY_RATE_EXCEEDED', { rate: { isAllowed: false, retryAfterSeconds: 1, remaining: 0, header: '' } }],
  ['IP_NOT_WHITELISTED', { principal: { whitelist: [parseNetwork('10.0.0.0/8')!] } }],
  ['SCOPE_MISSING', { principal: { scopes: new Set(['transfer:read']) } }],
];

/** Fails in two ways at once; where both touch one field, the earlier step's value stands. */
function both(earlier: Case, later: Case): Case {
  return {
    ...later,
    ...earlier,
    principal: { ...later.principal, ...earlier.principal },
    headers: { ...later.headers, ...earlier.headers },
  };
}

describe('authenticate', () => {
  it('has the eight steps of the contract in their order', () => {
    expect(stepNames).toEqual([
      'api key',
      'key status',
      'workspace',
      'timestamp',
      'nonce',
      'signature',
      'ip whitelist',
      'scope',
    ]);
  });

  it('lets a right request pass, as its principal', async () => {
    const { attempt, tools } = prepare({});
    await expect(authenticate(attempt, tools)).resolves.toMatchObject({ keyId, workspaceId: 'ws_1' });
  });

  it.each<[string, Case, ErrorName | 'passes']>([
    ['a key that it remembers', { remembered: principal }, 'passes'],
    ['one that it remembers as disabled', { remembered: { ...principal, isEnabled: false } }, 'API_KEY_DISABLED'],
    ['no key', { headers: { 'x-api-key': ['a'] } }, 'API_KEY_NOT_FOUND'],
    ['what is longer than a key', { headers: { 'x-api-key': [`${keyId}0`] } }, 'API_KEY_NOT_FOUND'],
  ])('asks nobody for %s', async (_, given, expected) => {
    const { attempt, tools } = prepare(given);
    const find = (): never => {
      throw new Error('was asked');
    };
    expect(await nameOf(authenticate(attempt, { ...tools, principals: { ...tools.principals, find } }))).toBe(expected);
  });

  it.each(failures)('answers %s', async (errorName, given) => {
    expect(await outcome(given)).toBe(errorName);
  });

  const pairs = failures.flatMap(([name, earlier], index) =>
    failures.slice(index + 1).map(([laterName, later]) => [name, laterName, both(earlier, later)] as const),
  );
  it.each(pairs)('answers %s where %s holds as well', async (errorName, _, given) => {
    expect(await outcome(given)).toBe(errorName);
  });

  it.each([
    ['the very same second', 0, 'passes'],
    ['60 s behind', -60, 'passes'],
    ['60 s ahead', 60, 'passes'],
    ['61 s behind', -61, 'TIMESTAMP_OFF'],
    ['61 s ahead', 61, 'TIMESTAMP_OFF'],
  ] as const)('judges a timestamp %s', async (_, offset, expected) => {
    expect(await outcome({ headers: { 'x-timestamp': [String(nowSeconds + offset)] } })).toBe(expected);
  });

  it.each([
    ['x-api-key', [keyId, keyId], 'API_KEY_NOT_FOUND'],
    ['x-api-key', [''], 'API_KEY_MISSING'],
    ['x-timestamp', [String(nowSeconds), String(nowSeconds)], 'TIMESTAMP_MALFORMED'],
    ...['01800000000', '1800000000.0', '+1800000000', '1.8e9', ' 1800000000', '18000000001234'].map(
      (text) => ['x-timestamp', [text], 'TIMESTAMP_MALFORMED'] as const,
    ),
    ['x-timestamp', [], 'TIMESTAMP_MISSING'],
    ['x-timestamp', [''], 'TIMESTAMP_MISSING'],
    ['x-nonce', ['a', 'a'], 'NONCE_MALFORMED'],
    ...['n'.repeat(129), 'é', 'tab\t'].map((text) => ['x-nonce', [text], 'NONCE_MALFORMED'] as const),
    ['x-nonce', [], 'NONCE_MISSING'],
    ['x-nonce', [''], 'NONCE_MISSING'],
    ['x-signature', ['a', 'a'], 'SIGNATURE_MALFORMED'],
    ['x-signature', ['a'.repeat(44)], 'SIGNATURE_MALFORMED'],
    ['x-signature', [], 'SIGNATURE_MISSING'],
    ['x-signature', [''], 'SIGNATURE_MISSING'],
  ] as const)('takes %s: %j for malformed or missing', async (name, values, expected) => {
    expect(await outcome({ headers: { [name]: [...values] } })).toBe(expected);
  });

  it('takes an address that one of the networks of its whitelist has', async () => {
    const whitelist = ['10.0.0.0/8', '203.0.113.0/24', '192.168.0.0/16'].map((text) => parseNetwork(text)!);
    expect(await outcome({ principal: { whitelist } })).toBe('passes');
  });

  it('takes any scope where a route asks for one, and not none', async () => {
    const attempt = { scope: anyScope } as const;
    expect(await outcome({ attempt, principal: { scopes: new Set(['transfer:read']) } })).toBe('passes');
    expect(await outcome({ attempt, principal: { scopes: new Set() } })).toBe('SCOPE_MISSING');
  });

  it('denies what no route declares, but only after the other steps', async () => {
    expect(await outcome({ attempt: { scope: undefined } })).toBe('ENDPOINT_UNKNOWN');
    expect(await outcome({ attempt: { scope: undefined }, isForged: true })).toBe('SIGNATURE_MISMATCH');
  });

  it.each([
    [4 * 1024, []],
    [4 * 1024 + 1, [2]],
    [512 * 1024, [128]],
  ])(
    'counts a body of %i bytes by its size, once its signature is right, whatever it holds',
    async (size, expected) => {
      const { attempt, tools, charges } = prepare({ body: new Uint8Array(size) });
      await authenticate(attempt, tools);
      expect(charges).toEqual(expected);
      const forged = prepare({ body: new Uint8Array(size), isForged: true });
      await expect(authenticate(forged.attempt, forged.tools)).rejects.toMatchObject({
        errorName: 'SIGNATURE_MISMATCH',
      });
      expect(forged.charges).toEqual([]);
    },
  );

  it('refuses a body that is more than is left of the rate, and takes no more for what counts as less', async () => {
    const charge = { ...allowed, isAllowed: false };
    const large = { body: new Uint8Array(10_000), charge };
    expect(await outcome(large)).toBe('KEY_RATE_EXCEEDED');
    expect(await outcome({ ...large, principal: { scopes: new Set() } })).toBe('KEY_RATE_EXCEEDED');
    const { attempt, tools, charges } = prepare({ body: new Uint8Array(10_000) });
    await authenticate(attempt, tools);
    for (const count of [1, 3, 4]) await chargeRate(attempt, count, tools.keyLimit);
    expect(charges).toEqual([3, 4]);
  });

  it('refuses a body that is too large after the nonce was looked up, and spends no nonce', async () => {
    const { attempt, tools, spent } = prepare({ body: new ServiceError('BODY_TOO_LARGE') });
    await expect(authenticate(attempt, tools)).rejects.toMatchObject({ errorName: 'BODY_TOO_LARGE' });
    expect(spent.size).toBe(0);
    expect(await outcome({ body: new ServiceError('BODY_TOO_LARGE'), spent: ['nonce-1'] })).toBe('NONCE_REUSED');
  });

  it('reads no body before the first four steps have passed', async () => {
    const readBody = (): never => {
      throw new Error('body was read');
    };
    for (const [errorName, given] of failures.slice(0, 6)) {
      expect(await outcome({ ...given, attempt: { readBody } })).toBe(errorName);
    }
  });

  describe('judges a request anew when its body has come', () => {
    const before: Principal = { ...principal, secrets: () => ['an earlier secret', secret] };
    /** What is known of the key, and what time it is, changes while the client sends its body. */
    async function outcomeAfter(change: { principal?: Partial<Principal> | null; seconds?: number }, given: Case = {}) {
      const { attempt, tools, spent } = prepare(given);
      let [current, seconds]: [Principal | undefined, number] = [before, 0];
      const refusedBy: string[] = [];
      const readBody = async () => {
        const body = await attempt.readBody();
        current = change.principal === null ? undefined : { ...principal, ...change.principal };
        seconds = change.seconds ?? 0;
        return body;
      };
      const late: PipelineSources = {
        ...tools,
        principals: { remembered: () => current, find: () => Promise.resolve(current) },
        clock: () => new Date((nowSeconds + seconds) * 1000),
      };
      const authenticating = authenticate({ ...attempt, readBody }, late, ({ step }) => refusedBy.push(step));
      const name = await nameOf(authenticating);
      return { name, refusedBy, spent: [...spent] };
    }

    it.each([
      ['the key is gone', { principal: null }, 'API_KEY_NOT_FOUND', 'api key'],
      ['the key was disabled', { principal: { isEnabled: false } }, 'API_KEY_DISABLED', 'key status'],
      ['the workspace is gone', { principal: { workspaceExists: false } }, 'WORKSPACE_NOT_FOUND', 'workspace'],
      ['its owner was removed', { principal: { ownerIsMember: false } }, 'NOT_WORKSPACE_MEMBER', 'workspace'],
      ['its timestamp is too old', { seconds: 61 }, 'TIMESTAMP_OFF', 'timestamp'],
      ['the secret is another', { principal: { secrets: () => ['another'] } }, 'SIGNATURE_MISMATCH', 'signature'],
    ] as const)('%s', async (_, change, errorName, step) => {
      expect(await outcomeAfter(change)).toEqual({ name: errorName, refusedBy: [step], spent: [] });
    });

    it.each([
      ['a whitelist', { principal: { whitelist: [parseNetwork('10.0.0.0/8')!] } }, 'IP_NOT_WHITELISTED'],
      ['other scopes', { principal: { scopes: new Set(['transfer:read'] as const) } }, 'SCOPE_MISSING'],
      ['nothing new', {}, 'passes'],
      ['nothing new, and its time is not over', { seconds: 60 }, 'passes'],
    ] as const)('the key has %s', async (_, change, expected) => {
      expect((await outcomeAfter(change)).name).toBe(expected);
    });

    it('by the first step that fails then', async () => {
      const all = {
        principal: { isEnabled: false, secrets: () => ['another'], scopes: new Set<never>() },
        seconds: 61,
      };
      expect((await outcomeAfter(all)).name).toBe('API_KEY_DISABLED');
      expect((await outcomeAfter(all, { body: new ServiceError('BODY_TOO_LARGE') })).name).toBe('API_KEY_DISABLED');
    });

    it('not where there was nothing to wait for', async () => {
      const { attempt, tools } = prepare({ attempt: { readBody: () => new Uint8Array() } });
      let lookups = 0;
      const remembered = () => {
        lookups += 1;
        return principal;
      };
      await authenticate(attempt, { ...tools, principals: { ...tools.principals, remembered } });
      expect(lookups).toBe(1);
    });
  });

  it('leaves the nonce unused by a wrong signature, and spends it on a right one whatever follows', async () => {
    const forged = prepare({ isForged: true });
    await expect(authenticate(forged.attempt, forged.tools)).rejects.toThrow();
    expect(forged.spent.size).toBe(0);
    const unscoped = prepare({ principal: { scopes: new Set() } });
    await expect(authenticate(unscoped.attempt, unscoped.tools)).rejects.toThrow();
    expect([...unscoped.spent]).toEqual(['nonce-1']);
  });

  it('is unavailable, never lenient, where keys or nonces cannot be asked', async () => {
    const away = (): Promise<never> => Promise.reject(new Error('away'));
    const { attempt, tools } = prepare({});
    const noKeys = authenticate(attempt, { ...tools, principals: { ...tools.principals, find: away } });
    await expect(noKeys).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
    const noNonces = authenticate(attempt, { ...tools, nonces: { spend: away, isUnspent: away } });
    await expect(noNonces).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  });
});
