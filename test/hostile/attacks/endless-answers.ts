import { createServer, type AddressInfo, type Socket } from 'node:net';
import { endpointsMax } from '../../../src/storage/webhooks/endpoints.ts';
import { evenly, host, type Attack } from '../attack.ts';
import { deliverOnce, env, openOwner } from './webhook-owners.ts';

const transfersPerSecond = 5;
/** A chunk of one byte takes six; more than sixteen thousand bytes of body are left unread anyhow. */
const chunkCount = 16_000;

/** Its owner has webhooks whose receiver answers without end, or in the smallest pieces, and makes transfers. */
function answering(name: string, what: string, answer: (socket: Socket) => void): Attack {
  return {
    name,
    what: `${endpointsMax} webhooks, ${transfersPerSecond} transfers a second; ${what}`,
    against: 'worker',
    env,
    warmUp: deliverOnce,
    async start(target, { seconds, share }) {
      const open = new Set<Socket>();
      let bytes = 0;
      const server = createServer((socket) => {
        open.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          open.delete(socket);
          bytes += socket.bytesWritten;
        });
        socket.on('data', () => {
          answer(socket);
        });
      });
      await new Promise<void>((resolve) => server.listen(0, host, resolve));
      const receiver = {
        url: `http://${host}:${(server.address() as AddressInfo).port}/`,
        close() {
          for (const socket of open) socket.destroy();
          server.close();
        },
      };
      const owner = await openOwner(target, receiver, endpointsMax);
      const made: Promise<unknown>[] = [];
      return {
        sent: evenly(Math.ceil(transfersPerSecond * seconds * share), seconds, () => {
          made.push(owner.transfer().catch(() => undefined));
        }),
        bytes: () => bytes,
        // What it owes is to be rid of the answers.
        owed: () => (open.size > 0 ? [`${open.size} connections still wait for the end of an answer`] : []),
        async stop() {
          await Promise.all(made);
          await owner.stop();
        },
      };
    },
  };
}

export const endlessInterimAnswers = answering(
  'endless-interim-answers',
  'each is answered 103 without end',
  (socket) => {
    const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100);
    const more = (): void => void socket.write(interim, (error) => (error ? undefined : setImmediate(more)));
    more();
  },
);

export const tinyAnswers = answering(
  'tiny-answers',
  `each is answered 200, in ${chunkCount} chunks of a byte`,
  (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.write(`${'1\r\na\r\n'.repeat(chunkCount)}0\r\n\r\n`);
  },
);
