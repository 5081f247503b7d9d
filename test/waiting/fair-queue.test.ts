import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFairQueue, type FairQueue } from '../../src/waiting/fair-queue.ts';

const all = (waiting: readonly string[], room: number): readonly string[] => waiting.slice(0, room);
const anyWorkspaces = { workspacesMax: Infinity };

function queueOf(lines: Record<string, readonly string[]>): FairQueue<string> {
  const queue = createFairQueue<string>();
  for (const [workspaceId, items] of Object.entries(lines)) for (const item of items) queue.add(workspaceId, item);
  return queue;
}

describe('workspaces', () => {
  test('are served one after the other: who was served goes behind those that were not', () => {
    const queue = queueOf({ a: ['a1', 'a2', 'a3', 'a4'], b: ['b1'] });
    const two = { sizeMax: 2, ...anyWorkspaces };
    expect(queue.take(two, all)).toEqual(['a1', 'a2']);
    queue.add('c', 'c1');
    expect(queue.take(two, all)).toEqual(['b1', 'a3']);
    expect(queue.take(two, all)).toEqual(['c1', 'a4']);
    expect(queue.take(two, all)).toEqual([]);
  });

  test('keep their turn where they choose nothing', () => {
    const queue = queueOf({ a: ['a1'], b: ['b1', 'b2'] });
    const one = { sizeMax: 1, ...anyWorkspaces };
    const notA = (waiting: readonly string[], room: number, workspaceId: string) =>
      workspaceId === 'a' ? [] : all(waiting, room);
    expect(queue.take(one, notA)).toEqual(['b1']);
    expect(queue.take(one, all)).toEqual(['a1']);
    expect(queue.take(one, all)).toEqual(['b2']);
  });

  test('are no more at once than may be', () => {
    const queue = queueOf({ a: ['a1'], b: ['b1'], c: ['c1'] });
    const oneWorkspace = { sizeMax: 10, workspacesMax: 1 };
    expect([1, 2, 3].map(() => queue.take(oneWorkspace, all))).toEqual([['a1'], ['b1'], ['c1']]);
  });

  test('keep the order of what they do not choose', () => {
    const queue = queueOf({ a: ['a1', 'a2', 'a3', 'a4'] });
    const limits = { sizeMax: 10, ...anyWorkspaces };
    expect(queue.take(limits, (waiting) => waiting.filter((item) => item === 'a2'))).toEqual(['a2']);
    queue.remove('a', (item) => item === 'a3');
    expect(queue.take(limits, all)).toEqual(['a1', 'a4']);
    expect(queue.take(limits, all)).toEqual([]);
  });

  test('keep their items and their turn where those are only picked; of what is removed, each keeps the others’', () => {
    const queue = queueOf({ a: ['1', '2'], b: ['1'], c: ['1'] });
    const limits = { sizeMax: 3, workspacesMax: 2 };
    expect(queue.pick(limits, all)).toEqual(['1', '2', '1']);
    expect(queue.pick(limits, all)).toEqual(['1', '2', '1']);
    queue.remove('a', (item) => item === '1');
    queue.remove('b', (item) => item === '1');
    const seen: string[] = [];
    queue.pick({ sizeMax: Infinity, ...anyWorkspaces }, (waiting, _, workspaceId) => {
      seen.push(`${workspaceId}${waiting.join('')}`);
      return waiting;
    });
    expect(seen).toEqual(['a2', 'c1']);
  });

  test('get all that they wait for, each once and in its order, whatever comes in between', () => {
    const workspace = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      workspace,
      fc.record({ sizeMax: fc.integer({ min: 1, max: 5 }), workspacesMax: fc.integer({ min: 1, max: 4 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = createFairQueue<string>();
        const added: string[] = [];
        const taken: string[] = [];
        for (const [index, each] of steps.entries()) {
          if (typeof each === 'string') {
            added.push(`${each}${index}`);
            queue.add(each, `${each}${index}`);
            continue;
          }
          const group = queue.take(each, all);
          expect(group.length).toBeLessThanOrEqual(each.sizeMax);
          expect(new Set(group.map((item) => item[0])).size).toBeLessThanOrEqual(each.workspacesMax);
          taken.push(...group);
        }
        taken.push(...queue.take({ sizeMax: Infinity, ...anyWorkspaces }, all));
        for (const name of ['a', 'b', 'c', 'd']) {
          const own = (items: readonly string[]) => items.filter((item) => item.startsWith(name));
          expect(own(taken)).toEqual(own(added));
        }
      }),
    );
  });
});
