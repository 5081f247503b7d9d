import { hostname } from 'node:os';
import type { Collection, Db, Filter } from 'mongodb';
import { leastIdAt, newId, timeOfId } from '../domain/ids.ts';
import { beyondAnyId, idsBelow, readPage, type Page } from './page.ts';
import { inOneReply, operatorMaxMs } from './reply.ts';
import { isTransientFault } from './transaction.ts';

export const reasonLengthMax = 200;

/** Whether a text may stand in the audit as the reason of a change. */
export function isReason(text: string): boolean {
  return text.trim() !== '' && text.length <= reasonLengthMax && !/\p{Cc}/u.test(text);
}

/** Who makes a change, as far as this process can tell. */
export interface Actor {
  /** The user of the operating system who runs the command; null for what comes over the operations port. */
  readonly actor: string | null;
  /** Who that says it is for: `--as`, or the user named beside the operations token. Nobody has checked it. */
  readonly claimedActor: string | null;
  /** Where a request to the operations port came from; null for a command. */
  readonly address: string | null;
}

/** What is changed: never a secret. */
export interface AuditedChange {
  /** Noun and verb, such as `key rotate`. */
  readonly action: string;
  /** Null where it concerns no single workspace. */
  readonly workspaceId: string | null;
  /** What it is done to, and with which values. */
  readonly subject: Readonly<Record<string, AuditedValue>>;
}

/**
 * Makes a change, having recorded it in the audit; where that fails, nothing is changed. What came of it is recorded
 * afterwards.
 * @param made what of the result the event could not know beforehand, such as the id of an order.
 */
export type Audited = <T>(
  change: AuditedChange,
  make: () => Promise<T>,
  made?: (result: T) => AuditedChange['subject'],
) => Promise<T>;

export type AuditedValue = string | number | boolean | null | readonly string[];

interface EventDocument extends Actor, AuditedChange {
  readonly _id: string;
  readonly createdAt: Date;
  readonly host: string;
  readonly pid: number;
}

/** Events of earlier releases have fewer fields, and an outcome of their own. */
type StoredEvent = Pick<EventDocument, '_id' | 'createdAt' | 'action' | 'subject'> &
  Partial<EventDocument> & { readonly outcome?: AuditEvent['outcome'] };

/** A document of its own, because nothing that was written is changed. */
interface OutcomeDocument {
  /** The event's id and {@link outcomeSuffix}: there is one outcome at the most, found by the primary key. */
  readonly _id: string;
  readonly createdAt: Date;
  readonly outcome: 'DONE' | 'FAILED';
  /** What the event could not know beforehand, such as the id of what was created. */
  readonly made: AuditedChange['subject'];
}

export interface AuditEvent extends Actor, AuditedChange {
  readonly id: string;
  readonly createdAt: Date;
  /** Null in events of earlier releases, as are `claimedActor`, `pid` and often `workspaceId`. */
  readonly host: string | null;
  readonly pid: number | null;
  /** STARTED: it was cut short; whether it changed anything is seen on the subject itself. */
  readonly outcome: 'STARTED' | 'DONE' | 'FAILED';
  readonly endedAt: Date | null;
}

/** Which events: all conditions together. */
export interface AuditQuery {
  readonly workspaceId?: string | undefined;
  /** Who did it, or whom it was claimed to be for. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  /** The last event of the page before. */
  readonly before?: string | undefined;
}

interface SubjectId {
  readonly name: 'transferId' | 'walletId' | 'key';
  readonly id: string;
}

export type AuditEvents = ReturnType<typeof openAuditEvents>;

const outcomeSuffix = '.outcome';
const makingMaxMs = 60_000;
const clockMarginMs = 1_000;

/**
 * The `auditEvents` collection: every change by an operator. It is appended to only: what is offered here can insert and
 * find, and nothing else in the code names the collection.
 */
