import { setTimeout as delay } from 'node:timers/promises';
import { createChoices } from './choices.ts';
import type { Fault, FaultRun } from './fault.ts';

const atOncePercent = 30;
const apartMaxMs = 1_000;

/**
 * Two faults, their order, and the time between their beginnings, all from the seed.
 * @param chosen one of the two is one of these.
 */
export function choosePair(seed: number, all: readonly Fault[], chosen: readonly Fault[]): Fault {
  const choices = createChoices(seed);
  const pairs = all.flatMap((first) =>
    all.filter((second) => canMeet(first, second)).map((second) => [first, second] as const),
  );
  const [first, second] = choices.pick(pairs.filter((pair) => pair.some((fault) => chosen.includes(fault))));
  return pairOf(first, second, choices.chance(atOncePercent) ? 0 : choices.whole(1, apartMaxMs));
}

/**
 * Whether both can be had at once: neither breaks what the other breaks or relies on, and one that breaks a process of its
 * choice finds one that the other has no need of.
 */
export function canMeet(first: Fault, second: Fault): boolean {
  return first !== second && spares(first, second) && spares(second, first);
}

function spares(fault: Fault, other: Fault): boolean {
  const needed = neededBy(other);
  const isAnyFree = (kind: 'web' | 'worker') => !needed.has(`${kind} 0`) || !needed.has(`${kind} 1`);
  return fault.breaks.every((part) => !needed.has(part)) && (fault.breaksOneOf ?? []).every(isAnyFree);
}

function neededBy({ breaks, reliesOn = [] }: Fault): ReadonlySet<string> {
  return new Set([...breaks, ...reliesOn]);
}

/**
 * What a fault promises of its own does not hold while another is at work, and a moment that one waits for may not come;
 * what must hold afterwards is the same.
 */
function pairOf(first: Fault, second: Fault, apartMs: number): Fault {
  return {
    name: `${first.name}+${apartMs}ms+${second.name}`,
    what: `${first.what}; ${apartMs === 0 ? 'at once' : `${apartMs} ms later`}: ${second.what}`,
    pair: [first, second],
    breaks: [...first.breaks, ...second.breaks],
    async inject(run) {
      const beside = (other: Fault): FaultRun => {
        const needed = neededBy(other);
        return {
          ...run,
          ...{ choices: run.choices.fork(), mark: () => Promise.resolve(), breachAlone: () => undefined },
          free: (members) => members.filter(({ name }) => !needed.has(name)),
        };
      };
      const runs = [beside(second), beside(first)] as const;
      const ends = await Promise.allSettled([first.inject(runs[0]), delay(apartMs).then(() => second.inject(runs[1]))]);
      for (const [index, end] of ends.entries()) {
        if (end.status === 'rejected') run.missed(`${[first, second][index]?.name}: ${String(end.reason)}`);
      }
    },
  };
}
