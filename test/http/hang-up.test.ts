import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { ServiceError } from '../../src/errors.ts';
import { createApp } from '../../src/http/app.ts';
import { waitFor } from '../support/wait-for.ts';

test('a client that hangs up while its request is checked is known by its address all the same', async () => {
  const seen: (string | undefined)[] = [];
  let arrived = 0;
  let isGone = false;
  const app = createApp(
    [],
    {
      authenticate: async ({ clientAddress }) => {
        arrived += 1;
        await waitFor(() => isGone);
        seen.push(clientAddress());
        throw new ServiceError('IP_NOT_WHITELISTED');
      },
      chargeRate: () => Promise.resolve(),
      trustedProxies: [],
      countFailure: (error, address, socketAddress) => {
        seen.push(address, socketAddress);
        return Promise.resolve(error);
      },
      changeOnce: () => Promise.reject(new Error('no route changes anything here')),
    },
    { clock: systemClock, log: pino({ level: 'silent' }), isDraining: () => false, onAnswered: () => undefined },
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  server.on('connection', (socket) => socket.once('close', () => (isGone = true)));
  await waitFor(() => server.listening);
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET /api/v1/wallets HTTP/1.1\r\nHost: a\r\n\r\n');
  await waitFor(() => arrived === 1);
  client.destroy();
  await waitFor(() => seen.length === 3);
  expect(seen).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
});
