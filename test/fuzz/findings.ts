import type { Answer } from './answers.ts';
import type { FuzzRequest } from './build.ts';
import type { Exchanged } from './connection.ts';
import { judge503, type Judge } from './judge.ts';
import type { Delivery } from './plan.ts';

/** Something that is wrong; with the request where it is one's. */
export interface Finding {
  what: string;
  request?: FuzzRequest;
  delivery?: Delivery;
  answer?: Answer;
}

/** Counts what was sent and answered, and keeps what is wrong. */
export interface Findings {
  /** The first of them; the rest is only counted. */
  readonly list: readonly Finding[];
  count(): number;
  requests(): number;
  readonly answersByCode: ReadonlyMap<string, number>;
  note(delivery: Delivery, requests: readonly FuzzRequest[], exchanged: Exchanged, judge: Judge): void;
  addAll(whats: readonly string[]): void;
  /** Judges every 503, once the log is complete. */
  judgeHeldBack(reasonOf: (requestId: string) => string | undefined): void;
}

const keptMax = 50;
/** Of a thousand requests so many may be answered 503 because the process did not hear Redis in time. */
const unheardPerThousandMax = 1;

export function createFindings(): Findings {
  const list: Finding[] = [];
  const answersByCode = new Map<string, number>();
  const heldBack: Required<Finding>[] = [];
  let [found, sent] = [0, 0];
  const add = (finding: Finding): void => {
    found += 1;
    if (list.length < keptMax) list.push(finding);
  };
  return {
    ...{ list, answersByCode },
    count: () => found,
    requests: () => sent,
    note(delivery, requests, { answers, problem }, judge) {
      sent += requests.length;
      for (const [index, answer] of answers.entries()) {
        const name = nameOf(answer);
        answersByCode.set(name, (answersByCode.get(name) ?? 0) + 1);
        // What comes beyond the last request is an answer to what follows its end, as the service reads it.
        const request = requests[index] ?? { ...requests.at(-1)!, isOutside: true };
        const what = judge.complaint(request, answer);
        if (what !== undefined) add({ what, request, delivery, answer });
        else if (answer.status === 503) heldBack.push({ what: 'answered 503', request, delivery, answer });
      }
      const request = requests[Math.min(answers.length, requests.length - 1)];
      if (problem !== undefined && request !== undefined) {
        const last = answers.at(-1);
        add({ what: problem, request, delivery, ...(last === undefined ? {} : { answer: last }) });
      }
    },
    judgeHeldBack(reasonOf) {
      let unheard = 0;
      for (const finding of heldBack) {
        const { request, answer } = finding;
        const verdict = judge503(request, answer, reasonOf(answer.headers.get('x-request-id') ?? ''));
        if (verdict === 'wrong') add(finding);
        if (verdict === 'unheard') unheard += 1;
      }
      const unheardMax = Math.ceil((sent * unheardPerThousandMax) / 1_000);
      if (unheard > unheardMax)
        add({ what: `${unheard} requests were answered 503 because Redis was not heard in time` });
    },
    addAll(whats) {
      for (const what of whats) add({ what });
    },
  };
}

/** Status and, of an envelope, its code. */
function nameOf({ status, body }: Answer): string {
  const code = /"code":"(\w+)"/.exec(body.subarray(0, 200).toString('latin1'))?.[1];
  return code === undefined ? String(status) : `${status} ${code}`;
}
