import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Answer, Case, JsonObject, NamedCase } from './case.ts';
import { rowsOf } from './values.ts';

const casesFolder = join(import.meta.dirname, '../cases');

const requestMembers = [
  ...['method', 'path', 'query', 'body', 'headers', 'bodyBytesMax'],
  ...['sameAs', 'afterMs', 'clockOffSeconds', 'count'],
];
const known = {
  group: ['group', 'values', 'vectors', 'cases'],
  case: [
    ...['name', 'needs', 'client', 'options', 'random', 'server'],
    ...['answers', 'calls', 'sideBySide', 'requests', 'anyOrder'],
  ],
  answer: ['data', 'orders', 'refuse', 'raw', 'breaks', 'hangs', 'drips'],
  script: ['times', 'when', 'heldUntilRequests'],
  refusal: ['status', 'code', 'message', 'reason', 'field', 'value', 'requestId', 'retryAfter', 'clockOffSeconds'],
  call: [...['call', 'client', 'arguments', 'result', 'error', 'before', 'sent', 'pausesMs'], 'abortAfterRequests'],
};

interface Group {
  readonly group: string;
  readonly vectors?: string;
  readonly values?: JsonObject;
  readonly cases?: readonly JsonObject[];
}

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly givenMethod: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly bodyBase64: string;
  readonly canonicalMessage: string;
  readonly signature: string;
  readonly verdict: string;
}

/**
 * All cases, group by group.
 * @throws Error where one has a member that means nothing: an expectation that is misspelt would hold for everything.
 */
export function readCases(): NamedCase[] {
  const files = readdirSync(casesFolder).filter((file) => file.endsWith('.json'));
  const cases = files.sort().flatMap((file) => casesIn(join(casesFolder, file)));
  const names = new Set<string>();
  for (const { group, name } of cases) {
    if (names.has(`${group}: ${name}`)) throw new Error(`${group}: ${name} is there twice.`);
    names.add(`${group}: ${name}`);
  }
  return cases;
}

function casesIn(file: string): NamedCase[] {
  const given = JSON.parse(readFileSync(file, 'utf8')) as Group;
  checkMembers(file, given, known.group);
  const { group, vectors, values = {}, cases = [] } = given;
  const ofVectors = vectors === undefined ? [] : casesOf(resolve(dirname(file), vectors));
  const written = cases.flatMap((one) => rowsOf(one, values)) as unknown as Case[];
  return [...ofVectors, ...written].map((one) => {
    checkCase(`${group}: ${one.name}`, one);
    return { ...one, group };
  });
}

/** What a signer makes of each request that the service takes. */
function casesOf(file: string): Case[] {
  const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[];
  return vectors
    .filter(({ verdict }) => verdict === 'ACCEPTED')
    .map(({ name, secret, givenMethod, target, timestamp, nonce, bodyBase64, canonicalMessage, signature }) => ({
      name,
      calls: [
        {
          call: 'sign',
          arguments: { method: givenMethod, path: target, timestamp, nonce, bodyBase64, secret },
          result: { canonicalMessage, signature },
        },
      ],
    }));
}

function checkCase(where: string, given: Case): void {
  checkMembers(where, given, known.case);
  for (const answer of given.answers ?? []) checkAnswer(`${where}: an answer`, answer);
  for (const call of given.calls) {
    checkMembers(`${where}: a call`, call, known.call);
    if ('result' in call === 'error' in call) throw new Error(`${where}: ${call.call} needs a result or an error.`);
  }
  for (const request of given.requests ?? []) checkMembers(`${where}: a request`, request, requestMembers);
}

function checkAnswer(where: string, answer: Answer): void {
  checkMembers(where, answer, [...known.answer, ...known.script]);
  if ('refuse' in answer) checkMembers(where, answer.refuse, known.refusal);
}

function checkMembers(where: string, given: object, names: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`${where} has no "${unknown}"; there are ${names.join(', ')}.`);
}
