import type { Clock } from '../clock.ts';
import { newId } from '../domain/ids.ts';
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
import { typeOf } from '../orders/types.ts';
import { IndeterminateError } from '../storage/shared/transaction.ts';
import { refuseExternal, type Acceptor } from './accept.ts';
import { conflict, type Accepted, type OrderRequest, type Recorder } from './record.ts';

/** A line of a batch: what it asks for; why it is refused; or both, if it is refused unless it repeats an order. */
export type BatchLine =
  | { readonly asked: CreateOrderInput; readonly refusal?: ServiceError }
  | { readonly asked?: undefined; readonly refusal: ServiceError };

type Item = Accepted | ServiceError;

export interface AcceptedBatch {
  /** Of the orders that were recorded; if an atomic batch repeats an earlier one, that one's. */
  readonly batchId: string;
  /** Of each line, in order: the order that it made or repeats, or why there is none. */
  readonly items: readonly Item[];
}

interface BatchParts {
  readonly acceptor: Pick<Acceptor, 'begin' | 'valuesOf'>;
  readonly recorder: Pick<Recorder, 'findAll' | 'recordTogether' | 'enqueueAgain'>;
  readonly throughFailover: ThroughFailover;
  /** @param toPost how many orders it may bring to the workers. Throws as the acceptor's does. */
  readonly checkPressure: (workspaceId: string, toPost: number) => void;
  readonly clock: Clock;
}

export type BatchAcceptor = ReturnType<typeof createBatchAcceptor>;

/** Accepts many orders of one request. A batch takes one place among the requests that wait for MongoDB. */
export function createBatchAcceptor({ acceptor, recorder, throughFailover, checkPressure, clock }: BatchParts) {
  return {
    /**
     * Accepts each line for itself, as if it came alone; the lines share the commands that look up and record. Of two lines
     * with one bizId the second repeats the first. Repeating the call is safe for lines with a bizId.
     * @throws ServiceError UNAVAILABLE, BACKLOG_FULL or WORKSPACE_BACKLOG_FULL, with nothing stored; UNAVAILABLE, or another
     * error of the servers, if MongoDB was away for too long: some lines may have been recorded.
     */
    async acceptEach(
      workspaceId: string,
      lines: readonly BatchLine[],
      timeLeftMs: () => number,
    ): Promise<AcceptedBatch> {
      checkPressure(workspaceId, countToPost(lines));
      const batchId = newId('batch', clock());
      const tryAll = attemptsOfEach(lines, { workspaceId, batchId }, acceptor);
      return { batchId, items: await throughFailover(workspaceId, tryAll, timeLeftMs) };
    },

    /**
     * Accepts all lines or none, as one unit that is posted as one. If a line is refused, its item says why, and those of the
     * others are BATCH_FAILED. Repeating the call is safe if all lines have a bizId: it finds the batch of the first call, also
     * when both run at once.
     * @throws ServiceError as acceptEach does; an error of the servers: all lines may have been recorded.
     */
    async acceptTogether(
      workspaceId: string,
      lines: readonly BatchLine[],
      timeLeftMs: () => number,
    ): Promise<AcceptedBatch> {
      checkPressure(workspaceId, countToPost(lines));
      const batch = {
        id: newId('batch', clock()),
        asked: lines.map(({ asked }) => asked && { ...asked, workspaceId }),
        refusals: refusalsOf(lines),
      };
      return throughFailover(workspaceId, attemptsOfAll(workspaceId, batch, { acceptor, recorder, clock }), timeLeftMs);
    },
  };
}

/** How many lines ask for an order that is to be posted at once. */
function countToPost(lines: readonly BatchLine[]): number {
  return lines.filter(({ asked, refusal }) => refusal === undefined && asked?.executeAt === undefined).length;
}

/** Each further attempt goes on with the lines that have no end yet. @param common what all their orders have. */
function attemptsOfEach(
  lines: readonly BatchLine[],
  common: { readonly workspaceId: string; readonly batchId: string },
  { begin }: Pick<Acceptor, 'begin'>,
) {
  const items: (Item | undefined)[] = [];
  const beginLine = ({ asked, refusal }: BatchLine): ReturnType<typeof begin> | ServiceError => {
    if (asked === undefined) return refusal;
    try {
      return begin({ ...asked, ...common }, refusal);
    } catch (error) {
      return ofLine(error);
    }
  };
  const attempts = lines.map(beginLine);

  async function tryLine(index: number, before: Promise<void> | undefined, leftMs: () => number): Promise<void> {
    const attempt = attempts[index];
    if (items[index] !== undefined || attempt === undefined) return;
    if (attempt instanceof ServiceError) {
      items[index] = attempt;
      return;
    }
    await before;
    items[index] = await attempt(leftMs).catch(ofLine);
  }

  return async (leftMs: () => number): Promise<readonly Item[]> => {
    /** The last line so far of each bizId: the next one waits for it, and then finds its order. */
    const lastOf = new Map<string | undefined, Promise<void>>();
    const tries = lines.map(({ asked }, index) => {
      const bizId = asked?.bizId;
      const trying = tryLine(index, bizId === undefined ? undefined : lastOf.get(bizId), leftMs);
      lastOf.set(bizId, trying);
      return trying;
    });
    for (const trial of await Promise.allSettled(tries)) if (trial.status === 'rejected') throw trial.reason;
    return items as readonly Item[];
  };
}

/** Lines that are recorded together or not at all. */
interface AtomicBatch {
  readonly id: string;
  readonly asked: readonly (OrderRequest | undefined)[];
  /** Why lines are refused, unless the batch repeats an earlier one. */
  readonly refusals: readonly (ServiceError | undefined)[];
}

