import type { Duplex } from 'node:stream';

/** What a receiver may send from one request to the next: its headers, interim answers and framing too. */
export const answerBytesMax = 65_536;
/** In how many pieces it may come: reads, interim answers and chunks of the body. Each costs time. */
export const answerPiecesMax = 512;

/** The receiver sent more, or in more pieces, than an answer may have. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

const meters = new WeakMap<Duplex, AnswerMeter>();

/**
 * Counts what a receiver sends on a connection, from one request to the next, and closes the connection once that is more than
 * {@link answerBytesMax} or {@link answerPiecesMax}, also while it is idle. Node itself limits headers, trailers and framing.
 */
export class AnswerMeter {
  readonly #socket: Duplex;
  #bytes = 0;
  #pieces = 0;

  private constructor(socket: Duplex) {
    this.#socket = socket;
    // Before Node's parser, for which an answer may end with what is too much.
    socket.prependListener('data', (read: Buffer) => {
      this.count(read.length);
    });
    // An idle connection may have no other listener.
    socket.on('error', () => undefined);
    meters.set(socket, this);
  }

  static of(socket: Duplex): AnswerMeter {
    return meters.get(socket) ?? new AnswerMeter(socket);
  }

  /** Counts anew, for a request that begins. */
  begin(): void {
    this.#bytes = 0;
    this.#pieces = 0;
  }

  /** Whether anything has come since then. */
  get hasHeard(): boolean {
    return this.#pieces > 0;
  }

  /** Counts a piece. @param bytes none for one that came with a read. */
  count(bytes = 0): void {
    // The parser goes through to the end of what was read, piece by piece. Of the rest nothing is worth an error.
    if (this.#socket.destroyed) return;
    this.#bytes += bytes;
    this.#pieces += 1;
    if (this.#bytes > answerBytesMax || this.#pieces > answerPiecesMax) this.#socket.destroy(new AnswerTooLarge());
  }
}
