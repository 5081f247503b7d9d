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
  if (cursor === undefined) return fields;
  return wrap([element(0x03, 'cursor'), encodeCursor(cursor), fields.subarray(4, fields.length - 1)]);
}

function encodeCursor(cursor: CursorReply): Buffer {
  const elements = cursor.documents.flatMap((document, index) => [element(0x03, String(index)), document]);
  const id = Buffer.alloc(8);
  id.writeBigInt64LE(cursor.id);
  const name = Buffer.from(`${cursor.ns}\0`);
  const nameLength = Buffer.alloc(4);
  nameLength.writeInt32LE(name.length);
  const batch = wrap(elements);
  return wrap([element(0x04, cursor.batch), batch, element(0x12, 'id'), id, element(0x02, 'ns'), nameLength, name]);
}

function element(type: number, name: string): Buffer {
  const bytes = Buffer.from(`\0${name}\0`);
  bytes[0] = type;
  return bytes;
}

/** Puts the length before the elements of a document and the end mark behind them. */
function wrap(elements: Uint8Array[]): Buffer {
  const document = Buffer.concat([Buffer.alloc(4), ...elements, Buffer.alloc(1)]);
  document.writeInt32LE(document.length);
  return document;
}
