import type { Collection, Db } from 'mongodb';
import { newId, timeOfId } from '../domain/ids.ts';

/** What the administrator did: never a secret. */
export interface AuditedChange {
  /** Who: the user of the operating system, or who it was done for. */
  readonly actor: string;
  /** Noun and verb of the command, such as `key rotate`. */
  readonly action: string;
  /** What it was done to, and with which values. */
  readonly subject: Readonly<Record<string, AuditedValue>>;
}

export type AuditedValue = string | number | boolean | null | readonly string[];

interface AuditEventDocument extends AuditedChange {
  readonly _id: string;
  readonly createdAt: Date;
  /** STARTED: the command was cut short; whether it changed anything is seen on the subject itself. */
  readonly outcome: 'STARTED' | 'DONE' | 'FAILED';
}

/** The `auditEvents` collection: every change by the administrator. Events are never removed. */
export function openAuditEvents(db: Db) {
  const collection: Collection<AuditEventDocument> = db.collection('auditEvents');
  return {
    /** Recorded before the change is made, so that no change is without its event. @returns the event's id. */
    async begin(change: AuditedChange): Promise<string> {
      const _id = newId('audit');
      await collection.insertOne({ _id, createdAt: timeOfId('audit', _id), ...change, outcome: 'STARTED' });
      return _id;
    },

    /** @param subject replaces that of the beginning: it also names what the change has made. */
    async finish(id: string, outcome: 'DONE' | 'FAILED', subject: AuditedChange['subject']): Promise<void> {
      await collection.updateOne({ _id: id }, { $set: { outcome, subject } });
    },
  };
}
