import type { Standing, Wallet } from '../../domain/wallet.ts';
import { ServiceError } from '../../errors.ts';
import { time } from '../fields.ts';
import type { RouteParts } from '../parts.ts';
import type { ReadContext } from '../route.ts';

export const settledUntil = time.meta({
  description:
    'Up to this moment the figures are final. A flow has the time of its posting, which may still be on its way into the books: what lies after this moment may still grow.',
});

/** Reads a wallet, where it stood right before each of some times, and up to when that is final. */
export async function readStandings<const Times extends readonly Date[]>(
  { findWallet, statements, clockOf }: RouteParts,
  context: ReadContext,
  id: string,
  times: Times,
): Promise<{ wallet: Wallet; standings: { readonly [Index in keyof Times]: Standing }; settledUntil: Date }> {
  const readAt = (await clockOf(context.workspaceId))();
  const wallet = await findWallet(context, id, 'id');
  const standings = await statements.standingsBefore(wallet, times, context);
  return { wallet, standings, settledUntil: await statements.settledUntil(wallet, readAt, context) };
}

export function notPassed(field: string, now: Date): ServiceError {
  return new ServiceError('TIME_NOT_PASSED', { field, value: now.toISOString() });
}
