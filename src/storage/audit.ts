import { hostname } from 'node:os';
import type { Collection, Db, Filter } from 'mongodb';
import { systemClock, type Clock } from '../clock.ts';
import { leastIdAt, newId, timeOfId } from '../domain/ids.ts';
import { idsBelow, idsMadeIn, readPage, type Page, type TimeRange } from './shared/page.ts';
import { inOneReply, operatorMaxMs } from './shared/commands.ts';
import type { Stored } from './shared/decimal.ts';
import { isServerError } from './shared/error-codes.ts';

/** Who makes a change, as far as this process can tell. */
export interface Actor {
  /** The user of the operating system who runs the command, or the API key; null for a request to the operations port. */
  readonly actor: string | null;
  /** Whom the actor claims to act for: `--as`, or the user named beside the operations token. Nobody has checked it. */
  readonly claimedActor: string | null;
  /** Where a request came from; null for a command, and where it is not known. */
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

export type AuditedValue = string | number | boolean | null | readonly string[];

type EventDocument = Stored<Omit<AuditEvent, 'outcome' | 'endedAt'>>;

/** An outcome is a document of its own, because the audit changes nothing that was written. */
interface OutcomeDocument {
  /** The event's id and {@link outcomeSuffix}. So the primary key finds the outcome, and allows only one. */
  readonly _id: string;
  readonly createdAt: Date;
  readonly outcome: 'DONE' | 'FAILED';
  /** What the event could not know beforehand, such as the id of what was created. */
  readonly made: AuditedChange['subject'];
}

export interface AuditEvent extends Actor, AuditedChange {
  readonly id: string;
  readonly createdAt: Date;
  readonly host: string;
  readonly pid: number;
  /** STARTED: it was cut short. Look at the subject itself to see whether anything changed. */
  readonly outcome: 'STARTED' | 'DONE' | 'FAILED';
  readonly endedAt: Date | null;
}

/** Which events: all conditions together. */
export interface AuditQuery extends TimeRange {
  readonly workspaceId?: string | undefined;
  /** Who did it, or whom it was claimed to be for. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** The last event of the page before. */
  readonly before?: string | undefined;
}

interface SubjectId {
  readonly name: 'transferId' | 'walletId' | 'key';
  readonly id: string;
}

export type AuditEvents = ReturnType<typeof openAuditEvents>;

/** Where the events have the id of a thing: each has an index. */
const fieldsOf = { walletId: ['walletId'], key: ['key'], transferId: ['transferId', 'transferIds'] } as const;

const outcomeSuffix = '.outcome';
const makingMaxMs = 60_000;
const clockMarginMs = 1_000;

/**
 * The `auditEvents` collection: every change by an operator, and of a wallet by a client. It is append-only: the functions
 * here only insert and find, and no other code names the collection.
 */
export function openAuditEvents(db: Db, clock: Clock = systemClock) {
  type Appendable<T extends { _id: string }> = Pick<Collection<T>, 'insertOne' | 'find'>;
  const collection = db.collection<EventDocument>('auditEvents');
  const events: Appendable<EventDocument> = collection;
  const outcomes: Appendable<OutcomeDocument> = db.collection<OutcomeDocument>('auditEvents');

  async function withOutcomes(documents: readonly EventDocument[]): Promise<AuditEvent[]> {
    const filter = { _id: { $in: documents.map(({ _id }) => _id + outcomeSuffix) } };
    const outcomeDocuments = await outcomes.find(filter, inOneReply(documents.length)).toArray();
    const ended = new Map(outcomeDocuments.map((outcome) => [outcome._id, outcome]));
    return documents.map((event) => toEvent(event, ended.get(event._id + outcomeSuffix)));
  }

  return {
    /**
     * Call it before the change is made; if it throws, do not make the change. So there is no change without its event,
     * which is durable on a majority once this resolves.
     * @param _id if it was made before: a repetition with the same one, after a lost answer, records nothing more.
     * @returns the event's id.
     */
    async begin(
      who: Actor,
      { action, workspaceId, subject }: AuditedChange,
      _id = newId('audit', clock()),
    ): Promise<string> {
      const { actor, claimedActor, address } = who;
      const origin = { actor, claimedActor, address, host: hostname(), pid: process.pid };
      const event = { _id, createdAt: timeOfId('audit', _id), ...origin, action, workspaceId, subject };
      await events.insertOne(event).catch((error: unknown) => {
        if (!isServerError(error, 'DuplicateKey')) throw error;
      });
      return _id;
    },

    /** Records the outcome of an event, which is STARTED until then. A second outcome is refused. */
    async end(id: string, outcome: 'DONE' | 'FAILED', made: AuditedChange['subject'] = {}): Promise<void> {
      await outcomes.insertOne({ _id: id + outcomeSuffix, createdAt: clock(), outcome, made });
    },

    /** One page, newest first; every query has an index. @throws ServiceError ANSWER_TOO_LATE it takes too long. */
    async list(query: AuditQuery, size: number): Promise<Page<AuditEvent>> {
      const page = await readPage(collection, filterOf(query), { size, skip: 0 }, wholeEvents);
      return { ...page, items: await withOutcomes(page.items) };
    },

    /**
     * The newest events about one thing of a workspace.
     * @param subject its name in the events, and its id. `transferId` also finds events that list it in `transferIds`.
     * @param otherId of one more thing of that kind.
     */
    async about(
      workspaceId: string,
      { name, id }: SubjectId,
      countMax: number,
      otherId?: string,
    ): Promise<AuditEvent[]> {
      const ids = otherId === undefined ? [id] : [id, otherId];
      // Each filter has an index of its own, in the order asked for. Outcomes have no subject.
      const filters = fieldsOf[name].flatMap((field) =>
        ids.map((each) => ({ workspaceId, [`subject.${field}`]: each })),
      );
      const options = { limit: countMax, maxTimeMS: operatorMaxMs, ...inOneReply(countMax) };
      return withOutcomes(await events.find({ $or: filters }, options).sort({ _id: -1 }).toArray());
    },

    /** The event whose change made an order or a wallet; it began at most a minute before that. */
    async thatMade({ name, id }: SubjectId, madeAt: Date): Promise<AuditEvent | undefined> {
      const [from, to] = [new Date(madeAt.getTime() - makingMaxMs), new Date(madeAt.getTime() + clockMarginMs)];
      const filter: Filter<OutcomeDocument> = {
        _id: { $gte: leastIdAt('audit', from), $lt: leastIdAt('audit', to) },
        [`made.${name}`]: id,
        // A replay of the same moment made nothing.
        'made.isReplay': { $exists: false },
      };
      const [outcome] = await outcomes.find(filter, { limit: 1, maxTimeMS: operatorMaxMs }).toArray();
      if (outcome === undefined) return undefined;
      const eventId = outcome._id.slice(0, -outcomeSuffix.length);
      const [event] = await events.find({ _id: eventId }, { limit: 1, maxTimeMS: operatorMaxMs }).toArray();
      return event && toEvent(event, outcome);
    },
  };
}

const wholeEvents = { without: {}, convert: (event: EventDocument) => event };

function filterOf({ workspaceId, actor, action, from, to, before }: AuditQuery): Filter<EventDocument> {
  const ids = idsBelow(idsMadeIn('audit', { from, to }), before);
  const filter: Filter<EventDocument> = {
    ...(workspaceId === undefined ? {} : { workspaceId }),
    // Outcomes, which stand between the events, have none.
    action: action ?? { $exists: true },
    _id: { $gte: ids.from, $lt: ids.before },
  };
  // Each filter is whole, so that it has an index which is already in the order asked for.
  return actor === undefined
    ? filter
    : {
        $or: [
          { actor, ...filter },
          { claimedActor: actor, ...filter },
        ],
      };
}

function toEvent({ _id, ...event }: EventDocument, ended: OutcomeDocument | undefined): AuditEvent {
  return {
    id: _id,
    ...event,
    subject: { ...event.subject, ...ended?.made },
    outcome: ended?.outcome ?? 'STARTED',
    endedAt: ended?.createdAt ?? null,
  };
}
