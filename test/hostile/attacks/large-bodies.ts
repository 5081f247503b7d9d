import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../../support/api-client.ts';
import { signingHeaders } from '../../support/signing.ts';
import { evenly, host, type Attack, type Target } from '../attack.ts';
import { wronglySigned } from './bodies.ts';

const createPath = '/api/v1/transfer/command/create';
const batchPath = '/api/v1/transfer/command/batch';
const bodyBytes = 64 * 1024;
const batchBytes = 512 * 1024;
const bodiesPerSecond = 8;

/** Texts of a kind, with commas between, in as many bytes as there are. */
function filled(head: string, text: (index: number) => string, tail: string, bytes: number, most = Infinity): string {
  const texts: string[] = [];
  let left = bytes - head.length - tail.length;
  for (let index = 0; index < most; index += 1) {
    const next = text(index);
    left -= next.length + 1;
    if (left < 0) break;
    texts.push(next);
  }
  return head + texts.join() + tail;
}

const keys = (count: number, value = '1'): string =>
  `{${Array.from({ length: count }, (_, key) => `"k${key}":${value}`).join()}}`;
const lines = (line: string): string => filled('{"transfers":[', () => line, ']}', batchBytes, 500);

/** Each takes long to read, for its size or for the requests that it counts as, or did once. */
const bodies: readonly (readonly [path: string, body: string])[] = [
  [batchPath, filled('{', (key) => `"k${key}":1`, ',"k0":1}', batchBytes)],
  [batchPath, filled('{', (key) => `"k${key}":1`, '}', batchBytes)],
  [batchPath, filled('{"metadata":{', (key) => `"k${key}":""`, '}}', batchBytes)],
  [batchPath, `{"a":${'['.repeat(batchBytes / 2 - 4)}${']'.repeat(batchBytes / 2 - 4)}}`],
  [batchPath, filled('{"transfers":[', () => '{}', ']}', batchBytes)],
  [batchPath, `{"a":"${String.raw`\u0061`.repeat(batchBytes / 6 - 2)}"}`],
  [batchPath, lines('{}')],
  [batchPath, lines(keys(38))],
  [batchPath, lines(`{"metadata":${keys(30, '"v"')}}`)],
  [batchPath, filled('{"transfers":[', (line) => keys(60).replaceAll('k', `${line}k`), ',{"a":1,"a":1}]}', 240_000)],
  ...[createPath, '/api/v1/wallets', '/api/v1/webhooks'].flatMap((path) => [
    [path, filled('{', (key) => `"k${key}":1`, ',"k0":1}', bodyBytes)] as const,
    [path, filled('{', (key) => `"k${key}":1`, '}', bodyBytes)] as const,
  ]),
];

/** A workspace's owner sends what is refused, or is little that takes long to read. */
export const refusedBodies: Attack = {
  name: 'refused-bodies',
  what: `rightly signed bodies that take long to read: ${bodiesPerSecond} a second, of ${bodies.length} kinds`,
  against: 'web',
  cpuMsPerMibMax: 150,
  start({ webPort, attacker }, { seconds, share }) {
    const client = createClient({ baseUrl: `http://${host}:${webPort}`, ...attacker.key });
    const statuses = new Map<number, number>();
    let [sent, answered, bytes] = [0, 0, 0];
    return {
      sent: evenly(Math.ceil(bodiesPerSecond * seconds * share), seconds, () => {
        const [path, body] = bodies[sent++ % bodies.length] ?? ['', ''];
        bytes += body.length;
        client
          .request('POST', path, { body })
          .then(({ status }) => statuses.set(status, (statuses.get(status) ?? 0) + 1))
          .catch(() => undefined)
          .finally(() => (answered += 1));
      }),
      bytes: () => bytes,
      owed: () => (answered === sent ? [] : [`${sent - answered} bodies are not answered`]),
      seen: () => `answered ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`,
      stop: () => {
        client.close();
      },
    };
  },
};

/** They take all memory that one key's bodies could have, were it counted by key: most of it, and then what is left. */
const unended = [...Array<number>(13).fill(batchBytes / 2 + 1), ...Array<number>(40).fill(6_000)];
const batchesPerSecond = 4;
const reopenAfterMs = 20;
/** As over a network: the head comes first, and the body not all at once. */
const pieceAfterMs = 20;

/** The head of a batch and a part of its body. */
const beginning = (keyId: string, bytes: number): string =>
  wronglySigned(keyId, batchPath, 'Content-Type: application/json', `Content-Length: ${batchBytes}`) +
  'x'.repeat(bytes);

/** Keeps connections open, each with a body that never ends. */
function holdUnended({ webPort, attacker }: Target) {
  const open = new Set<Socket>();
  let isOver = false;
  let sent = 0;
  function openOne(bytes: number): void {
    if (isOver) return;
    const socket = connect({ port: webPort, host });
    open.add(socket);
    socket.write(beginning(attacker.key.apiKey, bytes));
    sent += bytes;
    socket.on('error', () => undefined).resume();
    socket.on('close', () => {
      open.delete(socket);
      setTimeout(openOne, reopenAfterMs, bytes);
    });
  }
  for (const bytes of unended) openOne(bytes);
  return {
    bytes: () => sent,
    stop: (): void => {
      isOver = true;
      for (const socket of open) socket.destroy();
    },
  };
}

/** @returns the status. Rejects if there is no answer. */
async function sendInPieces({ webPort, attacker }: Target, body: string): Promise<number> {
  const headers = {
    ...signingHeaders(attacker.key, { method: 'POST', path: batchPath, body }),
    ...{ 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
  };
  const sending = request({ host, port: webPort, method: 'POST', path: batchPath, headers });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  sending.flushHeaders();
  for (const piece of [body.slice(0, 6_000), body.slice(6_000)]) {
    await delay(pieceAfterMs);
    if (!sending.destroyed) sending.write(piece);
  }
  sending.end();
  const [answer] = await answered;
  answer.resume();
  return answer.statusCode ?? 0;
}

/** A stranger, who knows a key's id, sends bodies that never end, while the owner of the key sends batches. */
export const halfSentBodies: Attack = {
  name: 'half-sent-bodies',
  what: `${unended.length} batches under the id of a key, wrongly signed and never ended, while its owner sends ${batchesPerSecond} a second`,
  against: 'web',
  start(target, { seconds, share }) {
    const strangers = holdUnended(target);
    const [sourceWalletId, targetWalletId] = target.attacker.walletIds;
    const line = { sourceWalletId, targetWalletId, amount: '0.01', currency: 'USD' };
    const metadata = Object.fromEntries(Array.from({ length: 10 }, (_, key) => [`k${key}`, 'x'.repeat(300)]));
    const body = JSON.stringify({ transfers: Array.from({ length: 18 }, () => ({ ...line, metadata })) });
    const statuses: number[] = [];
    let sent = 0;
    const done = (): number => statuses.filter((status) => status === 200).length;
    return {
      sent: evenly(Math.ceil(batchesPerSecond * seconds * share), seconds, () => {
        sent += 1;
        void sendInPieces(target, body).then(
          (status) => statuses.push(status),
          () => statuses.push(0),
        );
      }),
      bytes: strangers.bytes,
      owed: () => (done() === sent ? [] : [`${sent - done()} of the owner’s ${sent} batches are not made`]),
      seen: () => `of the owner’s ${sent} batches ${done()} are made`,
      stop: strangers.stop,
    };
  },
};
