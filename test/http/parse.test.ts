import { expect, it } from 'vitest';
import { z } from 'zod';
import { ServiceError } from '../../src/errors.ts';
import { namesMax } from '../../src/http/envelope.ts';
import { parse } from '../../src/http/parse.ts';

it('collects no more faults than are told, whatever is wrong', () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, 1]));
  const schema = z.strictObject({ amount: z.string(), metadata: z.strictObject({}) });
  const refusal = thrownBy(() => parse(schema, { amount: 1, metadata: many, ...many }));
  expect(refusal.faults).toHaveLength(namesMax);
  expect(refusal).toMatchObject({ errorName: 'FIELD_TYPE_WRONG', field: 'amount' });
});

function thrownBy(act: () => unknown): ServiceError {
  try {
    act();
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  throw new Error('nothing was refused');
}
