import type { Socket } from 'node:net';
import { deserialize, serialize } from 'bson';
import type { Document } from 'mongodb';

interface Message {
  readonly requestId: number;
  readonly isLegacy: boolean;
  readonly command: Document;
}

const [replyOpcode, queryOpcode, messageOpcode] = [1, 2004, 2013];
const headerBytes = 16;

/** Whole messages of MongoDB's wire protocol. */
export async function* framesOf(socket: Socket): AsyncGenerator<Buffer, void> {
  let received = Buffer.alloc(0);
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, bytes]);
    while (received.length >= 4 && received.length >= received.readInt32LE(0)) {
      const size = received.readInt32LE(0);
      yield received.subarray(0, size);
      received = received.subarray(size);
    }
  }
}

/** Source: MongoDB manual, "Wire Protocol": OP_MSG, and OP_QUERY of the first handshake. */
export function readMessage(frame: Buffer): Message {
  const requestId = frame.readInt32LE(4);
  if (frame.readInt32LE(12) === queryOpcode) {
    const at = frame.indexOf(0, headerBytes + 4) + 1 + 8;
    return { requestId, isLegacy: true, command: deserialize(frame.subarray(at, at + frame.readInt32LE(at))) };
  }
  let command: Document = {};
  const sequences: Document = {};
  for (let at = headerBytes + 4; at < frame.length;) {
    const isSequence = frame[at] === 1;
    const section = frame.subarray(at + 1, at + 1 + frame.readInt32LE(at + 1));
    at += 1 + section.length;
    if (!isSequence) {
      command = deserialize(section);
      continue;
    }
    const nameEnd = section.indexOf(0, 4);
    const documents: Document[] = [];
    for (let from = nameEnd + 1; from < section.length; from += section.readInt32LE(from)) {
      documents.push(deserialize(section.subarray(from, from + section.readInt32LE(from))));
    }
    sequences[section.toString('utf8', 4, nameEnd)] = documents;
  }
  return { requestId, isLegacy: false, command: { ...command, ...sequences } };
}

/** What a primary, or with `msg` a router, says of itself to `isMaster`. Source: MongoDB manual 4.4, "hello". */
export function handshakeOf(maxWireVersion: number): Document {
  return {
    ...{ ismaster: true, maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 },
    ...{ localTime: new Date(), logicalSessionTimeoutMinutes: 30, minWireVersion: 0, maxWireVersion, ok: 1 },
  };
}

export function replyTo({ requestId, isLegacy }: Message, reply: Document): Buffer {
  const body = serialize(reply);
  const prefix = Buffer.alloc(isLegacy ? 20 : 5);
  if (isLegacy) prefix.writeInt32LE(1, 16);
  const header = Buffer.alloc(headerBytes);
  header.writeInt32LE(headerBytes + prefix.length + body.length, 0);
  header.writeInt32LE(requestId, 8);
  header.writeInt32LE(isLegacy ? replyOpcode : messageOpcode, 12);
  return Buffer.concat([header, prefix, body]);
}
