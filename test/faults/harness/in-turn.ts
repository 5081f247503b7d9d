import type { Fault } from './fault.ts';
import { whyNot } from './why-not.ts';

const recoveredCount = 10;
const recoveredWithinMs = 30_000;

/**
 * Several faults, one after the other, under one load and with one check of the books at the end. The next one begins once
 * all is healed and every order that was acknowledged by then has its end, within that fault's own limit.
 */
export function inTurn(name: string, faults: readonly Fault[]): Fault {
  return {
    name,
    what: faults.map((fault) => fault.what).join('; then '),
    breaks: [],
    async inject(run) {
      for (const fault of faults) {
        const reason = whyNot(fault, run.stack);
        if (reason === undefined) await injectNext(fault);
        else run.missed(`${fault.name}: ${reason}`);
      }

      async function injectNext(fault: Fault): Promise<void> {
        let marked: Promise<void> | undefined;
        const mark = (): Promise<void> => (marked = run.mark(fault.terminalWithinMs));
        try {
          await fault.inject({ ...run, mark });
          await run.stack.heal();
          await (marked ?? mark());
          await run.load.untilAcknowledged(recoveredCount, recoveredWithinMs);
        } catch (cause) {
          throw new Error(`${fault.name}: ${String(cause)}`, { cause });
        }
      }
    },
  };
}
