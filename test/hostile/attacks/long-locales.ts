import { connect } from 'node:net';
import { evenly, host, type Attack } from '../attack.ts';

const requestsPerSecond = 35;
/** A well-formed tag of so many variants that finding its locale would take tens of milliseconds. */
const variants = Array.from({ length: 3_000 }, (_, index) => `${index + 5_000}`).join('-');
const request = [
  'GET /api/v1/wallets HTTP/1.1',
  'Host: a',
  'Connection: close',
  `X-LOCALE: en-${variants}`,
  '\r\n',
].join('\r\n');

/** Knows no key. */
export const longLocales: Attack = {
  name: 'long-locales',
  what: `${requestsPerSecond} requests a second with an X-LOCALE of 15 kB`,
  against: 'web',
  start({ webPort }, { seconds, share }) {
    let sent = 0;
    let answered = 0;
    function sendRequest(): void {
      const socket = connect(webPort, host);
      socket.on('error', () => undefined);
      sent += 1;
      socket.once('data', () => (answered += 1));
      socket.end(request);
    }
    return {
      sent: evenly(Math.ceil(requestsPerSecond * seconds * share), seconds, sendRequest),
      bytes: () => sent * request.length,
      owed: () => (sent === answered ? [] : [`${sent - answered} requests with a long locale were not answered`]),
      stop: () => undefined,
    };
  },
};
