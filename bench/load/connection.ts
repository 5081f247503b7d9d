import { once } from 'node:events';
import { connect } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** One kept-alive connection with at most one request on its way; far cheaper than a full HTTP client. */
export interface LoadConnection {
  /** `onAnswer` gets undefined where the connection broke before the answer was whole. */
  send(request: Buffer, onAnswer: (answer: HttpAnswer | undefined) => void): void;
  close(): void;
}

const headEnd = '\r\n\r\n';
const statusAt = 'HTTP/1.1 '.length;
const lengthHeader = /\r\ncontent-length: (\d+)/i;

/** @throws where nothing listens there. */
export async function openConnection(host: string, port: number): Promise<LoadConnection> {
  const socket = connect({ host, port, noDelay: true });
  await once(socket, 'connect');
  let received = '';
  let waiting: ((answer: HttpAnswer | undefined) => void) | undefined;

  const settle = (answer: HttpAnswer | undefined): void => {
    const onAnswer = waiting;
    waiting = undefined;
    received = '';
    onAnswer?.(answer);
  };
  // One byte a character: lengths in the headers count bytes, and the answers' own text is ASCII where it is looked at.
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    const answer = parse(received);
    if (answer !== undefined) settle(answer);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    settle(undefined);
  });
  return {
    send(request, onAnswer) {
      waiting = onAnswer;
      socket.write(request);
    },
    close() {
      socket.removeAllListeners('close');
      socket.destroy();
    },
  };
}

function parse(text: string): HttpAnswer | undefined {
  const end = text.indexOf(headEnd);
  if (end === -1) return undefined;
  const length = Number(lengthHeader.exec(text.slice(0, end))?.[1] ?? 0);
  const bodyAt = end + headEnd.length;
  if (text.length < bodyAt + length) return undefined;
  return { status: Number(text.slice(statusAt, statusAt + 3)), body: text.slice(bodyAt, bodyAt + length) };
}
