import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createClient } from 'signed-wallet-client';
import { evenly, host, type Attack } from '../attack.ts';
import { deliverOnce } from './webhook-owners.ts';

/** As many as a workspace may have. */
const webhookCount = 10;
const transfersPerSecond = 5;
/** A chunk of one byte takes six; more than sixteen thousand bytes of body are left unread anyhow. */
const chunkCount = 16_000;

/** Its owner has webhooks whose receiver answers without end, or in the smallest pieces, and makes transfers. */
function answering(name: string, what: string, answer: (socket: Socket) => void): Attack {
  return {
    name,
    what: `${webhookCount} webhooks, ${transfersPerSecond} transfers a second; ${what}`,
    against: 'worker',
    env: { WEBHOOK_ALLOW_LOCAL: 'true' },
    warmUp: deliverOnce,
    async start({ webPort, attacker }, { seconds, share }) {
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
      const receiver = `http://${host}:${(server.address() as AddressInfo).port}`;
      const client = createClient({ baseUrl: `http://${host}:${webPort}`, ...attacker.key });
      const webhooks: { readonly id: string }[] = [];
      for (let index = 0; index < webhookCount; index += 1) {
        webhooks.push(await client.webhook.create({ url: `${receiver}/${index}`, events: ['transfer.completed'] }));
      }
      const [sourceWalletId = '', targetWalletId = ''] = attacker.walletIds;
      const transfer = { sourceWalletId, targetWalletId, amount: '0.01', currency: 'USD' };
      const made: Promise<unknown>[] = [];
      return {
        sent: evenly(Math.ceil(transfersPerSecond * seconds * share), seconds, () => {
          made.push(client.transfer.create(transfer).catch(() => undefined));
        }),
        bytes: () => bytes,
        // What it owes is to be rid of the answers.
        owed: () => (open.size > 0 ? [`${open.size} connections still wait for the end of an answer`] : []),
        async stop() {
          await Promise.all(made);
          await Promise.all(webhooks.map(({ id }) => client.webhook.delete(id)));
          for (const socket of open) socket.destroy();
          server.close();
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
