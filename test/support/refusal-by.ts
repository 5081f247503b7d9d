import type { BackPressure } from '../../src/accepting/back-pressure.ts';
import { ServiceError } from '../../src/errors.ts';

/** Why a create, or a batch of so many orders, is refused; undefined if it is not. */
export function refusalBy({ check }: BackPressure, workspaceId: string, orders?: number): string | undefined {
  try {
    check(workspaceId, orders);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.retryAfterSeconds === 5) return error.errorName;
    throw error;
  }
}
