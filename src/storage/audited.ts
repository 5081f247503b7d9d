import { ServiceError, toError } from '../errors.ts';
import type { Actor, AuditedChange, AuditEvents } from './audit.ts';
import { isTransientFault } from './shared/transaction.ts';

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
 * @returns what makes a change; it throws a ServiceError of `begin` as it is.
 */
export function auditedBy(
  auditEvents: Pick<AuditEvents, 'begin' | 'end'>,
  who: Actor,
  onMade?: () => Promise<void>,
  onUnrecorded?: (id: string) => void,
): Audited {
  return async (change, make, made) => {
    const id = await auditEvents.begin(who, change).catch((cause: unknown) => {
      if (cause instanceof ServiceError) throw cause;
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
      if (!mayHaveBeenMade(error)) await end('FAILED');
      throw error;
    }
    await onMade?.();
    await end('DONE', made?.(result));
    return result;
  };
}

function mayHaveBeenMade(error: unknown): boolean {
  if (error instanceof ServiceError) return error.errorName === 'UNAVAILABLE';
  return [error, error instanceof Error ? error.cause : undefined].some(isTransientFault);
}
