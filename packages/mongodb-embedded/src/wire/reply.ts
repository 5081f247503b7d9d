import { serialize } from 'bson';

/** A reply's fields. Plain numbers are allowed here; documents of the user come as encoded bytes in `cursor`. */
export type Reply = Record<string, unknown> & { cursor?: CursorReply };

/** The batch of a cursor, its documents already encoded so that stored bytes travel untouched. */
export interface CursorReply {
  id: bigint;
  ns: string;
  batch: 'firstBatch' | 'nextBatch';
  documents: Uint8Array[];
}

/** A reply as BSON. */
export function encodeReply(reply: Reply): Uint8Array {
  const { cursor, ...rest } = reply;
  const fields = serialize(rest);
  return cursor === undefined ? fields : encodeWithCursor(cursor, fields.subarray(4, fields.length - 1));
}

/** Written into one buffer of the right size: a batch may be 16 MB of small documents. */
function encodeWithCursor({ id, ns, batch, documents }: CursorReply, fields: Uint8Array): Buffer {
  const names = documents.map((_, index) => String(index));
  const content = documents.reduce((sum, { length }, index) => sum + length + (names[index]?.length ?? 0) + 2, 0);
  const batchBytes = content + 5;
  const nsBytes = Buffer.byteLength(ns) + 1;
  const cursorBytes = 4 + (batch.length + 2 + batchBytes) + (4 + 8) + (4 + 4 + nsBytes) + 1;
  const bytes = Buffer.allocUnsafe(4 + ('cursor'.length + 2) + cursorBytes + fields.length + 1);
  let at = 0;
  const name = (type: number, text: string): void => {
    bytes[at++] = type;
    at += bytes.write(text, at, 'latin1');
    bytes[at++] = 0;
  };
  at = bytes.writeInt32LE(bytes.length, at);
  name(0x03, 'cursor');
  at = bytes.writeInt32LE(cursorBytes, at);
  name(0x04, batch);
  at = bytes.writeInt32LE(batchBytes, at);
  for (const [index, document] of documents.entries()) {
    name(0x03, names[index] ?? '');
    bytes.set(document, at);
    at += document.length;
  }
  bytes[at++] = 0;
  name(0x12, 'id');
  at = bytes.writeBigInt64LE(id, at);
  name(0x02, 'ns');
  at = bytes.writeInt32LE(nsBytes, at);
  at += bytes.write(`${ns}\0`, at, 'utf8');
  bytes[at++] = 0;
  bytes.set(fields, at);
  bytes[at + fields.length] = 0;
  return bytes;
}
