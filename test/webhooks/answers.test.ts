import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { answerBytesMax, answerPiecesMax } from '../../src/webhooks/answer-meter.ts';
import { createWebhookSender } from '../../src/webhooks/send.ts';
import { createAuthority } from '../support/certificates.ts';
import { waitFor } from '../support/wait-for.ts';

const never = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'answers-'));
let certificate: { ca: string; cert: Buffer; key: Buffer };

beforeAll(() => {
  const authority = createAuthority(folder, 'authority');
  const { certFile, keyFile } = authority.sign('receiver', 'IP:127.0.0.1');
  certificate = { ca: authority.pem, cert: readFileSync(certFile), key: readFileSync(keyFile) };
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

type Protocol = 'http' | 'https';

/** A receiver that says what it likes, and one who sends to it. @param talk is told which connection it is, from 0. */
async function start(protocol: Protocol, talk: (socket: Socket, connection: number) => void) {
  const connections: Socket[] = [];
  const onConnection = (socket: Socket): void => {
    socket.on('error', () => undefined).setNoDelay(true);
    talk(socket, connections.push(socket) - 1);
  };
  const server: Server = protocol === 'http' ? createServer(onConnection) : createTlsServer(certificate, onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sender = createWebhookSender({ allowsLocal: true, ca: certificate.ca });
  onTestFinished(() => {
    sender.close();
    for (const socket of connections) socket.destroy();
    server.close();
  });
  const url = `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { connections, send: () => sender.send(url, {}, '{}', never) };
}

const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;
const proper = `${head}Content-Length: 2\r\n\r\nok`;

/** Says the same again until nobody listens. */
function sendForEver(socket: Socket, text: string): void {
  const more = (): void => void socket.write(text, (error) => (error ? undefined : setImmediate(more)));
  more();
}

/** Each in a packet of its own, as far as the network lets it. */
function byByte(socket: Socket, text: string): void {
  const [byte] = text;
  if (byte === undefined || socket.destroyed) return;
  socket.write(byte, (error) => (error ? undefined : setImmediate(byByte, socket, text.slice(1))));
}

const onEachRequest = (socket: Socket, answer: (count: number) => void): void => {
  let count = 0;
  socket.on('data', () => {
    answer(count++);
  });
};

const excessive: Record<string, (socket: Socket) => void> = {
  '100 without end': (socket) => {
    sendForEver(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100));
  },
  '102 without end': (socket) => {
    sendForEver(socket, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100));
  },
  '103 without end': (socket) => {
    sendForEver(socket, `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n`);
  },
  'many 103, and then a proper answer': (socket) =>
    socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(answerPiecesMax) + proper),
  'a proper answer in chunks of one byte': (socket) =>
    socket.write(`${chunked}${'1\r\na\r\n'.repeat(answerPiecesMax + 1)}0\r\n\r\n`),
  'chunks of one byte without end': (socket) => {
    socket.write(chunked);
    sendForEver(socket, '1\r\na\r\n'.repeat(100));
  },
  'a proper answer, a byte a packet': (socket) => {
    byByte(socket, `${head}X: ${'a'.repeat(8_000)}\r\nContent-Length: 2\r\n\r\nok`);
  },
  'a length of a chunk with zeros without end': (socket) => {
    socket.write(chunked);
    sendForEver(socket, '0'.repeat(10_000));
  },
  'chunk extensions without end': (socket) => {
    socket.write(`${chunked}1`);
    sendForEver(socket, ';a=b'.repeat(1_000));
  },
  'trailers without end': (socket) => {
    socket.write(`${chunked}1\r\na\r\n0\r\n`);
    sendForEver(socket, 'x: y\r\n'.repeat(1_000));
  },
  'headers without end': (socket) => {
    socket.write(head);
    sendForEver(socket, 'x:\r\n'.repeat(1_000));
  },
  'a body without end': (socket) => {
    socket.write(`${head}\r\n`);
    sendForEver(socket, 'a'.repeat(65_536));
  },
  'a proper body that is too long': (socket) =>
    socket.write(`${head}Content-Length: ${answerBytesMax}\r\n\r\n${'a'.repeat(answerBytesMax)}`),
};

describe.each<Protocol>(['http', 'https'])('by %s', (protocol) => {
  it.each(Object.entries(excessive))('%s counts as a failure, and the connection is closed', async (_, answer) => {
    const { send, connections } = await start(protocol, (socket) => {
      socket.once('data', () => {
        answer(socket);
      });
    });
    expect(await send()).toMatchObject({ error: 'ANSWER_TOO_LARGE' });
    await waitFor(() => connections.every(({ destroyed }) => destroyed));
  });

  it('interim answers, chunks and length within the limits are taken, with each request on a connection', async () => {
    const within = [
      'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(answerPiecesMax / 2) + proper,
      `${chunked}${'1;a=b\r\na\r\n'.repeat(answerPiecesMax / 2)}0\r\nx: y\r\n\r\n`,
      `${head}Content-Length: 16384\r\n\r\n${'a'.repeat(16_384)}`,
    ];
    const { send, connections } = await start(protocol, (socket) => {
      onEachRequest(socket, (count) => socket.write(within[count % within.length] ?? ''));
    });
    for (let count = 0; count < 3 * within.length; count += 1) {
      expect(await send()).toMatchObject({ status: 200, error: null });
    }
    expect(connections).toHaveLength(1);
  });

  it('what is sent on an idle connection ends it', async () => {
    const { send, connections } = await start(protocol, (socket) => {
      socket.once('data', () => {
        socket.write(proper);
        sendForEver(socket, 'a'.repeat(1_000));
      });
    });
    await send();
    await waitFor(() => connections[0]?.destroyed === true);
  });

  describe('a connection that is used again', () => {
    it('and is reset before any answer: the message is sent once more, at once, on a fresh one', async () => {
      const { send, connections } = await start(protocol, (socket, connection) => {
        onEachRequest(socket, (count) => (connection > 0 || count === 0 ? socket.write(proper) : socket.destroy()));
      });
      expect(await send()).toMatchObject({ status: 200, error: null });
      expect(await send()).toMatchObject({ status: 200, error: null });
      expect(connections).toHaveLength(2);
    });

    it('and so is the fresh one: that is a failure', async () => {
      const { send, connections } = await start(protocol, (socket, connection) => {
        onEachRequest(socket, (count) => (connection === 0 && count === 0 ? socket.write(proper) : socket.destroy()));
      });
      await send();
      expect(await send()).toMatchObject({ status: null, error: 'CONNECTION_FAILED' });
      expect(connections).toHaveLength(2);
    });

    it('and is reset after a part of an answer: that is a failure', async () => {
      const { send, connections } = await start(protocol, (socket) => {
        onEachRequest(socket, (count) => (count === 0 ? socket.write(proper) : socket.end('HTTP/1.1 2')));
      });
      await send();
      expect(await send()).toMatchObject({ status: null, error: 'CONNECTION_FAILED' });
      expect(connections).toHaveLength(1);
    });
  });

  it('a fresh connection that is reset is not tried again', async () => {
    const { send, connections } = await start(protocol, (socket) => {
      socket.once('data', () => socket.destroy());
    });
    expect(await send()).toMatchObject({ status: null, error: 'CONNECTION_FAILED' });
    expect(connections).toHaveLength(1);
  });
});
