import type { ClockOf } from '../clock.ts';
import { newIdIn } from '../domain/ids.ts';
import { remainingOf } from '../domain/progress.ts';
import { ServiceError, type ErrorName } from '../errors.ts';
import type { ThroughFailover } from '../waiting/failover.ts';
import {
  differencesOf,
  isRepeated,
  newOrder,
  type CreateOrderInput,
  type OrderValues,
  type Order,
} from '../orders/order.ts';
import { usedLegs } from '../orders/parent.ts';
import { findType, typeOf } from '../orders/types.ts';
import { IndeterminateError } from '../storage/shared/transaction.ts';
import { refuseExternal, type Acceptor, type OrderAttempt } from './accept.ts';
import { conflict, type Accepted, type OrderRequest, type Recorder } from './record.ts';

/** A line of a batch: what it asks for; why it is refused; or both, if it is refused unless it repeats an order. */
export type BatchLine =
  | { readonly input: CreateOrderInput; readonly refusal?: ServiceError }
  | { readonly input?: undefined; readonly refusal: ServiceError };

type Item = Accepted | ServiceError;

export interface AcceptedBatch {
  /** Of the orders that were recorded; if an atomic batch repeats an earlier one, that one's. */
  readonly batchId: string;
  /** Of each line, in order: the order that it made or repeats, or why there is none. */
  readonly items: readonly Item[];
}

/** Who asks. */
type Caller = Required<Pick<OrderRequest, 'workspaceId' | 'scopes'>> & Pick<OrderRequest, 'apiKey'>;

interface BatchDependencies {
  readonly acceptor: Pick<Acceptor, 'begin' | 'valuesOf'>;
  readonly recorder: Pick<Recorder, 'findAll' | 'recordTogether' | 'enqueueAgain'>;
  readonly throughFailover: ThroughFailover;
  /** @param toPost how many orders it may bring to the workers. Throws as the acceptor's does. */
  readonly checkPressure: (workspaceId: string, toPost: number) => void;
  readonly clockOf: ClockOf;
}

export type BatchAcceptor = ReturnType<typeof createBatchAcceptor>;

/** Accepts many orders of one request. A batch takes one place among the requests that wait for MongoDB. */
export function createBatchAcceptor({
  acceptor,
  recorder,
  throughFailover,
  checkPressure,
  clockOf,
}: BatchDependencies) {
  return {
    /**
     * Accepts each line for itself, as if it came alone; the lines share the commands that look up and record. Of two lines
     * with one bizId the second repeats the first. Repeating the call is safe for lines with a bizId.
     * @throws ServiceError UNAVAILABLE, BACKLOG_FULL or WORKSPACE_BACKLOG_FULL, with nothing stored; UNAVAILABLE, or another
     * error of the servers, if MongoDB was away for too long: some lines may have been recorded.
     */
    async acceptEach(caller: Caller, lines: readonly BatchLine[], timeLeftMs: () => number): Promise<AcceptedBatch> {
      const { workspaceId } = caller;
      checkPressure(workspaceId, countToPost(lines));
      const batchId = newIdIn(workspaceId, 'batch', (await clockOf(workspaceId))());
      const attempt = separateLines(lines, { ...caller, batchId }, { acceptor, recorder });
      return { batchId, items: await throughFailover(workspaceId, attempt, timeLeftMs) };
    },

    /**
     * Accepts all lines or none, as one unit that is posted as one. If a line is refused, its item says why, and those of the
     * others are BATCH_FAILED. Repeating the call is safe if all lines have a bizId: it finds the batch of the first call, also
     * when both run at once.
     * @throws ServiceError as acceptEach does; an error of the servers: all lines may have been recorded.
     */
    async acceptTogether(
      caller: Caller,
      lines: readonly BatchLine[],
      timeLeftMs: () => number,
    ): Promise<AcceptedBatch> {
      const { workspaceId } = caller;
      checkPressure(workspaceId, countToPost(lines));
      const atomicLines = {
        workspaceId,
        batchId: newIdIn(workspaceId, 'batch', (await clockOf(workspaceId))()),
        inputs: lines.map(({ input }) => input && { ...input, ...caller }),
        refusals: refusalsOf(lines),
      };
      return throughFailover(workspaceId, atomicBatch(atomicLines, { acceptor, recorder, clockOf }), timeLeftMs);
    },
  };
}

