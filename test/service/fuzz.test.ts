import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sign } from '../../client/sign.ts';
import { exchangeBytes, signedHeaders } from '../support/raw-http.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { startService } from '../support/service.ts';
import type { RunningService } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';
import type { TestWorkspace } from '../support/workspace.ts';

/** FUZZ_REQUESTS and FUZZ_SEED ask for another number, and repeat a run. */
const requestCount = Number(process.env['FUZZ_REQUESTS'] ?? 20_000);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const requestsAtOnce = 50;
const fillerMax = 100_000;

let service: RunningService;
let workspace: TestWorkspace;
let wallets: [string, string];

beforeAll(async () => {
  // One key sends everything: what is asked here is not its rate.
  service = await startService({ workers: 1, env: { KEY_RATE_PER_SECOND: '1000000' } });
  workspace = await createWorkspace(service);
  wallets = [await workspace.wallet('1000000'), await workspace.wallet()];
});
afterAll(async () => {
  await service.admin('verify');
  await service.stop();
});

/** A valid request's lines and body, before they are changed. */
interface Parts {
  method: string;
  target: string;
  headers: string[];
  body: string;
}

function validParts(kind: number): Parts {
  const paths = ['/api/v1/wallets', `/api/v1/wallets/${wallets[0]}`, '/api/v1/transfer/query/orders'];
  const path = kind === 0 ? '/api/v1/transfer/command/create' : paths[kind % paths.length]!;
  const method = kind === 0 ? 'POST' : 'GET';
  const transfer = { sourceWalletId: wallets[0], targetWalletId: wallets[1], amount: '0.01', currency: 'USD' };
  const body = kind === 0 ? JSON.stringify(transfer) : '';
  const headers = signedHeaders(workspace, { method, path, body });
  return {
    method,
    target: path,
    headers: body === '' ? headers : [...headers, 'Content-Type: application/json'],
    body,
  };
}

const oneChange = fc.record({
  /** Which of: method, target, a header line, body. */
  where: fc.integer({ min: 0, max: 3 }),
  how: fc.constantFrom('insert', 'replace', 'delete', 'double', 'swapCase', 'drop'),
  at: fc.nat(),
  character: fc.oneof(
    fc.constantFrom('\0', '\r', '\n', ' ', '%', '/', '?', '#', ':', '"', '{', '}', ',', '0', '9', 'é', '\u{1F600}'),
    fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
  ),
});
type Change = typeof oneChange extends fc.Arbitrary<infer T> ? T : never;
const oneCase = fc.record({ kind: fc.integer({ min: 0, max: 3 }), changes: fc.array(oneChange, { maxLength: 3 }) });

function changeText(text: string, { how, at, character }: Change): string {
  const index = text.length === 0 ? 0 : at % text.length;
  const [before, here, after] = [text.slice(0, index), text.slice(index, index + 1), text.slice(index + 1)];
  switch (how) {
    case 'insert':
      return before + character + here + after;
    case 'replace':
      return before + character + after;
    case 'delete':
      return before + after;
    case 'double':
      return before + here + here + after;
    case 'swapCase':
      return before + (here === here.toUpperCase() ? here.toLowerCase() : here.toUpperCase()) + after;
    case 'drop':
      return before;
  }
}

function change(parts: Parts, given: Change): Parts {
  const { where, how, at } = given;
  if (where === 0) return { ...parts, method: changeText(parts.method, given) };
  if (where === 1) return { ...parts, target: changeText(parts.target, given) };
  if (where === 3) return { ...parts, body: changeText(parts.body, given) };
  const index = at % parts.headers.length;
  const line = parts.headers[index]!;
  if (how === 'double') return { ...parts, headers: [...parts.headers, line] };
  return { ...parts, headers: parts.headers.with(index, changeText(line, given)) };
}

/** The value of a header that was sent once; undefined where it was not, or came twice. */
function headerOf({ headers }: Parts, name: string): string | undefined {
  const lines = headers.filter((line) => line.slice(0, line.indexOf(':')).toLowerCase() === name);
  return lines.length === 1 ? lines[0]!.slice(name.length + 1).trim() : undefined;
}

/** A body as long as announced, within reason: the service rightly waits for what is missing. */
function completed(parts: Parts): Parts {
  const missing = Number(headerOf(parts, 'content-length') ?? 0) - Buffer.byteLength(parts.body);
  return missing > 0 ? { ...parts, body: parts.body + ' '.repeat(Math.min(missing, fillerMax)) } : parts;
}

/**
 * Whether a request that was accepted deserved it, judged from what was sent alone. Blanks and empty lines before the
 * method and around the target are no part of either: HTTP parsers pass over them.
 */
function isValid(parts: Parts): boolean {
  const { body } = parts;
  const [method, target] = [parts.method.trim(), parts.target.trim()];
  const [timestamp = '', nonce = ''] = [headerOf(parts, 'x-timestamp'), headerOf(parts, 'x-nonce')];
  const sent = Buffer.from(body).subarray(0, Number(headerOf(parts, 'content-length') ?? 0));
  const path = target.split('?')[0]!;
  const right = sign({ method, path, timestamp, nonce, body: sent }, workspace.apiSecret).signature;
  return headerOf(parts, 'x-api-key') === workspace.apiKey && headerOf(parts, 'x-signature') === right;
}

function complaint(parts: Parts, answer: RawAnswer): string | undefined {
  const { status, envelope } = answer;
  const isOutside = !/^\/api(\/|\?|$)/.test(parts.target);
  if (status >= 500 || Number.isNaN(status)) return `answered ${status}`;
  if (envelope === undefined) return status === 404 && isOutside ? undefined : `no envelope, status ${status}`;
  if (envelope.success && !isValid(parts)) return 'accepted, though no longer valid';
  if (!envelope.success && envelope.data !== null) return 'an error with data';
  return undefined;
}

describe('mutated requests', () => {
  it(`are never accepted unless still valid, never 5xx, always enveloped (${requestCount}, seed ${seed})`, async () => {
    const cases = fc.sample(oneCase, { numRuns: requestCount, seed }).values();
    const complaints: string[] = [];
    let accepted = 0;
    async function sendCases(): Promise<void> {
      for (const { kind, changes } of cases) {
        const parts = completed(changes.reduce(change, validParts(kind)));
        const lines = [`${parts.method} ${parts.target} HTTP/1.1`, 'Host: test', 'Connection: close', ...parts.headers];
        const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${parts.body}`);
        const answer = await exchangeBytes(service.baseUrl, bytes);
        if (answer.envelope?.success === true) accepted += 1;
        const found = complaint(parts, answer);
        if (found !== undefined) complaints.push(`${found}: ${JSON.stringify(parts)} → ${answer.body}`);
      }
    }
    await Promise.all(Array.from({ length: requestsAtOnce }, sendCases));
    expect(complaints.slice(0, 5)).toEqual([]);
    // The unchanged among them show that the rest is refused for what was changed.
    expect(accepted).toBeGreaterThan(requestCount / 10);
  }, 240_000);
});
