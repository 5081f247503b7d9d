import { freeText } from '../domain/free-text.ts';
import { toError } from '../errors.ts';
import type { Actor, AuditedChange, AuditEvent, AuditEvents } from '../storage/audit.ts';
import { isTransientFault } from '../storage/shared/transaction.ts';

export const reasonLengthMax = 200;
const reasonForm = freeText({ max: reasonLengthMax });

/** Whether a text may stand in the audit as the reason of a change. */
export function isReason(text: string): boolean {
  return text.trim() !== '' && reasonForm.safeParse(text).success;
}

/**
 * Records a change in the audit, then makes it, then records the outcome. If it cannot be recorded first, nothing is
 * changed.
 * @param made what the event could not know beforehand, taken from the result, such as the id of an order.
 */
export type Audited = <T>(
  change: AuditedChange,
  make: () => Promise<T>,
  made?: (result: T) => AuditedChange['subject'],
) => Promise<T>;

/**
 * Makes changes with their events. An event stays STARTED if its outcome cannot be recorded, or if a server gave no answer
 * and may have made the change.
 * @param onMade called after a change, before its outcome is recorded. @param onUnrecorded told the event's id.
 */
export function auditedBy(
  auditEvents: AuditEvents,
  who: Actor,
  onMade?: () => Promise<void>,
  onUnrecorded?: (id: string) => void,
): Audited {
  return async (change, make, made) => {
    const id = await auditEvents.begin(who, change).catch((cause: unknown) => {
      const { message } = toError(cause);
      throw new Error(`the audit cannot be written to, so nothing was changed: ${message}`, { cause });
    });
    // By then the change has succeeded or failed. A failure to record that must not hide it from the caller.
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

/** `partitions pause by olga from 10.0.0.7: reason migration, partition 3; DONE`. */
export function describeEvent(event: AuditEvent): string {
  const subject = describeSubject(event);
  return `${event.action} by ${describeActor(event)}${subject === '' ? '' : `: ${subject}`}; ${event.outcome}`;
}

/** Who made the change, as far as is known, and from where. */
export function describeActor({ actor, claimedActor, address, host }: AuditEvent): string {
  const names = [actor, claimedActor].filter((name) => name !== null);
  return `${names.length === 0 ? 'somebody' : names.join(' as ')} from ${address ?? host}`;
}

/** What was changed, and with which values. */
export function describeSubject({ subject }: AuditEvent): string {
  return Object.entries(subject)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(' ') : String(value)}`)
    .join(', ');
}
