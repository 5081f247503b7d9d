import type { ClockOf } from '../clock.ts';
import { isExternalWalletId } from '../domain/ids.ts';
import { formatMoney } from '../domain/money.ts';
import type { Scope } from '../domain/scopes.ts';
import { ServiceError } from '../errors.ts';
import type { Currencies } from '../domain/currency.ts';
import { amountRefusal } from '../orders/body.ts';
import { legsOf, newOrder, type CreateOrderInput, type Order, type OrderValues } from '../orders/order.ts';
import { withSimulation } from '../orders/simulate.ts';
import type { OrderType, ParentRule } from '../orders/type.ts';
import { findType, hasFlows, typeOf, walletIdsOf } from '../orders/types.ts';
import type { ThroughFailover } from '../waiting/failover.ts';
import { IndeterminateError } from '../storage/shared/transaction.ts';
import type { Accepted, OrderRequest, Recorder } from './record.ts';
import type { ScheduledLimit } from './scheduled-limit.ts';
import type { NamedLeg, WalletCheck } from './wallet-check.ts';

/** The scope that moving money from or to the world outside takes. */
const fundScope: Scope = 'transfer:fund';

export type Acceptor = ReturnType<typeof createAcceptor>;

interface AcceptorDependencies {
  readonly recorder: Recorder;
  readonly walletCheck: WalletCheck;
  readonly throughFailover: ThroughFailover;
  /** Throws UNAVAILABLE, BACKLOG_FULL or WORKSPACE_BACKLOG_FULL while this workspace's orders should not be taken. */
  readonly checkPressure: (workspaceId: string) => void;
  readonly checkScheduled: ScheduledLimit;
  readonly currencies: Currencies;
  /** Dates the orders. */
  readonly clockOf: ClockOf;
}

