import { deserialize, serialize, type Document } from 'bson';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** How a command travels, if not as the body of a plain OP_MSG. */
export interface Transport {
  sequences?: Record<string, Document[]>;
  legacyDatabase?: string;
  isUnanswered?: boolean;
}

/** What came back: a reply, or the connection was closed. */
export type Answer = { document: Document; opcode: number } | 'closed' | 'unanswered';

/** A bare connection: the recordings are about bytes on the wire, which a driver would hide. */
export interface WireClient {
  send(command: Document, transport?: Transport): Promise<Answer>;
  isClosed(): boolean;
  close(): Promise<void>;
}

const decoding = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;
const opcode = { query: 2004, message: 2013 };
let requests = 0;

export async function openWireClient(host: string, port: number): Promise<WireClient> {
  const socket = connect({ host, port, noDelay: true });
  await once(socket, 'connect');
  const waiting: ((answer: Answer) => void)[] = [];
  let received = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    received = Buffer.concat([received, data]);
    while (received.length >= 4 && received.length >= received.readInt32LE(0)) {
      const size = received.readInt32LE(0);
      waiting.shift()?.(readAnswer(received.subarray(0, size)));
      received = received.subarray(size);
    }
  });
  socket.on('close', () => {
    for (const answer of waiting.splice(0)) answer('closed');
  });
  return {
    isClosed: () => socket.closed || socket.destroyed,
    async send(command, transport = {}) {
      if (socket.destroyed) return 'closed';
      write(socket, command, transport);
      if (transport.isUnanswered) return 'unanswered';
      return new Promise((resolve) => waiting.push(resolve));
    },
    async close() {
      if (socket.closed) return;
      socket.destroy();
      await once(socket, 'close');
    },
  };
}

function write(socket: Socket, command: Document, { sequences = {}, legacyDatabase, isUnanswered }: Transport): void {
  const parts: Uint8Array[] = [];
  if (legacyDatabase === undefined) {
    parts.push(int32(isUnanswered ? 2 : 0), Uint8Array.of(0), serialize(command));
    for (const [name, documents] of Object.entries(sequences)) {
      const content = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((document) => serialize(document))]);
      parts.push(Uint8Array.of(1), int32(content.length + 4), content);
    }
  } else {
    parts.push(int32(0), Buffer.from(`${legacyDatabase}.$cmd\0`), int32(0), int32(-1), serialize(command));
  }
  const body = Buffer.concat(parts);
  const kind = legacyDatabase === undefined ? opcode.message : opcode.query;
  socket.write(Buffer.concat([int32(body.length + 16), int32(++requests), int32(0), int32(kind), body]));
}

function readAnswer(message: Buffer): Answer {
  const kind = message.readInt32LE(12);
  const start = kind === opcode.message ? 21 : 36;
  return { document: deserialize(message.subarray(start), decoding), opcode: kind };
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
