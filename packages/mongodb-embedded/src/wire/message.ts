import { deserialize } from 'bson';
import type { Document, Value } from '../semantics/values.ts';
import { crc32c } from './crc32c.ts';

/** One request as it came over a connection. A legacy OP_QUERY is answered by an OP_REPLY, all else by OP_MSG. */
export interface Request {
  requestId: number;
  legacy: boolean;
  /** The client asks for no answer at all (an unacknowledged write). */
  moreToCome: boolean;
  command: Document;
}

/** Bytes of the longest message a client may send, as `isMaster` tells it. */
export const messageBytesMax = 48_000_000;
const headerBytes = 16;
const opcode = { reply: 1, query: 2004, message: 2013 };
const flag = { checksumPresent: 1, moreToCome: 2, requiredMask: 0xffff };
/** Where the name of a document's first field stands, behind length and type: in a command, it is the command's. */
const firstNameAt = 5;
const insertName = 'insert\0';
const decoding = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;

/** A stored or received document with its exact BSON types: numbers stay Int32, Long, Double or Decimal128. */
export function decodeDocument(bytes: Uint8Array): Document {
  return deserialize(bytes, decoding);
}

const received = new WeakMap<Document, Uint8Array>();

/** The bytes that a document to be inserted, or of a list section, came in; undefined for every other document. */
export function receivedBytes(document: Document): Uint8Array | undefined {
  return received.get(document);
}

/**
 * Reads a whole message, header included. Throws on anything malformed or of an unknown kind; the connection
 * cannot go on then, because where the next message begins is no longer known.
 * Source: https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
 */
export function readRequest(frame: Buffer): Request {
  const requestId = frame.readInt32LE(4);
  const kind = frame.readInt32LE(12);
  if (kind === opcode.message) return { requestId, legacy: false, ...readMessage(frame) };
  if (kind === opcode.query) return { requestId, legacy: true, moreToCome: false, command: readQuery(frame) };
  throw new Error(`unknown opcode ${kind}`);
}

/** What goes before an encoded reply document in the answer to a request. */
export function replyHeader(request: Request, body: Uint8Array, replyId: number): Buffer {
  const prefix = request.legacy ? legacyPrefix() : Buffer.alloc(5);
  const header = Buffer.alloc(headerBytes);
  header.writeInt32LE(headerBytes + prefix.length + body.length, 0);
  header.writeInt32LE(replyId, 4);
  header.writeInt32LE(request.requestId, 8);
  header.writeInt32LE(request.legacy ? opcode.reply : opcode.message, 12);
  return Buffer.concat([header, prefix]);
}

function readMessage(frame: Buffer): { moreToCome: boolean; command: Document } {
  const flags = frame.readUInt32LE(headerBytes);
  if (flags & flag.requiredMask & ~(flag.checksumPresent | flag.moreToCome)) throw new Error('unknown OP_MSG flag');
  let end = frame.length;
  if (flags & flag.checksumPresent) {
    end -= 4;
    if (crc32c(frame.subarray(0, end)) !== frame.readUInt32LE(end)) throw new Error('OP_MSG checksum does not match');
  }
  let command: Document | undefined;
  const sequences: Document = {};
  for (let at = headerBytes + 4; at < end;) {
    const section = frame[at++];
    const size = frame.readInt32LE(at);
    if (size < 5 || at + size > end) throw new Error('OP_MSG section beyond its message');
    const bytes = frame.subarray(at, at + size);
    if (section === 0 && command === undefined) command = decodeBody(bytes);
    else if (section === 1) readSequence(bytes, sequences);
    else throw new Error('unexpected OP_MSG section');
    at += size;
  }
  if (command === undefined) throw new Error('OP_MSG without a body');
  for (const name of Object.keys(sequences)) if (name in command) throw new Error(`field ${name} is given twice`);
  return { moreToCome: (flags & flag.moreToCome) !== 0, command: { ...command, ...sequences } };
}

/** A command's own document. Those of an insert keep their bytes, to be stored as they came. */
function decodeBody(bytes: Buffer): Document {
  if (bytes.toString('latin1', firstNameAt, firstNameAt + insertName.length) !== insertName)
    return decodeDocument(bytes);
  const command: Document = deserialize(bytes, { ...decoding, fieldsAsRaw: { documents: true } });
  const listed: unknown = command['documents'];
  return Array.isArray(listed) ? { ...command, documents: listed.map(decodeListed) } : command;
}

function decodeListed(value: Value | Uint8Array): Value {
  return value instanceof Uint8Array ? decodeReceived(value) : value;
}

function decodeReceived(bytes: Uint8Array): Document {
  const document = decodeDocument(bytes);
  received.set(document, bytes);
  return document;
}

/** A section of kind 1: the documents of one list field of the command, one after the other. */
function readSequence(bytes: Buffer, into: Document): void {
  const nameEnd = bytes.indexOf(0, 4);
  if (nameEnd < 0) throw new Error('document sequence without a name');
  const documents: Document[] = [];
  for (let at = nameEnd + 1; at < bytes.length;) {
    const size = bytes.readInt32LE(at);
    if (size < 5 || at + size > bytes.length) throw new Error('document beyond its sequence');
    documents.push(decodeReceived(bytes.subarray(at, at + size)));
    at += size;
  }
  into[bytes.toString('utf8', 4, nameEnd)] = documents;
}

function readQuery(frame: Buffer): Document {
  const nameEnd = frame.indexOf(0, headerBytes + 4);
  const namespace = frame.toString('utf8', headerBytes + 4, nameEnd);
  if (!namespace.endsWith('.$cmd')) throw new Error('only commands are answered over OP_QUERY');
  const at = nameEnd + 9;
  const command = decodeDocument(frame.subarray(at, at + frame.readInt32LE(at)));
  return { ...command, $db: namespace.slice(0, -'.$cmd'.length) };
}

/** OP_REPLY: no flags, no cursor, one document. */
function legacyPrefix(): Buffer {
  const prefix = Buffer.alloc(20);
  prefix.writeInt32LE(1, 16);
  return prefix;
}
