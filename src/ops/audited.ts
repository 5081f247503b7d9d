import { freeText } from '../domain/free-text.ts';
import { hasIdForm } from '../domain/ids.ts';
import type { AuditEvent } from '../storage/audit.ts';

export const reasonLengthMax = 200;
const reasonForm = freeText({ max: reasonLengthMax });

/** Whether a text may stand in the audit as the reason of a change. */
export function isReason(text: string): boolean {
  return text.trim() !== '' && reasonForm.safeParse(text).success;
}

/** `posting pause by olga from 10.0.0.7: reason migration; DONE`. */
export function describeEvent(event: AuditEvent): string {
  const subject = describeSubject(event);
  return `${event.action} by ${describeActor(event)}${subject === '' ? '' : `: ${subject}`}; ${event.outcome}`;
}

/** Who made the change, as far as is known, and from where. */
export function describeActor({ actor, claimedActor, address, host }: AuditEvent): string {
  const key = actor !== null && hasIdForm('apiKey', actor) ? `key ${actor}` : actor;
  const names = [key, claimedActor].filter((name) => name !== null);
  return `${names.length === 0 ? 'somebody' : names.join(' as ')} from ${address ?? host}`;
}

/** What was changed, and with which values. */
function describeSubject({ subject }: AuditEvent): string {
  return Object.entries(subject)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(' ') : String(value)}`)
    .join(', ');
}
