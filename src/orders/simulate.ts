import { failureNames } from '../domain/effects.ts';
import { isTestWorkspace } from '../domain/ids.ts';
import { catalogue, ServiceError } from '../errors.ts';
import type { CreateOrderInput, OrderValues, Simulated } from './order.ts';

/*
 * In a test workspace an order's metadata may ask for a failure. The posting sees to the codes with which orders fail and to SLOW,
 * whoever takes the request to the others.
 */

const key = 'simulate';
const field = `metadata.${key}`;

/** By the code that a failed order has: how its posting ends. */
const endings = new Map<string, Simulated>([
  ...failureNames.toReversed().map((name) => [catalogue[name].code, name] as const),
  ['SLOW', 'SLOW'],
]);
/** UNAVAILABLE: 503, and nothing is recorded. LOST_ANSWER: it is recorded, and not answered. Each the first time that a bizId is sent. */
const ofRequests: readonly string[] = ['UNAVAILABLE', 'LOST_ANSWER'];
const allowed = [...endings.keys(), ...ofRequests];

/** What an order is to have simulated; undefined outside test workspaces. */
export function simulationOf(
  workspaceId: string,
  { metadata }: Pick<CreateOrderInput, 'metadata'>,
): string | undefined {
  return isTestWorkspace(workspaceId) ? metadata?.[key] : undefined;
}

/** @throws ServiceError VALUE_NOT_ALLOWED it cannot be simulated; FIELD_MISSING a request has to name its order for that. */
export function checkSimulation(workspaceId: string, input: CreateOrderInput): void {
  const simulated = simulationOf(workspaceId, input);
  if (simulated === undefined) return;
  if (!allowed.includes(simulated)) throw new ServiceError('VALUE_NOT_ALLOWED', { field, value: allowed.join(',') });
  if (ofRequests.includes(simulated) && input.bizId === undefined)
    throw new ServiceError('FIELD_MISSING', { field: 'bizId' });
}

/** An order's values, with how its posting is to end. */
export function withSimulation(values: OrderValues): OrderValues {
  const simulate = endings.get(simulationOf(values.workspaceId, values) ?? '');
  return simulate === undefined ? values : { ...values, simulate };
}
