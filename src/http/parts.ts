import type { Acceptor } from '../accepting/accept.ts';
import type { BatchAcceptor } from '../accepting/batch.ts';
import type { PrepareCancel } from '../accepting/cancel.ts';
import type { Previewer } from '../accepting/preview.ts';
import type { Clock, ClockOf } from '../clock.ts';
import type { Currencies } from '../domain/currency.ts';
import type { KeyBudgets } from '../domain/budgets.ts';
import type { Wallet } from '../domain/wallet.ts';
import type { Order } from '../orders/order.ts';
import type { Presenter } from '../orders/present.ts';
import type { Lists } from '../reading/lists.ts';
import type { KeyRate } from '../storage/keys/api-keys.ts';
import type { OrderReference } from '../storage/orders/orders.ts';
import type { ReadBeforeWindows } from '../storage/flows/windows.ts';
import type { WalletByReference } from '../storage/wallets/wallets.ts';
import type { ThroughFailover } from '../waiting/failover.ts';
import type { Endpoints } from '../webhooks/endpoints.ts';
import type { TestTime } from '../scheduling/advance.ts';
import type { ListLimiter } from './lists/limiter.ts';
import type { CommandBodies } from './transfers/command-body.ts';
import type { Simulations } from './transfers/simulations.ts';
import type { OrderWaits } from './transfers/waits.ts';
import type { WalletChanges } from './wallets/audited-changes.ts';
import type { FindWallet } from './wallets/find.ts';

/** What routes are made of. Each takes the parts that it needs, by name. */
export interface RouteParts extends Lists {
  readonly currencies: Currencies;
  readonly present: Presenter;
  /** The real time. */
  readonly clock: Clock;
  /** By it a workspace's orders and wallets go. */
  readonly clockOf: ClockOf;
  readonly testTime: TestTime;
  readonly simulations: Simulations;
  readonly throughFailover: ThroughFailover;
  /** One for the lists of all resources. */
  readonly limiter: ListLimiter;
  readonly findWallet: FindWallet;
  /** By the client's own reference. */
  readonly findReferred: (reference: WalletByReference, timeLeftMs: () => number) => Promise<Wallet | undefined>;
  readonly changes: Pick<WalletChanges, 'make' | 'change'>;
  /** What the use of limits follows from. */
  readonly readBeforeWindows: ReadBeforeWindows;
  readonly findBudgets: (
    key: Pick<KeyBudgets, 'apiKey' | 'workspaceId'>,
    timeLeftMs: () => number,
  ) => Promise<KeyBudgets | undefined>;
  readonly findOrder: (reference: OrderReference, timeLeftMs: () => number) => Promise<Order | undefined>;
  /** One for all routes, so that they have one bound on who waits. */
  readonly waits: OrderWaits;
  readonly acceptor: Pick<Acceptor, 'accept'>;
  readonly batches: BatchAcceptor;
  readonly previewer: Previewer;
  readonly prepareCancel: PrepareCancel;
  readonly commandBodies: CommandBodies;
  /** For a key without a rate of its own. */
  readonly usualRate: KeyRate;
  readonly endpoints: Endpoints;
}
