import type { Clock } from '../../clock.ts';
import type { Standing, Wallet } from '../../domain/wallet.ts';
import { ServiceError } from '../../errors.ts';
import type { Presenter } from '../../orders/present.ts';
import type { Statements } from '../../reading/statements.ts';
import { time } from '../fields.ts';
import type { ListLimiter } from '../lists/limiter.ts';
import type { ReadContext } from '../route.ts';
import type { FindWallet } from './find.ts';

/** What the routes of a balance and a statement are made of. */
export interface StatementParts {
  readonly findWallet: FindWallet;
  readonly statements: Statements;
  readonly limiter: ListLimiter;
  readonly present: Presenter;
  readonly clock: Clock;
}

export const settledUntil = time.meta({
  description:
    'Up to this moment the figures are final. A flow has the time of its posting, which may still be on its way into the books: what lies after this moment may still grow.',
});

/** Reads a wallet, where it stood right before each of some times, and up to when that is final. */
export async function readStandings<const Times extends readonly Date[]>(
  { findWallet, statements, clock }: Pick<StatementParts, 'findWallet' | 'statements' | 'clock'>,
  context: ReadContext,
  id: string,
  times: Times,
): Promise<{ wallet: Wallet; standings: { readonly [Index in keyof Times]: Standing }; settledUntil: Date }> {
  const readAt = clock();
  const wallet = await findWallet(context, id, 'id');
  const standings = await statements.standingsBefore(wallet, times, context);
  return { wallet, standings, settledUntil: await statements.settledUntil(wallet, readAt, context) };
}

export function notPassed(field: string, now: Date): ServiceError {
  return new ServiceError('TIME_NOT_PASSED', { field, value: now.toISOString() });
}
