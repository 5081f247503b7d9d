/** What the processes logged, as far as it matters here. */
export interface ReadLog {
  /** A sentence for each line that should not be there, as many as are kept. */
  readonly complaints: readonly string[];
  /** Why a request was answered 503, by the answer's `X-Request-Id`; undefined where the log does not say that it was. */
  readonly reasonOf: (requestId: string) => string | undefined;
}

const keptMax = 20;
const shownMax = 2_000;
/** Pino's levels. */
const errorLevel = 50;
/** A refusal for want of capacity is logged as the failure that it is; whether it may be is judged with its answer. */
const unavailableCode = 'SY5031';

/** That no secret is in a line is seen when the service is stopped. */
export function readLog(lines: readonly string[]): ReadLog {
  const complaints: string[] = [];
  const reasons = new Map<string, string>();
  const keep = (what: string, line: string): void => {
    if (complaints.length < keptMax) complaints.push(`${what}: ${line.slice(0, shownMax)}`);
  };
  for (const line of lines) {
    const entry = parseLine(line);
    if (entry === undefined) keep('a line that is no log entry', line);
    else if (entry.code === unavailableCode) reasons.set(entry.requestId ?? '', entry.err?.message ?? '');
    else if (entry.level >= errorLevel) keep('an error is logged', line);
  }
  return { complaints, reasonOf: (requestId) => reasons.get(requestId) };
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
