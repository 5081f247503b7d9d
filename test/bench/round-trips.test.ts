import { expect, test } from 'vitest';
import { roundTripsOf, type Step, type TracedCommand } from '../../bench/profile/round-trips.ts';

const steps: readonly Step[] = [
  { process: 'web', name: 'insert orders', about: 'records' },
  { process: 'web', name: 'add', wakes: true, about: 'wakes' },
  { process: 'worker', name: 'find orders', about: 'reads' },
  { process: 'worker', name: 'find orders', about: 'reads again' },
];
const command = (process: string, name: string, sentMs: number, answeredMs: number): TracedCommand => ({
  ...{ process, name, sentMs, answeredMs, server: name === 'add' ? 'redis' : 'mongodb' },
});
/** Its job is taken before Redis has answered for it. */
const orderAt = (ms: number): TracedCommand[] => [
  command('web', 'insert orders', ms, ms + 3),
  command('web', 'add', ms + 4, ms + 9),
  command('worker', 'find orders', ms + 5, ms + 7),
  command('worker', 'find orders', ms + 8, ms + 10),
];

test('an order’s round trips are those that begin once the one before has ended, with what each takes', () => {
  const beside = [
    command('web', 'find orders', 3.5, 4),
    command('worker', 'find orders', 1, 2),
    command('worker', 'find orders', 6, 6.5),
  ];
  const commands = [...beside, ...orderAt(100), ...orderAt(0)];
  const { orders, steps: found, beside: others, totalMs } = roundTripsOf(commands, steps, 10);
  // Of two that the worker sent while the first order was under way, and none while the second was.
  expect(others).toEqual([
    { process: 'worker', server: 'mongodb', name: 'find orders', perOrder: 1 },
    { process: 'web', server: 'mongodb', name: 'find orders', perOrder: 0.5 },
  ]);
  expect({ orders, totalMs }).toEqual({ orders: 2, totalMs: 10 });
  expect(found).toEqual([
    { process: 'web', name: 'insert orders', about: 'records', server: 'mongodb', answerMs: 3, nextMs: 4 },
    { process: 'web', name: 'add', about: 'wakes', server: 'redis', answerMs: undefined, nextMs: 1 },
    { process: 'worker', name: 'find orders', about: 'reads', server: 'mongodb', answerMs: 2, nextMs: 3 },
    { process: 'worker', name: 'find orders', about: 'reads again', server: 'mongodb', answerMs: 2, nextMs: undefined },
  ]);
});

test('an order without one of the steps, or with one that overlaps, does not count', () => {
  const without = orderAt(100).slice(0, 3);
  const overlapping = [...orderAt(200).slice(0, 3), command('worker', 'find orders', 206, 210)];
  expect(roundTripsOf([...orderAt(0), ...without, ...overlapping], steps, 10).orders).toBe(1);
});

test('only the last orders are looked at: those before them warmed up, several at once', () => {
  const warmUp = [...orderAt(0), ...orderAt(1)];
  expect(roundTripsOf([...warmUp, ...orderAt(100), ...orderAt(200)], steps, 2)).toMatchObject({
    orders: 2,
    totalMs: 10,
  });
});
