import { pino } from 'pino';
import { createAcceptor, type Acceptor } from '../../src/accepting/accept.ts';
import { createOrderEnqueuer } from '../../src/accepting/order-enqueuer.ts';
import { createRecorder } from '../../src/accepting/record.ts';
import { createWalletCheck } from '../../src/accepting/wallet-check.ts';
import { systemClockOf } from '../../src/clock.ts';
import { createCurrencies } from '../../src/domain/currency.ts';
import type { Collections } from '../../src/storage/collections.ts';
import { isTransientFault } from '../../src/storage/shared/transaction.ts';
import type { Bulkhead } from '../../src/waiting/bulkhead.ts';
import { createThroughFailover } from '../../src/waiting/failover.ts';

/** What a web process accepts creates with: under no pressure, and waking nobody. @param turns of a sharded cluster. */
export function createTestAcceptor(
  { orders, wallets }: Pick<Collections, 'orders' | 'wallets'>,
  turns?: Bulkhead,
): Acceptor {
  const enqueuer = createOrderEnqueuer({ wake: () => Promise.resolve() }, pino({ enabled: false }));
  return createAcceptor({
    recorder: createRecorder(orders, enqueuer, turns),
    walletCheck: createWalletCheck(wallets, turns),
    throughFailover: createThroughFailover(isTransientFault),
    checkPressure: () => undefined,
    checkScheduled: () => Promise.resolve(),
    currencies: createCurrencies(new Map()),
    clockOf: systemClockOf,
  });
}
