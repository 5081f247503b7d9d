import { expect, test } from 'vitest';
import { measureCells, medianRatio, type Cell } from '../../bench/cells.ts';
import { hasChanged, onMachine, ticksOf } from '../../bench/measure/machine.ts';
import type { Measured } from '../../bench/measure/measured.ts';
import type { Servers } from '../../bench/servers/servers.ts';

const of = (perSecond: number, workMs: number) => ({
  measured: { perSecond } as Measured,
  machine: { workMs, stolen: 0 },
});

test('a measurement is told with the fixed work around it, and what was stolen meanwhile', async () => {
  const looks = [
    { workMs: 100, stolen: 10, all: 1_000 },
    { workMs: 120, stolen: 60, all: 2_000 },
  ];
  expect(
    await onMachine(
      () => Promise.resolve('done'),
      () => looks.shift()!,
    ),
  ).toEqual(['done', { workMs: 110, stolen: 0.05 }]);
  const [, { workMs }] = await onMachine(() => Promise.resolve());
  expect(workMs).toBeGreaterThan(0);
});

test('the ticks of a machine are read as its kernel writes them', () => {
  expect(ticksOf('cpu  10 1 5 100 2 0 3 7 4 0')).toEqual({ stolen: 7, all: 128 });
  expect(ticksOf('').stolen).toBeNaN();
});

test('runs between which the machine changed by more than a tenth are not compared', () => {
  expect(hasChanged({ workMs: 100, stolen: 0 }, { workMs: 109, stolen: 0 })).toBe(false);
  expect(hasChanged({ workMs: 112, stolen: 0 }, { workMs: 100, stolen: 0 })).toBe(true);
  const others = [of(100, 100), of(100, 100), of(100, 100)];
  expect(medianRatio([of(200, 100), of(900, 130), of(220, 105)], others)).toBeCloseTo(2.1);
  expect(medianRatio([of(900, 130)], others)).toBeNaN();
});

test('a row is compared with those of its run, and with nothing that was not measured', async () => {
  const cell = (name: string, against: readonly string[]): Cell => ({
    ...{ name, against, role: 'product', unit: 'orders' },
    measure: () => Promise.resolve({ perSecond: 1 } as Measured),
  });
  const cells = [cell('one', []), cell('other', ['one', 'left out'])];
  const [, other] = await measureCells(cells, 1, {} as Servers, () => undefined);
  expect(Object.keys(other?.ratios ?? {})).toEqual(['one']);
});