/** How many lines ask for an order that is to be posted at once. */
function countToPost(lines: readonly BatchLine[]): number {
  return lines.filter(({ input, refusal }) => refusal === undefined && input?.executeAt === undefined).length;
}

/** The orders that lines refer to, each at its line's place: undefined where there is none. */
type Parents = readonly (Order | undefined)[];

async function parentsOf(
  recorder: Pick<Recorder, 'findAll'>,
  workspaceId: string,
  inputs: readonly (CreateOrderInput | undefined)[],
): Promise<Parents> {
  const references = inputs.map((input) => input?.parent);
  return references.every((parent) => parent === undefined) ? [] : recorder.findAll(workspaceId, references);
}

/** How many legs the orders of a batch have together; of an atomic one, which is posted at once, no more than a group takes. */
export const batchLegsMax = { each: 500, together: 100 } as const;

/**
 * Which lines are refused because they would have all legs of an order moved back, and there are too many: in the order of the
 * lines, each with which the sum would pass the limit. A line counts as one until it is known what it refers to.
 */
function tooManyLegs(
  inputs: readonly (CreateOrderInput | undefined)[],
  parents: Parents,
  legsMax: number,
): ReadonlyMap<number, ServiceError> {
  const refused = new Map<number, ServiceError>();
  let legs = inputs.reduce((sum, input) => sum + (input?.legs?.length ?? 1), 0);
  for (const [line, parent] of parents.entries()) {
    const input = inputs[line];
    if (parent?.legs === undefined || input === undefined || input.legs !== undefined) continue;
    // What cannot refer to it has none of its legs.
    if (typeOf(input).parent?.refusesType(findType(parent.type)) !== undefined) continue;
    const more = usedLegs(parent).filter((leg) => remainingOf(leg).greaterThan(0)).length - 1;
    const isTooMany = legs + more > legsMax;
    if (isTooMany) refused.set(line, new ServiceError('FIELD_OUT_OF_RANGE', { field: 'legs', value: String(legsMax) }));
    legs += isTooMany ? -1 : Math.max(0, more);
  }
  return refused;
}

/**
 * Lines on their way, each for itself. What they refer to is looked up before any is recorded, because none refers to another of
 * its batch.
 * @param common what all orders of the batch have.
 * @returns tries those that have no item yet; after an error that is the servers' fault it may be called again.
 */
function separateLines(
  lines: readonly BatchLine[],
  common: Caller & { readonly batchId: string },
  { acceptor, recorder }: Pick<BatchDependencies, 'acceptor' | 'recorder'>,
): (timeLeftMs: () => number) => Promise<readonly Item[]> {
  const items: Item[] = [];
  /** Of each line what is to be tried, or why it is refused without; undefined before the first attempt. */
  let begun: readonly (OrderAttempt | ServiceError)[] | undefined;

  async function begin(): Promise<readonly (OrderAttempt | ServiceError)[]> {
    const inputs = lines.map(({ input }) => input);
    const parents = await parentsOf(recorder, common.workspaceId, inputs);
    const tooMany = tooManyLegs(inputs, parents, batchLegsMax.each);
    return lines.map(({ input, refusal }, line) => {
      if (input === undefined) return refusal;
      const { parent, ...others } = input;
      const isThere = parent !== undefined && parents[line] !== undefined;
      try {
        const request = { ...(isThere ? input : others), ...common, tooManyLegs: tooMany.get(line) };
        return acceptor.begin(request, refusal);
      } catch (error) {
        return ofLine(error);
      }
    });
  }

  return async (timeLeftMs) => {
    begun ??= await begin();
    const tryLine = async (line: number, attempt: OrderAttempt | ServiceError, before?: Promise<void>) => {
      await before;
      items[line] ??= attempt instanceof ServiceError ? attempt : await attempt(timeLeftMs).catch(ofLine);
    };
    /** The last line so far of each bizId: the next one waits for it, and then finds its order. */
    const lastOf = new Map<string, Promise<void>>();
    const tries = begun.map((attempt, line) => {
      const bizId = lines[line]?.input?.bizId;
      const trying = tryLine(line, attempt, bizId === undefined ? undefined : lastOf.get(bizId));
      if (bizId !== undefined) lastOf.set(bizId, trying);
      return trying;
    });
    for (const result of await Promise.allSettled(tries)) if (result.status === 'rejected') throw result.reason;
    return items;
  };
}