function attemptsOfAll(
  workspaceId: string,
  { id, asked, refusals }: AtomicBatch,
  { acceptor, recorder, clock }: Pick<BatchParts, 'acceptor' | 'recorder' | 'clock'>,
) {
  /** As an earlier attempt tried to record them, so that each attempt records the very same orders. */
  let orders: readonly Order[] | undefined;
  const refused = (reasons: readonly (ServiceError | undefined)[]): AcceptedBatch => ({
    batchId: id,
    items: reasons.map((reason) => reason ?? new ServiceError('BATCH_FAILED')),
  });
  const recorded = (all: readonly Order[]): AcceptedBatch => ({
    batchId: id,
    items: all.map((order) => ({ order, isReplay: false })),
  });

  /** The orders of the atomic batch that one is of, if it has as many lines. */
  async function batchOf({ id: ownId, firstId, otherIds }: Order) {
    const [first] = firstId === undefined ? [{ id: ownId, otherIds }] : await recorder.findAll(workspaceId, [firstId]);
    if (first?.otherIds === undefined || first.otherIds.length + 1 !== asked.length) return [];
    return recorder.findAll(workspaceId, [first.id, ...first.otherIds]);
  }

  /** Whether a line asks for this order. One without a bizId does if it asks for the same. */
  function isOf(order: Order | undefined, line: OrderRequest | undefined): order is Order {
    if (order === undefined || line === undefined) return false;
    return (line.bizId ?? order.bizId) === order.bizId && isRepeated(order, line, undefined);
  }

  /** The batch that this one repeats, of which these orders have bizIds of its lines; undefined if it repeats none. */
  async function repeatedOf(known: Known): Promise<AcceptedBatch | undefined> {
    const one = known.find((order) => order !== undefined);
    if (one?.batchId === undefined) return undefined;
    const unit = await batchOf(one);
    const repeated = unit.flatMap((order, index) => (isOf(order, asked[index]) ? [order] : []));
    if (repeated.length !== asked.length) return undefined;
    const isReplay = repeated[0]?.id !== orders?.[0]?.id;
    if (!isReplay) recorder.enqueueAgain(one);
    return { batchId: one.batchId, items: repeated.map((order) => ({ order, isReplay })) };
  }

  /** Makes every check of a batch that repeats none. @returns its orders, or why lines are refused. */
  async function make(known: Known): Promise<readonly Order[] | AcceptedBatch> {
    const now = clock();
    async function check(line: OrderRequest | undefined, index: number) {
      const order = known[index];
      const refusal = refusals[index] ?? (order && conflict(order.id, line && differencesOf(order, line, undefined)));
      return refusal ?? (line && acceptor.valuesOf(line, typeOf(line), now).catch(ofLine));
    }
    const checked = await Promise.all(asked.map(check));
    const values = checked.filter((each): each is OrderValues => each !== undefined && !(each instanceof ServiceError));
    if (values.length === asked.length) return togetherOf(values, id, now);
    return refused(checked.map((each) => (each instanceof ServiceError ? each : undefined)));
  }

  return async (timeLeftMs: () => number): Promise<AcceptedBatch> => {
    if (orders !== undefined) {
      // An earlier attempt may have recorded them after all, also if they have no bizIds.
      const [first] = await recorder.findAll(workspaceId, [orders[0]?.id]);
      if (first !== undefined) {
        recorder.enqueueAgain(first);
        return recorded(orders);
      }
    }
    const known = await recorder.findAll(
      workspaceId,
      asked.map((line) => line?.bizId),
    );
    const repeated = await repeatedOf(known);
    if (repeated !== undefined) return repeated;
    if (orders === undefined || known.some((order) => order !== undefined)) {
      const made = await make(known);
      if ('items' in made) return made;
      orders = made;
    }
    if (await recorder.recordTogether(workspaceId, orders, timeLeftMs)) return recorded(orders);
    // Another request has recorded one of the bizIds, or an earlier attempt the batch: the next attempt finds it.
    throw new IndeterminateError('no majority has the batch that this one repeats');
  };
}

/** The orders that have the bizIds of a batch's lines already. */
type Known = readonly (Order | undefined)[];

/** The orders of an atomic batch. Their ids are in the order of its lines, and the first stands for all. */
export function togetherOf(values: readonly OrderValues[], batchId: string, now: Date): readonly Order[] {
  const [first, ...others] = values.map((each) => newOrder({ ...each, batchId }, now));
  if (first === undefined) return [];
  return [
    { ...first, otherIds: others.map(({ id }) => id) },
    ...others.map((order) => ({ ...order, firstId: first.id })),
  ];
}

/** Why the form of lines keeps them out of an atomic batch. */
function refusalsOf(lines: readonly BatchLine[]): (ServiceError | undefined)[] {
  const bizIds = new Set<string>();
  return lines.map(({ asked, refusal }) => {
    if (asked === undefined) return refusal;
    const { bizId, executeAt } = asked;
    const isTwice = bizId !== undefined && bizIds.has(bizId);
    if (bizId !== undefined) bizIds.add(bizId);
    if (executeAt !== undefined) return new ServiceError('FIELD_UNKNOWN', { field: 'executeAt' });
    try {
      refuseExternal(asked, refusal);
    } catch (error) {
      return ofLine(error);
    }
    return isTwice ? conflict() : refusal;
  });
}

/** An error that is a line's own. @throws the error, if it is that of the servers. */
export function ofLine(error: unknown): ServiceError {
  const isOwn = error instanceof ServiceError && !ofServers.has(error.errorName);
  if (isOwn) return error;
  throw error;
}

const ofServers: ReadonlySet<ErrorName> = new Set(['UNAVAILABLE', 'INTERNAL_ERROR', 'ANSWER_TOO_LATE']);
