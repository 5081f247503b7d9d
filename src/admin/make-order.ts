import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { pino } from 'pino';
import { createAcceptor } from '../accepting/accept.ts';
import { createOrderEnqueuer } from '../accepting/order-enqueuer.ts';
import { createRecorder, type OrderRequest } from '../accepting/record.ts';
import { createScheduledLimit } from '../accepting/scheduled-limit.ts';
import { createWalletCheck } from '../accepting/wallet-check.ts';
import { scopes } from '../domain/scopes.ts';
import { catalogue } from '../errors.ts';
import { parse } from '../http/parse.ts';
import { isTerminal, type Order } from '../orders/order.ts';
import { typeOf } from '../orders/types.ts';
import { createPostingQueue } from '../queue/posting-queue.ts';
import type { AuditedChange, AuditedValue } from '../storage/audit.ts';
import { isTransientFault } from '../storage/shared/transaction.ts';
import { createThroughFailover } from '../waiting/failover.ts';
import { CommandError, orFail } from './failures.ts';
import type { Printed } from './output.ts';
import { parseBizId } from './parameters.ts';
import { withRedis, type Session } from './session.ts';

/** What every command that makes an order is told. */
export interface OrderOptions {
  readonly bizId?: string;
  /** False with `--no-wait`. */
  readonly wait: boolean;
}

/** The administrator may move money from and to the world outside. */
const everyScope = new Set(scopes);

const waitMaxMs = 60_000;
const pollMinMs = 20;
const pollMaxMs = 1_000;

export function addOrderVerb(noun: Command, verb: string, description: string): Command {
  return noun
    .command(verb)
    .description(`${description}, as an order; waits up to ${waitMaxMs / 1_000} s for it`)
    .option('--biz-id <id>', 'your own id of the order: repeating the command with it is safe', parseBizId)
    .option('--no-wait', 'return as soon as the order is recorded');
}

type Fields<Value> = Readonly<Record<string, Value | undefined>>;

interface WantedOrder {
  readonly action: AuditedChange['action'];
  readonly workspaceId: string;
  /** For the audit. */
  readonly subject: Fields<string>;
  readonly type: string;
  /** As a client's command of this type has it. */
  readonly body: Fields<unknown>;
  /** What only the administrator's may have. */
  readonly terms?: Order['terms'];
}

/**
 * Makes an ordinary order, which the workers post, also in a workspace that was deleted, whose money has to be taken out. It is
 * audited, and waits for its end if that is asked for.
 * @throws ServiceError it would be refused, for too many decimals for example; CommandError it FAILED, or has no end yet.
 */
export async function makeOrder(
  { action, workspaceId, subject, type, body, terms }: WantedOrder,
  { bizId, wait }: OrderOptions,
  session: Session,
): Promise<Printed | undefined> {
  const { audited, currencies, recordCurrencies, present } = session;
  const { body: schemaBy } = orFail(typeOf({ type }).command, `clients make no ${type}`);
  const schema = schemaBy((code) => currencies.get(code));
  const values = parse(schema, defined({ ...body, bizId: bizId ?? body['bizId'] }));
  const input = { ...values, ...(terms !== undefined && { terms }), type, workspaceId };
  const recorded = await audited(
    {
      action,
      workspaceId,
      subject: defined<AuditedValue>({ ...subject, bizId: input.bizId, legs: input.legs?.length }),
    },
    async () => {
      await recordCurrencies();
      return recordOrder(session, input);
    },
    ({ id }) => ({ transferId: id }),
  );
  const waits = wait && recorded.status !== 'SCHEDULED';
  const order = waits ? await untilTerminal(recorded, session) : recorded;
  const printed = present.order(order);
  if (!waits || order.status === 'COMPLETED') return printed;
  session.host.output.print(printed, session.isJson);
  if (order.failure !== null) {
    const { code, message } = catalogue[order.failure];
    const { failureLeg } = order;
    const where = failureLeg === undefined ? '' : ` at legs[${failureLeg}]`;
    throw new CommandError(`order ${order.id} FAILED${where}: ${code} ${message}`);
  }
  throw new CommandError(
    `order ${order.id} is still ${order.status} after ${waitMaxMs / 1_000} s; it is recorded, and is posted once a worker runs`,
  );
}

function defined<Value>(values: Fields<Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

/** Connects to Redis before the order is recorded, so that a command that cannot wake a worker does nothing. */
async function recordOrder(session: Session, input: OrderRequest): Promise<Order> {
  const { collections, currencies, settings } = session;
  const { orders, wallets, dueOrders, testClocks } = collections;
  return withRedis(session, async (redis) => {
    const queue = createPostingQueue(redis, settings.QUEUE_PREFIX);
    const enqueuer = createOrderEnqueuer(queue, pino({ level: 'silent' }));
    const acceptor = createAcceptor({
      recorder: createRecorder(orders, enqueuer),
      walletCheck: createWalletCheck(wallets),
      // How many orders wait holds up no single order of the operator.
      checkPressure: () => undefined,
      checkScheduled: createScheduledLimit(dueOrders, testClocks),
      throughFailover: createThroughFailover(isTransientFault),
      currencies,
      clockOf: testClocks.clockOf,
    });
    try {
      const { order } = await acceptor.accept({ ...input, scopes: everyScope });
      await enqueuer.drain();
      return order;
    } catch (cause) {
      if (!isTransientFault(cause)) throw cause;
      const repeat =
        input.bizId === undefined
          ? 'look for it among the orders of the wallet before you repeat the command'
          : 'repeating the command with the same bizId is safe';
      throw new CommandError(`MongoDB did not answer, so the order may have been recorded: ${repeat}`, { cause });
    } finally {
      await queue.close();
    }
  });
}

/** Asks MongoDB again and again, because a notice over Redis may be lost. */
async function untilTerminal(recorded: Order, { collections }: Session): Promise<Order> {
  const deadline = performance.now() + waitMaxMs;
  let pauseMs = pollMinMs;
  let order = recorded;
  while (!isTerminal(order.status) && performance.now() < deadline) {
    await delay(pauseMs);
    pauseMs = Math.min(pauseMs * 2, pollMaxMs);
    order = (await collections.orders.find(order.workspaceId, order.id)) ?? order;
  }
  return order;
}
