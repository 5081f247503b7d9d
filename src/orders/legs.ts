import { hash } from 'node:crypto';
import { z } from 'zod';
import { because } from '../errors.ts';
import { notesGiven } from './body.ts';
import { legsMax, type CreateOrderInput } from './order.ts';

/* What the bodies share that name legs. */

/** @param leg the schema of one. */
export function legsGiven<Leg extends z.ZodType>(leg: Leg, description: string) {
  return z.array(leg).min(1).max(legsMax).meta({ description });
}

/** What a leg may say of itself. */
export const { description: legDescription } = notesGiven;

/**
 * The term by which a repetition is told from another request: a digest of what its legs ask for, whose other fields count as
 * nothing. It is hexadecimal, so that it never looks like an id.
 * @param lines of each leg what is compared, in their order.
 */
export function termOfLegs(lines: readonly (readonly (string | number | undefined)[])[]): { readonly legs: string } {
  return { legs: hash('sha256', JSON.stringify(lines), 'hex') };
}

/** For a body's `superRefine`: it has an amount or legs, not both. */
export function refuseAmountBesideLegs(
  { amount, legs }: Partial<Pick<CreateOrderInput, 'amount' | 'legs'>>,
  context: z.RefinementCtx,
): void {
  if (amount === undefined || legs === undefined) return;
  context.issues.push({
    code: 'custom',
    path: ['amount'],
    input: amount,
    ...because('FIELD_MALFORMED', 'amount,legs'),
  });
}