/** Lines that are recorded together or not at all. */
interface AtomicLines {
  readonly workspaceId: string;
  readonly batchId: string;
  /** What each line asks for; undefined where its form cannot be read. */
  readonly inputs: readonly (OrderRequest | undefined)[];
  /** Why lines are refused, unless the batch repeats an earlier one. */
  readonly refusals: readonly (ServiceError | undefined)[];
}

/** The orders that have the bizIds of the lines already; undefined where there is none. */
type ExistingOrders = readonly (Order | undefined)[];

/**
 * An atomic batch on its way to be recorded.
 * @returns an attempt, to be made again after an error that is the servers' fault. The first looks whether the batch repeats an
 * earlier one, and otherwise makes its orders; each further one records the very same orders, unless an earlier one did after all.
 */
function atomicBatch(
  { workspaceId, batchId, inputs, refusals }: AtomicLines,
  { acceptor, recorder, clockOf }: Pick<BatchDependencies, 'acceptor' | 'recorder' | 'clockOf'>,
): (timeLeftMs: () => number) => Promise<AcceptedBatch> {
  /** As an earlier attempt tried to record them. */
  let orders: readonly Order[] | undefined;

  const recorded = (made: readonly Order[]): AcceptedBatch => ({
    batchId,
    items: made.map((order) => ({ order, isReplay: false })),
  });

  /** The orders of the atomic batch that one is of, if it has as many lines; none otherwise. */
  async function batchOf({ id, firstId, otherIds }: Order): Promise<ExistingOrders> {
    const [first] = firstId === undefined ? [{ id, otherIds }] : await recorder.findAll(workspaceId, [firstId]);
    if (first?.otherIds === undefined || first.otherIds.length + 1 !== inputs.length) return [];
    return recorder.findAll(workspaceId, [first.id, ...first.otherIds]);
  }

  /** The batch that this one repeats, if these orders are of one; undefined if it repeats none. */
  async function repeatedOf(existing: ExistingOrders, parents: Parents): Promise<AcceptedBatch | undefined> {
    const one = existing.find((order) => order !== undefined);
    if (one?.batchId === undefined) return undefined;
    const repeated = (await batchOf(one)).flatMap((order, index) =>
      isRepetition(inputs[index], order, parents[index]?.id) ? [order] : [],
    );
    if (repeated.length !== inputs.length) return undefined;
    const isReplay = repeated[0]?.id !== orders?.[0]?.id;
    if (!isReplay) recorder.enqueueAgain(one);
    return { batchId: one.batchId, items: repeated.map((order) => ({ order, isReplay })) };
  }

  /** Makes every check of a batch that repeats none. @returns its orders, or why lines are refused. */
  async function make(existing: ExistingOrders, parents: Parents): Promise<readonly Order[] | AcceptedBatch> {
    const now = (await clockOf(workspaceId))();
    const tooMany = tooManyLegs(inputs, parents, batchLegsMax.together);
    async function check(input: OrderRequest | undefined, index: number) {
      const [order, parent] = [existing[index], parents[index]];
      const differing = order && conflict(order.id, input && differencesOf(order, input, parent?.id));
      const request = input && { ...input, tooManyLegs: tooMany.get(index) };
      const refusal = refusals[index] ?? differing;
      return refusal ?? (request && acceptor.valuesOf(request, typeOf(request), now, parent).catch(ofLine));
    }
    const checked = await Promise.all(inputs.map(check));
    const values = checked.filter((line): line is OrderValues => line !== undefined && !(line instanceof ServiceError));
    if (values.length === inputs.length) return togetherOf(values, batchId, now);
    return {
      batchId,
      items: checked.map((line) => (line instanceof ServiceError ? line : new ServiceError('BATCH_FAILED'))),
    };
  }

  return async (timeLeftMs) => {
    if (orders !== undefined) {
      // An earlier attempt may have recorded them after all, also if they have no bizIds.
      const [first] = await recorder.findAll(workspaceId, [orders[0]?.id]);
      if (first !== undefined) {
        recorder.enqueueAgain(first);
        return recorded(orders);
      }
    }
    const bizIds = inputs.map((input) => input?.bizId);
    const [existing, parents] = await Promise.all([
      recorder.findAll(workspaceId, bizIds),
      parentsOf(recorder, workspaceId, inputs),
    ]);
    const repeated = await repeatedOf(existing, parents);
    if (repeated !== undefined) return repeated;
    if (orders === undefined || existing.some((order) => order !== undefined)) {
      const made = await make(existing, parents);
      if ('items' in made) return made;
      orders = made;
    }
    if (await recorder.recordTogether(workspaceId, orders, timeLeftMs)) return recorded(orders);
    // Another request has recorded one of the bizIds, or an earlier attempt the batch: the next attempt finds it.
    throw new IndeterminateError('no majority has the batch that this one repeats');
  };
}

