import { median } from '../measure/median.ts';

/** What comes with fewer of the orders is of rounds, which come without orders too. */
const usualMin = 0.5;

/** A command to MongoDB or Redis, of one process. */
export interface TracedCommand {
  readonly process: string;
  readonly server: 'mongodb' | 'redis';
  /** With the collection, such as `insert orders`; of a script the name that it was defined with. */
  readonly name: string;
  /** Unix time in milliseconds, with fractions. */
  readonly sentMs: number;
  /** Null or Infinity of one that was not answered. */
  readonly answeredMs: number | null;
}

/** A command that an order waits for. */
export interface Step {
  readonly process: 'web' | 'worker';
  readonly name: string;
  /** Whether Redis wakes another process with it, which goes on before it is answered: the way there is waited for, and not back. */
  readonly wakes?: true;
  /** What it is for. */
  readonly about: string;
}

/** A step of many orders, in medians. */
export interface RoundTrip extends Omit<Step, 'wakes'> {
  readonly server: TracedCommand['server'];
  /** From its sending to its answer; undefined where nobody waits for that. */
  readonly answerMs: number | undefined;
  /** From its sending to that of the next; undefined of the last. */
  readonly nextMs: number | undefined;
}

/** What each order waited for, one after the other. */
export interface RoundTrips {
  /** Orders that waited for all steps, each begun after what it follows had ended. */
  readonly orders: number;
  readonly steps: readonly RoundTrip[];
  /** What else was sent meanwhile, so many an order; nobody waits for it, but the servers work on it. */
  readonly beside: readonly (Pick<TracedCommand, 'process' | 'server' | 'name'> & { readonly perOrder: number })[];
  /** From the first sending to the last answer; to the last sending where nobody waits for that. */
  readonly totalMs: number;
}

/**
 * Finds the steps of the last orders, so many, each of which begins with the first step.
 * @param commands of all processes, in any order, while no two orders were under way at once.
 */
export function roundTripsOf(commands: readonly TracedCommand[], steps: readonly Step[], countMax: number): RoundTrips {
  const inTurn = commands.toSorted((a, b) => a.sentMs - b.sentMs);
  const isOf = (command: TracedCommand, step: Step | undefined): boolean =>
    command.process === step?.process && command.name === step.name;
  const starts = inTurn.flatMap((command, index) => (isOf(command, steps[0]) ? [index] : [])).slice(-countMax);
  const orders = starts.flatMap((start, order) => {
    const found = followed(inTurn.slice(start, starts[order + 1]), steps, isOf);
    return found === undefined ? [] : [found];
  });
  return {
    orders: orders.length,
    steps: steps.map(({ wakes, ...step }, place) => {
      const each = orders.flatMap((order) => order[place] ?? []);
      const nexts = orders.flatMap((order) => {
        const [own, next] = [order[place], order[place + 1]];
        return own === undefined || next === undefined ? [] : [next.sentMs - own.sentMs];
      });
      return {
        ...step,
        server: each[0]?.server ?? 'redis',
        answerMs: wakes ? undefined : median(each.map(({ sentMs, answeredMs }) => (answeredMs ?? Infinity) - sentMs)),
        nextMs: place === steps.length - 1 ? undefined : median(nexts),
      };
    }),
    beside: besideOf(inTurn, orders, steps),
    totalMs: median(orders.map((order) => endOf(order.at(-1), steps.at(-1)) - (order[0]?.sentMs ?? Number.NaN))),
  };
}

/** @returns the command of each step, the first that was sent once the one before it had ended; undefined if there is none of one. */
function followed(
  commands: readonly TracedCommand[],
  steps: readonly Step[],
  isOf: (command: TracedCommand, step: Step) => boolean,
): readonly TracedCommand[] | undefined {
  const found: TracedCommand[] = [];
  for (const step of steps) {
    const after = found.length === 0 ? -Infinity : endOf(found.at(-1), steps[found.length - 1]);
    const next = commands.find((command) => isOf(command, step) && command.sentMs >= after);
    if (next === undefined) return undefined;
    found.push(next);
  }
  return found;
}

/** What comes with half of the orders at the least. */
function besideOf(
  commands: readonly TracedCommand[],
  orders: readonly (readonly TracedCommand[])[],
  steps: readonly Step[],
): RoundTrips['beside'] {
  const meanwhile = orders.flatMap((order) => {
    const endMs = endOf(order.at(-1), steps.at(-1));
    const startMs = order[0]?.sentMs ?? Infinity;
    return commands.filter(
      (command) => command.sentMs >= startMs && command.sentMs < endMs && !order.includes(command),
    );
  });
  const byName = Map.groupBy(meanwhile, ({ process, name }) => `${process} ${name}`);
  return [...byName.values()].flatMap((same) => {
    const [first] = same;
    const perOrder = same.length / orders.length;
    if (first === undefined || perOrder < usualMin) return [];
    return [{ process: first.process, server: first.server, name: first.name, perOrder }];
  });
}

/** When what follows may begin. */
function endOf(command: TracedCommand | undefined, step: Step | undefined): number {
  return (step?.wakes ? command?.sentMs : command?.answeredMs) ?? Infinity;
}
