import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { pino } from 'pino';
import { parseAmount, type Money } from '../domain/money.ts';
import { isTerminal, type Order } from '../orders/order.ts';
import type { Wallet } from '../domain/wallet.ts';
import { catalogue } from '../errors.ts';
import { createPostingQueues } from '../queue/queue.ts';
import { createThroughFailover } from '../failover.ts';
import { isTransientFault } from '../storage/shared/transaction.ts';
import { createAcceptor } from '../accepting/accept.ts';
import { createJobs } from '../accepting/jobs.ts';
import { createRecorder, type OrderRequest } from '../accepting/record.ts';
import { createWalletCheck } from '../accepting/wallet-check.ts';
import { CommandError } from './failures.ts';
import { findWallet, findWorkspace } from './lookup.ts';
import type { Printed } from './output.ts';
import { parseAmountForm, parseBizId } from './parameters.ts';
import { withRedis, withSession, type Session } from './session.ts';

interface MoneyOptions {
  readonly wallet: string;
  readonly amount: string;
  readonly bizId?: string;
  /** False with `--no-wait`. */
  readonly wait: boolean;
}

type MoneyVerb = 'fund' | 'withdraw';

const waitMaxMs = 60_000;
const pollMinMs = 20;
const pollMaxMs = 1_000;

/** The verbs that bring money in from outside, and out. They make ordinary orders, which the workers post. */
export function addMoneyCommands(noun: Command): void {
  const verbs = { fund: 'bring money in from EXTERNAL', withdraw: 'take money out to EXTERNAL' };
  for (const [verb, description] of Object.entries(verbs) as [MoneyVerb, string][]) {
    noun
      .command(verb)
      .description(`${description}, as an order; waits up to ${waitMaxMs / 1_000} s for it`)
      .requiredOption('--wallet <id>', 'the wallet')
      .requiredOption(
        '--amount <amount>',
        "decimal, with no more decimals than the wallet's currency has",
        parseAmountForm,
      )
      .option('--biz-id <id>', 'your own id of the order: repeating the command with it is safe', parseBizId)
      .option('--no-wait', 'return as soon as the order is recorded')
      .action(withSession<MoneyOptions>((options, session) => moveMoney(verb, options, session)));
  }
}

async function moveMoney(verb: MoneyVerb, options: MoneyOptions, session: Session): Promise<Printed | undefined> {
  const { collections, recordCurrencies, present, audited } = session;
  const wallet = await findWallet(collections, options.wallet);
  await findWorkspace(collections, wallet.workspaceId);
  const amount = readAmount(options.amount, wallet, session);
  const named = options.bizId === undefined ? {} : { bizId: options.bizId };

  const { workspaceId, currency } = wallet;
  const recorded = await audited(
    {
      action: `wallet ${verb}`,
      workspaceId,
      subject: { walletId: wallet.id, amount: options.amount, currency, ...named },
    },
    async () => {
      await recordCurrencies();
      const external = await collections.wallets.ensureExternal(workspaceId, currency);
      const [source, target] = verb === 'fund' ? [external, wallet] : [wallet, external];
      const sides = { sourceWalletId: source.id, targetWalletId: target.id };
      const type = verb === 'fund' ? 'DEPOSIT' : 'WITHDRAWAL';
      return recordOrder(session, { workspaceId, type, ...sides, amount, currency, ...named });
    },
    ({ id }) => ({ transferId: id }),
  );
  const order = options.wait ? await untilTerminal(recorded, session) : recorded;
  const printed = present.order(order);
  if (!options.wait || order.status === 'COMPLETED') return printed;
  session.host.output.print(printed, session.isJson);
  if (order.failure !== null) {
    const { code, message } = catalogue[order.failure];
    throw new CommandError(`order ${order.id} FAILED: ${code} ${message}`);
  }
  throw new CommandError(
    `order ${order.id} is still ${order.status} after ${waitMaxMs / 1_000} s; it is recorded, and is posted once a worker runs`,
  );
}

function readAmount(text: string, { currency }: Wallet, { currencies }: Session): Money {
  const decimals = currencies.get(currency);
  if (decimals === undefined)
    throw new CommandError(`currency ${currency} is unknown: name it, with its decimals, in the setting CURRENCIES`);
  const amount = parseAmount(text, decimals);
  if (amount === undefined)
    throw new CommandError(`amount ${text} is not allowed: ${currency} has ${decimals} decimals`);
  return amount;
}

/** Connects to Redis before it records the order, so that a command that cannot wake a worker does nothing. */
async function recordOrder(session: Session, transfer: OrderRequest): Promise<Order> {
  const { settings, collections, clock } = session;
  const partitionCount = await collections.partitioning.agree(settings.POSTING_PARTITIONS);
  return withRedis(session, async (redis) => {
    const queues = createPostingQueues(redis, settings.QUEUE_PREFIX, () => partitionCount);
    const jobs = createJobs(queues, pino({ level: 'silent' }));
    const acceptor = createAcceptor({
      recorder: createRecorder(collections.orders, jobs),
      walletCheck: createWalletCheck(collections.wallets, true),
      throughFailover: createThroughFailover(isTransientFault),
      checkPressure: () => undefined,
      clock,
    });
    try {
      const { order } = await acceptor.accept(transfer);
      await jobs.drain();
      return order;
    } catch (cause) {
      if (!isTransientFault(cause)) throw cause;
      const repeat =
        transfer.bizId === undefined
          ? 'look for it among the orders of the wallet before you repeat the command'
          : 'repeating the command with the same --biz-id is safe';
      throw new CommandError(`MongoDB did not answer, so the order may have been recorded: ${repeat}`, { cause });
    } finally {
      await queues.close();
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
