import type { Accepted } from '../../accepting/record.ts';
import { ServiceError } from '../../errors.ts';
import type { CreateOrderInput } from '../../orders/order.ts';
import { simulationOf } from '../../orders/simulate.ts';
import type { IsFirstTime } from '../../redis/first-times.ts';

/** What a test workspace's requests have simulated by the metadata of their orders. */
export function createSimulations(isFirstTime: IsFirstTime) {
  return {
    /** @throws ServiceError UNAVAILABLE an order asks for that, and its bizId comes for the first time. */
    async refuse(workspaceId: string, inputs: readonly CreateOrderInput[]): Promise<void> {
      const asking = inputs.filter((input) => simulationOf(workspaceId, input) === 'UNAVAILABLE');
      const areFirst = await Promise.all(asking.map(({ bizId = '' }) => isFirstTime(`${workspaceId}:${bizId}`)));
      if (areFirst.includes(true)) throw new ServiceError('UNAVAILABLE', { isSimulated: true });
    },
    /** Whether the answer is to be lost, because an order asks for that which was recorded now. */
    isAnswerLost: (accepted: readonly Accepted[]): boolean =>
      accepted.some(({ order, isReplay }) => !isReplay && simulationOf(order.workspaceId, order) === 'LOST_ANSWER'),
  };
}
