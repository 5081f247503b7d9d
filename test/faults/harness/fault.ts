import { setTimeout as delay } from 'node:timers/promises';
import type { Choices } from './choices.ts';
import type { Load } from './load.ts';
import type { Member } from './member.ts';
import type { Stack } from './stack.ts';

/** What a fault works with while clients are creating transfers. */
export interface FaultRun {
  stack: Stack;
  load: Load;
  choices: Choices;
  /**
   * Starts the clock: every order acknowledged until now must be terminal within the fault's limit. Where a fault does
   * not say, that is when all is healed; of a pair, always. @param withinMs the limit, where it is not the run's.
   * @returns a promise of that, which rejects when the time is up.
   */
  mark: (withinMs?: number) => Promise<void>;
  /** Of these, those that the other fault of a pair has no need of. */
  free: (members: readonly Member[]) => readonly Member[];
  /** Says that something is not as it must be. */
  breach: (what: string) => void;
  /** The same of what is promised only while nothing else is broken. */
  breachAlone: (what: string) => void;
  /** Says what did not come about: one fault of a pair, or one that says more of the service than of the machine. */
  missed: (what: string) => void;
}

/** Of a stack, what a fault may break, or rely on; "a web" is whichever API process answers. */
export type Part =
  `${'web' | 'worker'} ${0 | 1}` | 'a web' | 'redis' | 'redis proxies' | 'mongodb' | 'mongodb proxies' | 'fail point';

/** A fault as something that can be done to a stack. */
export interface Fault extends FaultNeeds {
  /** Where it is two faults at once. */
  pair?: readonly [Fault, Fault];
  /** Does it, and undoes it as far as that is part of the fault; the stack is healed afterwards in any case. */
  inject(run: FaultRun): Promise<void>;
}

interface FaultNeeds {
  name: string;
  /** What happens, in a line. */
  what: string;
  /** A fault that cannot be had everywhere is skipped, and said to be. */
  needs?: 'its own MongoDB' | 'fail points' | 'redis proxies';
  /** How soon all orders must be terminal; 30 s where nothing is stated. */
  terminalWithinMs?: number;
  /** Nothing else may break these at the same time, or rely on them. */
  breaks: readonly Part[];
  /** Nothing else may break these at the same time. */
  reliesOn?: readonly Part[];
  /** It breaks one of these, whichever is free. */
  breaksOneOf?: readonly ('web' | 'worker')[];
}

type Range = readonly [min: number, max: number];

/** A fault as the catalogue has it: what is done, for how long, what is undone, and what must hold beside what always must. */
export interface CatalogueFault extends FaultNeeds {
  /** How long after the load's beginning, in milliseconds. */
  afterMs?: Range;
  /** How often it is done and undone. */
  rounds?: Range;
  /** Does it. @returns a function that undoes it, where anything does. */
  does: (run: FaultRun) => Promise<unknown> | Undo | undefined;
  /** How long it lasts until it is undone: a time, or until so many creates more were acknowledged. */
  lasts?: { ms: Range } | { creates: Range };
  /** Whether nobody posts an order before the stack is healed. */
  areAllStopped?: boolean;
  /** Holds while it lasts. @param sinceMs when it began. */
  holds?: (run: FaultRun, sinceMs: number) => Promise<void> | undefined;
}

type Undo = () => unknown;

export const acknowledgedWithinMs = 20_000;

export function toFault(listed: CatalogueFault): Fault {
  const { afterMs = [0, 0], rounds = [1, 1], does, lasts = { ms: [0, 0] }, holds, areAllStopped, ...needs } = listed;
  return {
    ...needs,
    async inject(run) {
      const { choices, load, mark } = run;
      await delay(choices.whole(...afterMs));
      for (let round = choices.whole(...rounds); round > 0; round -= 1) {
        const sinceMs = performance.now();
        const undo = await does(run);
        try {
          if ('ms' in lasts) await delay(choices.whole(...lasts.ms));
          else await load.untilAcknowledged(choices.whole(...lasts.creates), acknowledgedWithinMs);
          await holds?.(run, sinceMs);
        } finally {
          if (typeof undo === 'function') await (undo as Undo)();
        }
      }
      if (areAllStopped !== true) await mark();
    },
  };
}
