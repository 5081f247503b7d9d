import { beforeAll, describe, expect, it } from 'vitest';
import { namesOfTests, pythonOrSkipped, runTests } from '../support/python.ts';

const python = await pythonOrSkipped();
const names = namesOfTests();

describe.skipIf(python === undefined)('in Python', () => {
  let told: Awaited<ReturnType<typeof runTests>>;
  beforeAll(async () => {
    told = await runTests(python!);
  });

  it.each(names)('%s', (name) => {
    expect(told.get(name)?.join('\n')).toBe('');
  });

  it('no other test is run', () => {
    expect([...told.keys()].toSorted()).toEqual(names.toSorted());
  });
});
