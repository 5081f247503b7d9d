/** Reads what the processes log, and keeps what should not be there. */
export interface LogWatch {
  /** From now on this text must be in no line. */
  guard(secret: string): void;
  /** A line of the web process or a worker. */
  processLine: (line: string) => void;
  /** Why a request was answered 503, by the answer's `X-Request-Id`; undefined where the log does not say that it was. */
  reasonOf: (requestId: string) => string | undefined;
  /** A sentence for each line that should not be there, as many as are kept. */
  complaints(): readonly string[];
}

const keptMax = 20;
const shownMax = 2_000;
/** Pino's levels. */
const errorLevel = 50;
/** A refusal for want of capacity is logged as the failure that it is; whether it may be is judged with its answer. */
const unavailableCode = 'SY5031';

export function createLogWatch(): LogWatch {
  const secrets: string[] = [];
  const kept: string[] = [];
  const reasons = new Map<string, string>();
  const keep = (what: string, line: string): void => {
    if (kept.length < keptMax) kept.push(`${what}: ${line.slice(0, shownMax)}`);
  };
  return {
    guard: (secret) => void secrets.push(secret),
    processLine(line) {
      // The line itself would show it once more.
      if (secrets.some((secret) => line.includes(secret))) keep('a secret is in a log line', '');
      const entry = parseLine(line);
      if (entry === undefined) keep('a line that is no log entry', line);
      else if (entry.code === unavailableCode) reasons.set(entry.requestId ?? '', entry.err?.message ?? '');
      else if (entry.level >= errorLevel) keep('an error is logged', line);
    },
    reasonOf: (requestId) => reasons.get(requestId),
    complaints: () => kept,
  };
}

interface Entry {
  level: number;
  code?: string;
  requestId?: string;
  err?: { message?: string };
}

function parseLine(line: string): Entry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<Entry> | null;
    return typeof entry?.level === 'number' ? (entry as Entry) : undefined;
  } catch {
    return undefined;
  }
}
