import { pino } from 'pino';
import { createAcceptor, type Acceptor } from '../accepting/accept.ts';
import { createJobs, type Jobs } from '../accepting/jobs.ts';
import { createRecorder } from '../accepting/record.ts';
import { createScheduledLimit } from '../accepting/scheduled-limit.ts';
import { createWalletCheck } from '../accepting/wallet-check.ts';
import { createThroughFailover } from '../waiting/failover.ts';
import { createPostingQueue } from '../queue/posting-queue.ts';
import { isTransientFault } from '../storage/shared/transaction.ts';
import { withRedis, type Session } from './session.ts';

/** What a command records orders with. */
export interface Accepting {
  readonly acceptor: Acceptor;
  readonly jobs: Jobs;
}

/** Connects to Redis before anything is recorded, so that a command that cannot wake a worker does nothing. */
export async function withAccepting<T>(session: Session, body: (accepting: Accepting) => Promise<T>): Promise<T> {
  return withRedis(session, async (redis) => {
    const queue = createPostingQueue(redis, session.settings.QUEUE_PREFIX);
    try {
      return await body(acceptingBy(session, queue));
    } finally {
      await queue.close();
    }
  });
}

function acceptingBy({ collections, currencies, clock }: Session, queue: Parameters<typeof createJobs>[0]): Accepting {
  const { orders, wallets, dueOrders } = collections;
  const jobs = createJobs(queue, pino({ level: 'silent' }));
  const recorder = createRecorder(orders, jobs);
  const throughFailover = createThroughFailover(isTransientFault);
  // How many orders wait holds up no single order of the operator.
  const checkPressure = (): undefined => undefined;
  const walletCheck = createWalletCheck(wallets);
  const checkScheduled = createScheduledLimit(dueOrders);
  const checks = { walletCheck, checkPressure, checkScheduled };
  return { acceptor: createAcceptor({ recorder, ...checks, throughFailover, currencies, clock }), jobs };
}
