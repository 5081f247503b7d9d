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
 * Bodies beyond this size are large. What the API takes is mostly smaller, so its clients seldom meet the bounds of large ones;
 * and a connection may take as much for headers anyway.
 */
export const smallBodyBytesMax = 4 * 1024;
/** What the large bodies of a server may hold together. */
const roomBytesMax = 32 * 1024 * 1024;

/** A large body on its way. */
interface Coming {
  /** Bytes a millisecond, since its headers came. */
  readonly rateAt: (nowMs: number) => number;
  /** Has it refused, and its memory given back. */
  readonly giveWay: () => void;
}

/**
 * The memory for large bodies. Nobody has a share of it, because until a body has come it is not known who sent it. If there is
 * no more, the slowest body on its way gives way: so whoever would keep others out has to send faster than they do, for as
 * many bodies as fill it. A body that has come keeps its memory until that is given back.
 */
export function createBodyRoom(bytesMax = roomBytesMax) {
  const coming = new Set<Coming>();
  let heldBytes = 0;
  return {
    /** Takes memory for a body on its way. @returns false if it is itself the slowest, or no other is on its way. */
    take(body: Coming, bytes: number): boolean {
      while (heldBytes + bytes > bytesMax) {
        const slowest = slowestOf(body, coming);
        if (slowest === body) return false;
        slowest.giveWay();
      }
      coming.add(body);
      heldBytes += bytes;
      return true;
    },
    /** The body has come, or will not. */
    end(body: Coming): void {
      coming.delete(body);
    },
    /** Takes memory back. */
    give(bytes: number): void {
      heldBytes -= bytes;
    },
  };
}

export type BodyRoom = ReturnType<typeof createBodyRoom>;

function slowestOf(body: Coming, others: Iterable<Coming>): Coming {
  const nowMs = performance.now();
  let slowest = body;
  for (const other of others) if (other.rateAt(nowMs) < slowest.rateAt(nowMs)) slowest = other;
  return slowest;
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
 * Node's parser still goes through what it has read by then. That is 64 KiB at most, and nothing of it is kept.
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

/**
 * A body in one of three states, and released or not:
 * - coming: the outcome is undefined; pieces are added;
 * - complete: the outcome is its bytes;
 * - stopped: the outcome says why there will be none. Nothing more is read from the connection.
 * Released, which is done once in any state, it has given its memory back.
 */
export class ReceivedBody {
  readonly #socket: Socket;
  readonly #room: BodyRoom;
  readonly #bytesMax: number;
  readonly #wireBefore: number;
  readonly #received = Promise.withResolvers<Received>();
  readonly #startedAt = performance.now();
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

  rateAt(nowMs: number): number {
    return this.#length / (nowMs - this.#startedAt);
  }

  giveWay(): void {
    this.#stop('TOO_MANY_BODIES');
  }

  /** Memory that is held for it, in bytes. */
  get heldBytes(): number {
    return this.#buffer.length;
  }

  /**
   * The bytes, at once if they are there. Or why there will be none: BODY_TOO_LARGE, BODY_FRAGMENTED, TOO_MANY_BODIES, or
   * BODY_INCOMPLETE if the connection is lost, even if all had come before that.
   */
  read(): Received | Promise<Received> {
    // What was given back is no empty body: whoever took it for one would find the signature wrong.
    if (this.#isReleased) return new ServiceError('BODY_INCOMPLETE');
    if (this.#outcome !== undefined) return this.#outcome;
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
    const before = this.#length;
    const length = before + piece.length;
    this.#length = length;
    const wireBytes = this.#socket.bytesRead - this.#wireBefore;
    const isFragmented = this.#pieces > piecesFree + length / pieceBytesMin || wireBytes > wireFactor * this.#bytesMax;
    if (length > this.#bytesMax) this.#stop('BODY_TOO_LARGE');
    else if (isFragmented) this.#stop('BODY_FRAGMENTED');
    else if (length > this.#buffer.length && !this.#grow(length)) this.#stop('TOO_MANY_BODIES');
    else piece.copy(this.#buffer, before);
  }

  /** @returns whether there was room. */
  #grow(lengthMin: number): boolean {
    const capacity = Math.min(this.#bytesMax, Math.max(firstCapacity, 2 * this.#buffer.length, lengthMin));
    const more = Math.max(0, capacity - smallBodyBytesMax) - this.#counted;
    if (more > 0 && !this.#room.take(this, more)) return false;
    this.#counted += Math.max(0, more);
    // Not of Node's pool, all of which a few bytes would keep.
    const grown = Buffer.allocUnsafeSlow(capacity);
    this.#buffer.copy(grown);
    this.#buffer = grown;
    return true;
  }

  #stop(reason: ErrorName): void {
    stopReading(this.#socket);
    if (this.#outcome !== undefined) return;
    this.#settle(new ServiceError(reason));
    this.#giveBack();
  }

  #settle(outcome: Received): void {
    this.#outcome = outcome;
    this.#room.end(this);
    this.#received.resolve(outcome);
  }

  #giveBack(): void {
    this.#room.give(this.#counted);
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
