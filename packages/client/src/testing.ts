import type { TestClock, TestClockAdvance } from './api.ts';
import { checkMembers, checkText, checkTime } from './check.ts';
import type { Send } from './connection.ts';
import { ApiError, ClockError, ConnectionError, UnexpectedAnswerError, UsageError } from './errors.ts';
import { unexpectedData } from './exchange.ts';
import { callOptionNames, type CallOptions } from './lists.ts';

/** How far to put a clock forward: by an ISO 8601 duration such as `P31D`, or to a time (a Date, or ISO 8601 with zone). */
export type ClockTarget =
  { readonly by: string; readonly to?: never } | { readonly to: string | Date; readonly by?: never };

/** The clock of a test workspace. To keys of other workspaces it is an ApiError ENDPOINT_UNKNOWN. */
export interface Clock {
  /** The time in the workspace, and when something is due next. Any scope. */
  get(options?: CallOptions): Promise<TestClock>;
  /**
   * Puts it forward, and goes on until all that was due until then has ended. Scope: wallet:manage. `to` is safe to repeat, and is
   * sent again as reads are; `by` adds up, so it is sent again only after 429.
   * @returns what came due; what an answer that was lost would have told is not in it.
   * @throws ClockError ANSWER_LOST where the clock may have gone on: ask it. NO_PROGRESS where it stands still: `advance` has where.
   */
  advance(target: ClockTarget, options?: CallOptions): Promise<TestClockAdvance>;
}

export interface Testing {
  readonly clock: Clock;
}

const path = '/api/v1/test/clock';
/** The service answers within 25 s. */
const timeoutMinMs = 30_000;
/** After so many answers in a row by which the clock stood where it was, it is not asked to go on. */
const standstillsMax = 3;
/** By less than this it goes on by itself, until the answer. */
const moveMinMs = 1_000;

export function testingOf(send: Send): Testing {
  async function put(body: object, isRepeatable: boolean, { signal }: CallOptions): Promise<TestClockAdvance> {
    const { data, status } = await send('POST', path, { body, signal, isRepeatable }, { timeoutMinMs });
    if (isAdvance(data)) return data;
    throw unexpectedData('The answer does not say how far the clock came.', status, data);
  }

  async function begin({ by, to }: ClockTarget, options: CallOptions): Promise<TestClockAdvance> {
    if (by === undefined) return put({ to }, true, options);
    try {
      return await put({ advanceBy: by }, false, options);
    } catch (error) {
      if (!mayBeDone(error)) throw error;
      const message = `The clock may have been put forward by ${by}, or not: ask it, and go on with \`to\`.`;
      throw new ClockError('ANSWER_LOST', `${message} ${error.message}`, { cause: error });
    }
  }

  return {
    clock: {
      async get(options = {}) {
        checkMembers('The options of a read', options, callOptionNames);
        return (await send('GET', path, { signal: options.signal })).data as TestClock;
      },
      async advance(target, options = {}) {
        checkTarget(target);
        checkMembers('The options of a call', options, callOptionNames);
        let last = await begin(target, options);
        const { from, to } = last;
        let { started, expired } = last;
        for (let standstills = 0; !last.done;) {
          standstills = hasMoved(last) ? 0 : standstills + 1;
          if (standstills === standstillsMax) {
            const message = `The clock stands still at ${last.now}, before ${to}: what is due does not end.`;
            throw new ClockError('NO_PROGRESS', message, { advance: { ...last, from, to, started, expired } });
          }
          last = await put({ to }, true, options);
          started += last.started;
          expired += last.expired;
        }
        return { ...last, from, to, started, expired };
      },
    },
  };
}

function checkTarget(target: ClockTarget): void {
  checkMembers('What advance takes', target, ['by', 'to']);
  const { by, to } = target;
  if ((by === undefined) === (to === undefined))
    throw new UsageError("advance takes either by, such as 'P31D', or to.");
  if (by !== undefined) checkText('by', by);
  else checkTime('to', to);
}

/** Whether nothing says that it was not done. */
function mayBeDone(error: unknown): error is Error {
  if (error instanceof ApiError) return error.status >= 500 || error.reason === 'NONCE_REUSED';
  return error instanceof ConnectionError || error instanceof UnexpectedAnswerError;
}

function hasMoved({ from, now, started, expired }: TestClockAdvance): boolean {
  return started + expired > 0 || Date.parse(now) - Date.parse(from) > moveMinMs;
}

function isAdvance(data: unknown): data is TestClockAdvance {
  const { from, to, now, done, started, expired } = Object(data) as Partial<Record<keyof TestClockAdvance, unknown>>;
  const areTimes = [from, to, now].every((time) => typeof time === 'string');
  return areTimes && typeof done === 'boolean' && typeof started === 'number' && typeof expired === 'number';
}
