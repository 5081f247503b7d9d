import { connect, type Socket } from 'node:net';
import { evenly, host, type Attack } from '../attack.ts';

/** What Node reads at once, and so parses before it looks whether anybody reads. */
const packetBytes = 64 * 1024;
const request = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
const requestsInPacket = Math.floor(packetBytes / request.length);
const packetsPerSecond = 1;
const probeEveryMs = 500;

/** Knows no key. */
export const unreadAnswers: Attack = {
  name: 'unread-answers',
  what: `${packetsPerSecond} packet a second of ${requestsInPacket} pipelined GET /openapi.json, whose answers are never read`,
  against: 'web',
  start({ webPort }, { seconds, share }) {
    const unread = new Set<Socket>();
    const lost = new Set<Socket>();
    // A socket that is not read from learns of its end by writing alone; an empty line before a request means nothing.
    const probing = setInterval(() => {
      for (const socket of unread) if (!lost.has(socket)) socket.write('\r\n');
    }, probeEveryMs).unref();
    function sendPacket(): void {
      const socket = connect(webPort, host).pause();
      unread.add(socket);
      socket.on('error', () => lost.add(socket));
      socket.on('close', () => lost.add(socket));
      socket.write(request.repeat(requestsInPacket));
    }
    return {
      sent: evenly(Math.ceil(packetsPerSecond * seconds * share), seconds, sendPacket),
      bytes: () => unread.size * requestsInPacket * request.length,
      owed: () =>
        unread.size === lost.size
          ? []
          : [`${unread.size - lost.size} connections that nobody reads from are still open`],
      stop() {
        clearInterval(probing);
        for (const socket of unread) socket.destroy();
      },
    };
  },
};
