import type { Choices } from './choices.ts';
import type { Load } from './load.ts';
import type { Stack } from './stack.ts';

/** What a fault works with while clients are creating transfers. */
export interface FaultRun {
  stack: Stack;
  load: Load;
  choices: Choices;
  /**
   * Starts the clock: every order acknowledged until now must be terminal within the fault's limit. Where a fault does
   * not say, that is when it is over. @returns a promise of that, which rejects when the time is up.
   */
  mark: () => Promise<void>;
  /** Says that something is not as it must be. */
  breach: (what: string) => void;
}

export interface Fault {
  name: string;
  /** What happens, in a line. */
  what: string;
  /** A fault that cannot be had everywhere is skipped, and said to be. */
  needs?: 'its own MongoDB' | 'fail points';
  /** How soon all orders must be terminal; 30 s where nothing is stated. */
  terminalWithinMs?: number;
  /** Does it, and undoes it as far as that is part of the fault; the stack is healed afterwards in any case. */
  inject(run: FaultRun): Promise<void>;
}
