import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable, type Duplex } from 'node:stream';
import { ServiceError, type ErrorName } from '../errors.ts';

/** A body's greatest size in bytes, where its endpoint declares no other. */
export const usualBodyBytesMax = 64 * 1024;
/** Pieces, which are chunks or TCP segments, that a body may have whatever its size. */
const piecesFree = 256;
/** What each further piece must hold on average. */
const pieceBytesMin = 32;
/** What a body may take on the wire, chunk extensions included, by its greatest size. */
const wireFactor = 4;
const firstCapacity = 512;

/**
 * Bodies beyond this size count as large. What the API takes is smaller, so its clients never meet the bounds of large ones;
 * and a connection may take as much for headers anyway.
 */
const smallBytesMax = 4 * 1024;
/** What the large bodies of a process may hold together, and those of one key or one address. */
const usualLimits = { bytesMax: 32 * 1024 * 1024, ownerBytesMax: 4 * 1024 * 1024 };
const retryAfterSeconds = 1;

/** What large bodies hold, of each owner and in all. */
export interface BodyRoom {
  /** Takes for every owner, or for none. @returns whether there was room. */
  take(owners: readonly string[], bytes: number): boolean;
  give(owners: readonly string[], bytes: number): void;
}

/** Owner of everything in a process. */
const everybody = 'process';

export function createBodyRoom({ bytesMax, ownerBytesMax } = usualLimits): BodyRoom {
  const held = new Map<string, number>();
  const heldBy = (owner: string): number => held.get(owner) ?? 0;
  const limitOf = (owner: string): number => (owner === everybody ? bytesMax : ownerBytesMax);
  return {
    take(owners, bytes) {
      if (bytes === 0) return true;
      if (owners.some((owner) => heldBy(owner) + bytes > limitOf(owner))) return false;
      for (const owner of owners) held.set(owner, heldBy(owner) + bytes);
      return true;
    },
    give(owners, bytes) {
      for (const owner of owners) {
        const left = heldBy(owner) - bytes;
        if (left > 0) held.set(owner, left);
        else held.delete(owner);
      }
    },
  };
}

export type Received = Buffer | ServiceError;

const bodies = new WeakMap<IncomingMessage, ReceivedBody>();

/** Undefined if the request announces no body, or did not come through {@link receiveBody}. */
export function bodyOf(req: IncomingMessage): ReceivedBody | undefined {
  return bodies.get(req);
}

/**
 * Bounds what a body costs, whoever reads it, and whether or not anybody does. Call it when the headers are there, before
 * any of the body is parsed.
 *
 * Node makes a buffer of each chunk, hundreds of bytes for one of one byte, and keeps it until it is read. Here the bytes are
 * copied into one buffer that grows with them, and are read from there: through {@link bodyOf}, or as a stream, which then
 * is one piece. Reading from the connection stops for good where the body is too large, comes in far more pieces than its
 * size justifies, or finds no room; and as soon as the request is answered. That answer ends the connection.
 *
 * What Node has read by then, its parser goes through to the end. That is 64 KiB at most, and nothing of it is kept.
 * @param bytesMax the body's greatest size.
 */
export function receiveBody(
  req: IncomingMessage,
  res: ServerResponse,
  room: BodyRoom,
  bytesMax = usualBodyBytesMax,
): void {
  if (!hasNoBody(req)) bodies.set(req, new ReceivedBody(req, res, room, bytesMax));
}

/** A request that announces no body has none, so none has to be awaited. Source: RFC 9112, part 6.3. */
export function hasNoBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding === undefined && (length === undefined || length === '0');
}

/** A body on its way: coming, then complete or stopped; and its memory is released once, whatever its state. */
export class ReceivedBody {
  readonly #socket: Socket;
  readonly #room: BodyRoom;
  readonly #bytesMax: number;
  readonly #wireBefore: number;
  readonly #received = Promise.withResolvers<Received>();
  readonly #owners = [everybody];
  /** Further owners, where they were not asked for yet. */
  #ownersOf: (() => readonly string[]) | undefined;
  #buffer = Buffer.alloc(0);
  #length = 0;
  #pieces = 0;
  /** How much of the buffer counts as that of a large body. */
  #counted = 0;
  /** Undefined while the body is coming. */
  #outcome: Received | undefined;
  #isReleased = false;