/** Whether a line asks for this order. One without a bizId does if it asks for the same. */
function isRepetition(
  input: OrderRequest | undefined,
  order: Order | undefined,
  parentId: string | undefined,
): order is Order {
  if (order === undefined || input === undefined) return false;
  return (input.bizId ?? order.bizId) === order.bizId && isRepeated(order, input, parentId);
}

/** The orders of an atomic batch. Their ids are in the order of its lines, and the first stands for all. */
export function togetherOf(values: readonly OrderValues[], batchId: string, now: Date): readonly Order[] {
  const [first, ...others] = values.map((line) => newOrder({ ...line, batchId }, now));
  if (first === undefined) return [];
  return [
    { ...first, otherIds: others.map(({ id }) => id) },
    ...others.map((order) => ({ ...order, firstId: first.id })),
  ];
}

/** Why the form of lines keeps them out of an atomic batch. */
function refusalsOf(lines: readonly BatchLine[]): (ServiceError | undefined)[] {
  const bizIds = new Set<string>();
  return lines.map(({ input, refusal }) => {
    if (input === undefined) return refusal;
    const { bizId, executeAt } = input;
    const isTwice = bizId !== undefined && bizIds.has(bizId);
    if (bizId !== undefined) bizIds.add(bizId);
    if (executeAt !== undefined) return new ServiceError('FIELD_UNKNOWN', { field: 'executeAt' });
    try {
      refuseExternal(input, refusal);
    } catch (error) {
      return ofLine(error);
    }
    return isTwice ? conflict() : refusal;
  });
}

/** An error that is a line's own. @throws the error, if it is that of the servers. */
function ofLine(error: unknown): ServiceError {
  const isOwn = error instanceof ServiceError && !ofServers.has(error.errorName);
  if (isOwn) return error;
  throw error;
}

const ofServers: ReadonlySet<ErrorName> = new Set(['UNAVAILABLE', 'INTERNAL_ERROR', 'ANSWER_TOO_LATE']);