export function openAuditEvents(db: Db) {
  type Appendable<T extends { _id: string }> = Pick<Collection<T>, 'insertOne' | 'find'>;
  const events: Appendable<EventDocument> = db.collection<EventDocument>('auditEvents');
  const outcomes: Appendable<OutcomeDocument> = db.collection<OutcomeDocument>('auditEvents');
  const stored: Pick<Collection<StoredEvent>, 'find'> = db.collection<StoredEvent>('auditEvents');

  async function withOutcomes(found: readonly StoredEvent[]): Promise<AuditEvent[]> {
    const filter = { _id: { $in: found.map(({ _id }) => _id + outcomeSuffix) } };
    const outcomesFound = await outcomes.find(filter, inOneReply(found.length)).toArray();
    const ended = new Map(outcomesFound.map((outcome) => [outcome._id, outcome]));
    return found.map((event) => toEvent(event, ended.get(event._id + outcomeSuffix)));
  }

  return {
    /**
     * To be called before the change is made, and the change to be left undone where this throws: then there is no change
     * without its event. Durable on a majority once it resolves. @returns the event's id.
     */
    async begin(who: Actor, { action, workspaceId, subject }: AuditedChange): Promise<string> {
      const _id = newId('audit');
      const { actor, claimedActor, address } = who;
      const origin = { actor, claimedActor, address, host: hostname(), pid: process.pid };
      await events.insertOne({ _id, createdAt: timeOfId('audit', _id), ...origin, action, workspaceId, subject });
      return _id;
    },

    /** Says what came of it; an event without an outcome is STARTED. Once an event: a second one is refused. */
    async end(id: string, outcome: 'DONE' | 'FAILED', made: AuditedChange['subject'] = {}): Promise<void> {
      await outcomes.insertOne({ _id: id + outcomeSuffix, createdAt: new Date(), outcome, made });
    },

    /** One page, newest first, by an index whatever is asked. @throws ServiceError UNAVAILABLE it takes too long. */
    async list(query: AuditQuery, size: number): Promise<Page<AuditEvent>> {
      const page = await readPage(stored, filterOf(query), { size, skip: 0 }, wholeEvents);
      return { ...page, items: await withOutcomes(page.items) };
    },

    /**
     * The newest events about one thing of a workspace, of those since a minute before it was made.
     * @param subject its name in the events, and its id: as `transferId` has one, `transferIds` have several.
     */
    async about(workspaceId: string, subject: SubjectId, madeAt: Date, countMax: number): Promise<AuditEvent[]> {
      const filter: Filter<StoredEvent> = {
        workspaceId,
        action: { $exists: true },
        _id: { $gte: leastIdAt('audit', new Date(madeAt.getTime() - makingMaxMs)) },
        $or: [{ [`subject.${subject.name}`]: subject.id }, { [`subject.${subject.name}s`]: subject.id }],
      };
      const found = stored.find(filter, { hint: 'events_of_workspace', maxTimeMS: operatorMaxMs });
      return withOutcomes(await found.sort({ _id: -1 }).limit(countMax).toArray());
    },

    /** The event whose change made an order, of those begun within the minute before it. */
    async thatMade(transferId: string, madeAt: Date): Promise<AuditEvent | undefined> {
      const [from, to] = [new Date(madeAt.getTime() - makingMaxMs), new Date(madeAt.getTime() + clockMarginMs)];
      const filter: Filter<OutcomeDocument> = {
        _id: { $gte: leastIdAt('audit', from), $lt: leastIdAt('audit', to) },
        'made.transferId': transferId,
      };
      const [outcome] = await outcomes.find(filter, { limit: 1, maxTimeMS: operatorMaxMs }).toArray();
      if (outcome === undefined) return undefined;
      const eventId = outcome._id.slice(0, -outcomeSuffix.length);
      const [event] = await stored.find({ _id: eventId }, { limit: 1, maxTimeMS: operatorMaxMs }).toArray();
      return event && toEvent(event, outcome);
    },
  };
}

/**
 * Makes changes with their events. An event stays STARTED where its outcome cannot be recorded, and where the servers may
 * have done what they did not answer.
 * @param onMade what else comes of a change, before its outcome is recorded. @param onUnrecorded told the event's id.
 */
export function auditedBy(
  auditEvents: AuditEvents,
  who: Actor,
  onMade?: () => Promise<void>,
  onUnrecorded?: (id: string) => void,
): Audited {
  return async (change, make, made) => {
    const id = await auditEvents.begin(who, change).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`the audit cannot be written to, so nothing was changed: ${reason}`, { cause });
    });
    // The change is made or not by then: that must not be hidden by an outcome that cannot be recorded.
    const end = (...outcome: ['DONE' | 'FAILED', AuditedChange['subject']?]): Promise<void> =>
      auditEvents.end(id, ...outcome).catch(() => onUnrecorded?.(id));
    let result;
    try {
      result = await make();
    } catch (error) {
      if (![error, error instanceof Error ? error.cause : undefined].some(isTransientFault)) await end('FAILED');
      throw error;
    }
    await onMade?.();
    await end('DONE', made?.(result));
    return result;
  };
}

const wholeEvents = { without: {}, convert: (event: StoredEvent) => event };

function filterOf({ workspaceId, actor, action, from, to, before }: AuditQuery): Filter<StoredEvent> {
  const times = {
    from: from === undefined ? '' : leastIdAt('audit', from),
    before: to === undefined ? beyondAnyId : leastIdAt('audit', to),
  };
  const ids = idsBelow(times, before);
  const filter: Filter<StoredEvent> = {
    ...(workspaceId === undefined ? {} : { workspaceId }),
    // Outcomes, which stand between the events, have none.
    action: action ?? { $exists: true },
    _id: { $gte: ids.from, $lt: ids.before },
  };
  // Whole filters, so that each has an index that is already in the order asked for.
  return actor === undefined
    ? filter
    : {
        $or: [
          { actor, ...filter },
          { claimedActor: actor, ...filter },
        ],
      };
}

function toEvent(event: StoredEvent, ended: OutcomeDocument | undefined): AuditEvent {
  return {
    id: event._id,
    createdAt: event.createdAt,
    actor: event.actor ?? null,
    claimedActor: event.claimedActor ?? null,
    host: event.host ?? null,
    pid: event.pid ?? null,
    address: event.address ?? null,
    workspaceId: event.workspaceId ?? null,
    action: event.action,
    subject: { ...event.subject, ...ended?.made },
    outcome: ended?.outcome ?? event.outcome ?? 'STARTED',
    endedAt: ended?.createdAt ?? null,
  };
}