  constructor(req: IncomingMessage, res: ServerResponse, room: BodyRoom, bytesMax: number) {
    this.#socket = req.socket;
    this.#room = room;
    this.#bytesMax = bytesMax;
    this.#wireBefore = req.socket.bytesRead;
    const announced = req.headers['content-length'];
    const mayStay = res.shouldKeepAlive;
    let [isStreamed, isEnded] = [false, false];
    const stream = (): void => {
      if (!isStreamed) return;
      // Whoever reads a stream learns from the end of the connection that there will be none.
      if (this.#outcome instanceof ServiceError && !res.writableEnded) req.destroy();
      // Only at the end: Node would take an earlier end for one that is cut short.
      if (this.#outcome instanceof Buffer && isEnded) streamOut(req, this.#outcome);
    };
    res.shouldKeepAlive = false;
    res.once('prefinish', () => {
      if (!(this.#outcome instanceof Buffer)) this.#stop('BODY_INCOMPLETE');
    });
    // Node's parser pushes each piece into the request, and null at the end. Not a subclass, because Express replaces the
    // prototype of every request.
    req.push = (piece: Buffer | null) => {
      if (piece !== null) this.#add(piece);
      isEnded = piece === null;
      if (this.#outcome === undefined && (isEnded || this.#length === Number(announced))) {
        if (!res.headersSent) res.shouldKeepAlive = mayStay;
        this.#settle(this.#buffer.subarray(0, this.#length));
      }
      stream();
      return true;
    };
    req._read = () => {
      isStreamed = true;
      stream();
    };
    if (Number(announced) > bytesMax) this.#stop('BODY_TOO_LARGE');
  }

  /** Memory that is held for it, in bytes. */
  get heldBytes(): number {
    return this.#buffer.length;
  }

  /**
   * The bytes, at once if they are there. Or why there will be none: BODY_TOO_LARGE, BODY_FRAGMENTED, TOO_MANY_BODIES, or
   * BODY_INCOMPLETE if the connection is lost, even if all had come before that.
   * @param ownersOf whose large bodies share a bound, beside that of the process; such as a key and an address. It is asked
   * only where the body is large.
   */
  read(ownersOf: () => readonly string[]): Received | Promise<Received> {
    // What was given back is no empty body: whoever took it for one would find the signature wrong.
    if (this.#isReleased) return new ServiceError('BODY_INCOMPLETE');
    if (this.#outcome !== undefined) return this.#outcome;
    this.#ownersOf = ownersOf;
    if (this.#counted > 0 && !this.#countFor(0)) this.#stop('TOO_MANY_BODIES');
    return this.#received.promise;
  }

  /** Gives its memory back. What is still coming is given up. */
  release(): void {
    this.#isReleased = true;
    if (this.#outcome === undefined) this.#settle(new ServiceError('BODY_INCOMPLETE'));
    this.#giveBack();
  }

  #add(piece: Buffer): void {
    // It was stopped by an earlier piece of the same read, or by the answer.
    if (this.#outcome !== undefined) return;
    this.#pieces += 1;
    const length = this.#length + piece.length;
    const wireBytes = this.#socket.bytesRead - this.#wireBefore;
    const isFragmented = this.#pieces > piecesFree + length / pieceBytesMin || wireBytes > wireFactor * this.#bytesMax;
    if (length > this.#bytesMax) this.#stop('BODY_TOO_LARGE');
    else if (isFragmented) this.#stop('BODY_FRAGMENTED');
    else if (length > this.#buffer.length && !this.#grow(length)) this.#stop('TOO_MANY_BODIES');
    else {
      piece.copy(this.#buffer, this.#length);
      this.#length = length;
    }
  }

  /** @returns whether there was room. */
  #grow(lengthMin: number): boolean {
    const capacity = Math.min(this.#bytesMax, Math.max(firstCapacity, 2 * this.#buffer.length, lengthMin));
    const more = Math.max(0, capacity - smallBytesMax) - this.#counted;
    if (more > 0 && !this.#countFor(more)) return false;
    // Not of Node's pool, all of which a few bytes would keep.
    const grown = Buffer.allocUnsafeSlow(capacity);
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
    return true;
  }

  /** Counts so many bytes more, and what is counted already for owners that were not known then. */
  #countFor(bytes: number): boolean {
    const added = this.#ownersOf?.() ?? [];
    if (!this.#room.take(added, this.#counted)) return false;
    this.#ownersOf = undefined;
    this.#owners.push(...added);
    if (!this.#room.take(this.#owners, bytes)) return false;
    this.#counted += bytes;
    return true;
  }

  #stop(reason: ErrorName): void {
    stopReading(this.#socket);
    if (this.#outcome !== undefined) return;
    this.#settle(new ServiceError(reason, reason === 'TOO_MANY_BODIES' ? { retryAfterSeconds } : {}));
    this.#giveBack();
  }

  #settle(outcome: Received): void {
    this.#outcome = outcome;
    this.#received.resolve(outcome);
  }

  #giveBack(): void {
    this.#room.give(this.#owners, this.#counted);
    this.#counted = 0;
    this.#buffer = Buffer.alloc(0);
    if (this.#outcome instanceof Buffer) this.#outcome = this.#buffer;
  }
}

/** Gives the request its body as the stream that it is for others. */
function streamOut(req: IncomingMessage, bytes: Buffer): void {
  if (bytes.length > 0) Readable.prototype.push.call(req, bytes);
  Readable.prototype.push.call(req, null);
}

/** Reads nothing more from a connection, which is to end. Node would go on by itself with the end of a request. */
export function stopReading(socket: Duplex): void {
  socket.pause();
  if (!socket.listeners('resume').includes(pauseAgain)) socket.on('resume', pauseAgain);
}

function pauseAgain(this: Duplex): void {
  this.pause();
}