export function createAcceptor({
  recorder,
  walletCheck,
  throughFailover,
  checkPressure,
  checkScheduled,
  currencies,
  clockOf,
}: AcceptorDependencies) {
  /** Makes every check of a request that repeats no order. @param parent the order that it refers to, if it has to. */
  async function check(request: OrderRequest, type: OrderType, now: Date, parent?: Order): Promise<OrderValues> {
    const { scopes: _, tooManyLegs: __, ...input } = request;
    const { workspaceId } = input;
    const timeRefusal = type.command?.refusesTime?.(input, now);
    if (timeRefusal !== undefined) throw new ServiceError(timeRefusal.reason, timeRefusal);
    if (type.parent !== undefined) checkParent(type.parent, request, parent, { currencies, now });
    const values = type.values(input, { workspaceId, now, parent });
    if (type.checksWallets !== false) await walletCheck.check(workspaceId, namedLegs(type, values));
    return withSimulation(values);
  }

  /** As check; and makes the EXTERNAL wallets that the order names, which only the service itself does. */
  async function valuesOf(request: OrderRequest, type: OrderType, now: Date, parent?: Order): Promise<OrderValues> {
    const values = await check(request, type, now, parent);
    const external = legsOf(values).filter((leg) => walletIdsOf({ legs: [leg] }).some(isExternalWalletId));
    for (const currency of new Set(external.map((leg) => leg.currency)))
      await walletCheck.ensureExternal(values.workspaceId, currency);
    return values;
  }

  async function makeOrder(request: OrderRequest, type: OrderType, parent?: Order): Promise<Order> {
    const { request: signedRequest, apiKey, batchId } = request;
    const now = (await clockOf(request.workspaceId))();
    const values = await valuesOf(request, type, now, parent);
    if (values.executeAt !== undefined) await checkScheduled(values.workspaceId, values.executeAt);
    const origin = {
      ...(signedRequest === undefined ? {} : { request: signedRequest }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(batchId === undefined ? {} : { batchId }),
    };
    return newOrder({ ...values, ...origin }, now);
  }

  /**
   * A request that refers to another order looks for both that and the order of its bizId at once. Any other one looks for the
   * order of its bizId only when it is refused, because the bizId counts first, and nearly all are new.
   * @param refusal why it is refused, unless it repeats an order.
   */
  async function prepare(request: OrderRequest, type: OrderType, refusal?: ServiceError): Promise<Accepted | Order> {
    if (refusal !== undefined) return repeatedOr(refusal, request);
    if (type.parent !== undefined) {
      const { repeated, parent } = await recorder.find(request);
      return repeated ?? makeOrder(request, type, parent);
    }
    try {
      return await makeOrder(request, type);
    } catch (error) {
      const repeated = error instanceof ServiceError ? (await recorder.find(request)).repeated : undefined;
      if (repeated === undefined) throw error;
      return repeated;
    }
  }

  /**
   * The order that a request repeats, which is to be refused otherwise.
   * @throws ServiceError NONCE_REUSED, or the refusal.
   */
  async function repeatedOr(refusal: ServiceError, request: OrderRequest): Promise<Accepted> {
    const existing = await recorder.find(request).catch((error: unknown) => {
      if (error instanceof ServiceError && error.errorName === 'BIZ_ID_CONFLICT') return undefined;
      throw error;
    });
    if (existing?.repeated === undefined) throw refusal;
    return existing.repeated;
  }

  /**
   * The order that a request repeats, or the one that would be recorded if it were to be posted now. Stores nothing.
   * @throws ServiceError as accept does.
   */
  async function dryRun(request: OrderRequest, refusal?: ServiceError): Promise<DryRun> {
    refuseExternal(request, refusal);
    if (refusal !== undefined) return repeatedOr(refusal, request);
    const { repeated, parent } = await recorder.find(request);
    if (repeated !== undefined) return repeated;
    const now = (await clockOf(request.workspaceId))();
    const { executeAt: _, ...values } = await check(request, typeOf(request), now, parent);
    return { order: newOrder(values, now), isReplay: false, parent };
  }

  /**
   * Begins to accept an order.
   * @param refusal why it is refused, unless it repeats an order.
   * @returns what is to be tried, again if MongoDB is away. However often, the very same order is recorded, and once.
   * @throws ServiceError the refusal, or WALLET_NOT_FOUND, if an EXTERNAL wallet is named.
   */
  function begin(request: OrderRequest, refusal?: ServiceError): OrderAttempt {
    refuseExternal(request, refusal);
    let order: Order | undefined;
    return async (timeLeftMs) => {
      if (order === undefined) {
        const prepared = await prepare(request, typeOf(request), refusal);
        if ('isReplay' in prepared) return prepared;
        order = prepared;
      }
      if (await recorder.record(order, timeLeftMs)) return { order, isReplay: false };
      // The bizId is known, the same signed request came before Redis lost its nonce, or an earlier attempt succeeded.
      const { repeated } = await recorder.find(request, order);
      if (repeated !== undefined) return repeated;
      await recorder.refuseUsedRequest(request, order);
      // After an election the new primary may not show yet what is on a majority, or the old one had what is lost now.
      throw new IndeterminateError('no majority has the order that this one repeats');
    };
  }

  return {
    begin,
    valuesOf,
    dryRun,
    /**
     * Records an order, durable on a majority when this resolves, and wakes a worker for it, unless it is SCHEDULED. Repeating
     * a call with the same bizId and values returns the first call's order, also when both run at once. However many attempts
     * an election takes, the order is recorded once.
     * @throws ServiceError UNAVAILABLE, BACKLOG_FULL or WORKSPACE_BACKLOG_FULL, with nothing stored, under too much load;
     * WALLET_NOT_FOUND for an EXTERNAL wallet; BIZ_ID_CONFLICT; TIME_NOT_AHEAD, or FIELD_OUT_OF_RANGE for a time too far ahead; of the
     * order that it refers to TRANSFER_NOT_FOUND, SCOPE_MISSING, an amount that its currency does not take, NOT_REVERSIBLE or
     * NOT_A_HOLD, ORDER_STATE_CONFLICT, HOLD_CLOSED, EXCEEDS_REMAINING; SAME_WALLET, WALLET_NOT_FOUND, WALLET_NOT_ACTIVE,
     * CURRENCY_MISMATCH; SCHEDULED_FULL, in that order of checks;
     * NONCE_REUSED if the signed request made an order before, which a majority has.
     * Source: docs/contract.md, "Creating a transfer".
     * @param timeLeftMs until the caller answers that it took too long. No attempt begins too late to end by then.
     * @param refusal why the request is refused, such as for its currency, unless an order was made with its values before:
     * nothing is recorded then.
     */
    async accept(request: OrderRequest, timeLeftMs = () => Infinity, refusal?: ServiceError): Promise<Accepted> {
      if (refusal === undefined) checkPressure(request.workspaceId);
      return throughFailover(request.workspaceId, begin(request, refusal), timeLeftMs);
    },
  };
}

/** Checks the order that a request refers to. */
function checkParent(
  rule: ParentRule,
  request: OrderRequest,
  parent: Order | undefined,
  { currencies, now }: { readonly currencies: Currencies; readonly now: Date },
): void {
  const field = 'transferId';
  if (parent === undefined) throw new ServiceError('TRANSFER_NOT_FOUND', { field });
  if (rule.isGranted !== true && movesOutside(parent) && request.scopes?.has(fundScope) !== true)
    throw new ServiceError('SCOPE_MISSING', { value: fundScope });
  if (request.tooManyLegs !== undefined) throw request.tooManyLegs;
  const otherType = rule.refusesType(findType(parent.type));
  const misfit = rule.refusesForm?.(parent, request);
  if (misfit !== undefined) throw new ServiceError(misfit.reason, misfit);
  const legs = legsOf(parent);
  const decimalsOf = (leg = 0): number | undefined => currencies.get(legs[leg]?.currency ?? '');
  for (const { amount, leg, field: ofAmount } of amountsIn(request)) {
    const decimals = decimalsOf(leg);
    const fault = decimals === undefined ? undefined : amountRefusal(amount, decimals);
    if (fault !== undefined) throw new ServiceError(fault.reason, { field: ofAmount, value: fault.value });
  }
  if (otherType !== undefined) throw new ServiceError(otherType, { field, value: parent.type });
  if (parent.status !== 'COMPLETED') throw new ServiceError('ORDER_STATE_CONFLICT', { field, value: parent.status });
  const refusal = rule.refusesUse(parent, request, now);
  if (refusal === undefined) return;
  const { reason, value, leg } = refusal;
  throw new ServiceError(reason, {
    field: refusal.field ?? field,
    value: typeof value === 'string' ? value : formatMoney(value, decimalsOf(leg) ?? value.decimalPlaces()),
  });
}

/** The amounts that a request names, of which legs of the order that it refers to. */
function amountsIn({ amount, legs = [] }: CreateOrderInput) {
  const ofLegs = legs.map((leg, place) => ({ ...leg, field: `legs[${place}].amount` }));
  return [{ amount, parentLeg: 0, field: 'amount' }, ...ofLegs].flatMap(({ amount: text, parentLeg: leg, field }) =>
    text === undefined ? [] : [{ amount: text, leg, field }],
  );
}

/** Whether any of an order's money came from the world outside, or went there. */
function movesOutside(order: Order): boolean {
  return hasFlows(order.type) && walletIdsOf({ legs: legsOf(order) }).some(isExternalWalletId);
}

/** The wallets of each leg that clients can name, with the fields that name them. */
function namedLegs(type: OrderType, values: OrderValues): NamedLeg[] {
  return legsOf(values).map(({ sourceWalletId, targetWalletId, currency }, place) => {
    const { source, target } = type.walletFields(values.legs === undefined ? undefined : place);
    const wallets = [
      { field: source, id: sourceWalletId },
      { field: target, id: targetWalletId },
    ];
    return { currency, wallets: wallets.filter(({ id }) => !isExternalWalletId(id)) };
  });
}

/** An order that exists, or would be made. */
interface DryRun extends Accepted {
  /** The order that it refers to, of one that would be made. */
  readonly parent?: Order | undefined;
}

/** Tries to record an order. After an error that is the servers' fault it may be called again. */
export type OrderAttempt = (timeLeftMs: () => number) => Promise<Accepted>;

/**
 * Refuses EXTERNAL wallets by their ids alone. It comes before the bizId is looked up, which may be a funding order's. So a
 * client that guesses such an order's wallet, amount and bizId, rightly or not, always gets the answer for an unknown wallet
 * with a new bizId, and learns nothing about orders or wallets.
 * @throws ServiceError WALLET_NOT_FOUND, or what it is refused for anyway.
 */
export function refuseExternal(input: CreateOrderInput, refusal?: ServiceError): void {
  const walletIds = [
    ['sourceWalletId', input.sourceWalletId],
    ['targetWalletId', input.targetWalletId],
    // A type may have further wallets in its terms.
    ...Object.entries(input.terms ?? {}),
    ...(input.legs ?? []).flatMap(({ sourceWalletId, targetWalletId }, place) => [
      [`legs[${place}].sourceWalletId`, sourceWalletId] as const,
      [`legs[${place}].targetWalletId`, targetWalletId] as const,
    ]),
  ] as const;
  for (const [field, id] of walletIds)
    if (id !== undefined && isExternalWalletId(id)) throw refusal ?? new ServiceError('WALLET_NOT_FOUND', { field });
}
