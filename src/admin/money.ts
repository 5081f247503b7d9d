import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { isTerminal, type Asked, type Order } from '../orders/order.ts';
import { typeOf } from '../orders/types.ts';
import { scopes } from '../domain/scopes.ts';
import type { AuditedChange } from '../storage/audit.ts';
import { catalogue } from '../errors.ts';
import { parse } from '../http/parse.ts';
import { isTransientFault } from '../storage/shared/transaction.ts';
import type { OrderRequest } from '../accepting/record.ts';
import { withAccepting } from './accepting.ts';
import { CommandError, orFail } from './failures.ts';
import { findWallet, findWorkspace } from './lookup.ts';
import type { Printed } from './output.ts';
import { parseAmountForm, parseBizId, parseTime } from './parameters.ts';
import { withSession, type Session } from './session.ts';

interface MoneyOptions {
  readonly wallet: string;
  readonly amount: string;
  readonly bizId?: string;
  /** False with `--no-wait`. */
  readonly wait: boolean;
}

type MoneyVerb = 'fund' | 'withdraw';

/** The administrator may move money from and to the world outside. */
const everyScope = new Set(scopes);

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
  const { id, workspaceId, currency } = await findWallet(session.collections, options.wallet);
  const common = { amount: options.amount, currency, ...defined({ bizId: options.bizId }) };
  const asked =
    verb === 'fund'
      ? askOf('DEPOSIT', { targetWalletId: id, ...common }, session)
      : askOf('WITHDRAWAL', { sourceWalletId: id, ...common }, session);
  return makeOrder(`wallet ${verb}`, { walletId: id, ...common }, { ...asked, workspaceId }, options.wait, session);
}

interface OrderOptions {
  readonly id: string;
  readonly amount?: string;
  readonly bizId?: string;
  /** False with `--no-final`; absent where the command has no such option. */
  readonly final?: boolean;
  readonly wait: boolean;
}

interface HoldOptions extends Omit<OrderOptions, 'id' | 'final'> {
  readonly source: string;
  readonly target?: string;
  readonly amount: string;
  readonly currency: string;
  readonly expires?: Date;
}

/** For support: the verbs that make orders as clients do, audited. */
export function addOrderCommands(noun: Command): void {
  const verbs = {
    reverse: { type: 'REVERSAL', description: 'move back all or part of what a transfer or a capture moved' },
    capture: { type: 'CAPTURE', description: 'move all or part of what a hold reserves' },
    release: { type: 'RELEASE', description: 'give back all or part of what a hold reserves' },
  };
  const waits = `as an order; waits up to ${waitMaxMs / 1_000} s for it`;
  const order = (verb: string, description: string): Command =>
    noun
      .command(verb)
      .description(`${description}, ${waits}`)
      .option('--biz-id <id>', 'your own id of the order: repeating the command with it is safe', parseBizId)
      .option('--no-wait', 'return as soon as the order is recorded');

  for (const [verb, { type, description }] of Object.entries(verbs)) {
    const command = order(verb, description)
      .requiredOption('--id <id>', 'the transferId of that order')
      .option('--amount <amount>', 'how much (default: all that is left)', parseAmountForm);
    if (verb === 'capture') command.option('--no-final', 'keep what is not captured reserved');
    command.action(withSession<OrderOptions>((options, session) => useOrder(verb, type, options, session)));
  }
  order('hold', 'reserve an amount on a wallet')
    .requiredOption('--source <id>', 'the wallet')
    .option('--target <id>', 'the wallet that it is reserved for (default: the world outside)')
    .requiredOption('--amount <amount>', 'how much', parseAmountForm)
    .requiredOption('--currency <code>', 'the currency of the wallets')
    .option('--expires <time>', 'when what is left of it is released (default: in 7 days)', parseTime)
    .action(withSession<HoldOptions>(hold));
}

async function useOrder(
  verb: string,
  type: string,
  { id, amount, bizId, final = true, wait }: OrderOptions,
  session: Session,
): Promise<Printed | undefined> {
  const parent = orFail(await session.collections.backlog.find(id), `there is no order ${id}`);
  const asked = askOf(type, { transferId: id, ...defined({ amount, bizId }), ...(final ? {} : { final }) }, session);
  const subject = { transferId: id, ...defined({ amount, bizId, final: final ? undefined : 'false' }) };
  return makeOrder(`transfer ${verb}`, subject, { ...asked, workspaceId: parent.workspaceId }, wait, session);
}

async function hold(options: HoldOptions, session: Session): Promise<Printed | undefined> {
  const { source, target, amount, currency, bizId, expires, wait } = options;
  const { workspaceId } = await findWallet(session.collections, source);
  await findWorkspace(session.collections, workspaceId);
  const expiresAt = expires?.toISOString();
  const body = { sourceWalletId: source, amount, currency, ...defined({ targetWalletId: target, bizId, expiresAt }) };
  return makeOrder('transfer hold', body, { ...askOf('HOLD', body, session), workspaceId }, wait, session);
}

/** What a request with this body asks for. @throws ServiceError it would be refused, for too many decimals for example. */
function askOf(type: string, body: object, { currencies }: Session): Asked {
  const { body: schemaBy } = orFail(typeOf({ type }).command, `clients make no ${type}`);
  return {
    ...parse(
      schemaBy((code) => currencies.get(code)),
      body,
    ),
    type,
  };
}

function defined(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/**
 * Records an order, also in a workspace that was deleted, whose money has to be taken out. It is audited, and waits for its end
 * if that is asked for.
 * @throws CommandError it FAILED, or has no end yet.
 */
async function makeOrder(
  action: string,
  subject: AuditedChange['subject'],
  asked: OrderRequest,
  isAwaited: boolean,
  session: Session,
): Promise<Printed | undefined> {
  const { recordCurrencies, present, audited } = session;
  const { workspaceId } = asked;
  const recorded = await audited(
    { action, workspaceId, subject },
    async () => {
      await recordCurrencies();
      return recordOrder(session, asked);
    },
    ({ id }) => ({ transferId: id }),
  );
  const order = isAwaited ? await untilTerminal(recorded, session) : recorded;
  const printed = present.order(order);
  if (!isAwaited || order.status === 'COMPLETED') return printed;
  session.host.output.print(printed, session.isJson);
  if (order.failure !== null) {
    const { code, message } = catalogue[order.failure];
    throw new CommandError(`order ${order.id} FAILED: ${code} ${message}`);
  }
  throw new CommandError(
    `order ${order.id} is still ${order.status} after ${waitMaxMs / 1_000} s; it is recorded, and is posted once a worker runs`,
  );
}

async function recordOrder(session: Session, transfer: OrderRequest): Promise<Order> {
  return withAccepting(session, async ({ acceptor, jobs }) => {
    try {
      const { order } = await acceptor.accept({ ...transfer, scopes: everyScope });
      await jobs.drain();
      return order;
    } catch (cause) {
      if (!isTransientFault(cause)) throw cause;
      const repeat =
        transfer.bizId === undefined
          ? 'look for it among the orders of the wallet before you repeat the command'
          : 'repeating the command with the same --biz-id is safe';
      throw new CommandError(`MongoDB did not answer, so the order may have been recorded: ${repeat}`, { cause });
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
