import { escaped } from './escape.ts';

/** One answer as it came over the wire. */
export interface Answer {
  status: number;
  /** By name in lower case. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** Reads the answers of one connection, and accepts nothing that HTTP/1.1 leaves open: what is odd is a fault. */
export interface AnswerReader {
  answers: readonly Answer[];
  /** What was wrong with the bytes, once something was; nothing is read after that. */
  problem(): string | undefined;
  take(chunk: Buffer): void;
  /** No more comes. */
  end(): void;
}

const shownMax = 200;
const headEnd = '\r\n\r\n';
const headBytesMax = 16_384;
const notModified = 304;
const statusLine = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]+$/;
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/;

/**
 * Whether an answer has a body: not that to a HEAD; and it may or may not where the service may have refused the request
 * before it knew its method.
 */
export type HasBody = 'yes' | 'no' | 'either';

/** @param hasBody of the answer to the request with this place on the connection. */
export function createAnswerReader(hasBody: (index: number) => HasBody): AnswerReader {
  const answers: Answer[] = [];
  let chunks: Buffer[] = [];
  let [held, needed] = [0, 1];
  let problem: string | undefined;
  let hasEnded = false;

  function readOne(bytes: Buffer): number | undefined {
    const end = bytes.indexOf(headEnd);
    if (end === -1) {
      if (bytes.length > headBytesMax) throw new Error('an answer whose headers do not end');
      needed = bytes.length + 1;
      return undefined;
    }
    const { status, headers } = readHead(bytes.subarray(0, end).toString('latin1'));
    const bodyAt = end + headEnd.length;
    if (status < 200) return bodyAt;
    const expected = status === notModified ? 'no' : hasBody(answers.length);
    if (expected === 'either' && !hasEnded) {
      needed = Infinity;
      return undefined;
    }
    // A body that begins as an answer does would be the answer to what follows.
    const isNext = bytes.length === bodyAt || bytes.subarray(bodyAt).toString('latin1').startsWith('HTTP/1.1 ');
    const isWithout = expected === 'no' || (expected === 'either' && isNext);
    const length = isWithout ? 0 : lengthOf(headers);
    if (bytes.length < bodyAt + length) {
      needed = bodyAt + length;
      return undefined;
    }
    answers.push({ status, headers, body: bytes.subarray(bodyAt, bodyAt + length) });
    return bodyAt + length;
  }

  function readAll(): void {
    let bytes = Buffer.concat(chunks);
    needed = 1;
    try {
      while (bytes.length > 0) {
        const used = readOne(bytes);
        if (used === undefined) break;
        bytes = bytes.subarray(used);
      }
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    chunks = [bytes];
    held = bytes.length;
  }

  return {
    answers,
    problem: () => problem,
    take(chunk) {
      if (problem !== undefined) return;
      chunks.push(chunk);
      held += chunk.length;
      if (held >= needed) readAll();
    },
    end() {
      if (hasEnded || problem !== undefined) return;
      hasEnded = true;
      readAll();
      if (held > 0) problem ??= `an answer that is cut off: ${escaped(Buffer.concat(chunks), shownMax)}`;
    },
  };
}

function readHead(text: string): Pick<Answer, 'status' | 'headers'> {
  const [first = '', ...lines] = text.split('\r\n');
  const status = statusLine.exec(first)?.[1];
  if (status === undefined) throw new Error(`no status line: ${JSON.stringify(first)}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ''] = headerLine.exec(line) ?? [];
    if (name === undefined) throw new Error(`no header line: ${JSON.stringify(line)}`);
    if (headers.has(name.toLowerCase())) throw new Error(`a header that comes twice: ${JSON.stringify(line)}`);
    headers.set(name.toLowerCase(), value);
  }
  return { status: Number(status), headers };
}

function lengthOf(headers: Answer['headers']): number {
  const length = headers.get('content-length') ?? '';
  if (headers.has('transfer-encoding') || !/^(0|[1-9]\d{0,8})$/.test(length)) {
    throw new Error(`an answer of no known length: ${JSON.stringify([...headers])}`);
  }
  return Number(length);
}
