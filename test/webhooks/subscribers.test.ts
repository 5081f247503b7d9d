import { expect, it, onTestFinished, vi } from 'vitest';
import type { Subscriber } from '../../src/storage/webhooks/endpoints.ts';
import { createSubscribers, subscribersFreshMs } from '../../src/webhooks/subscribers.ts';

const workspaceId = 'ws_1';
const endpoint = (isEnabled: boolean) => ({ workspaceId, endpointId: 'wh_1', events: [], isEnabled });

it('what is known of endpoints is as old as the beginning of its read, however long that takes', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  // The cache takes a time of zero for none.
  vi.advanceTimersByTime(1);
  onTestFinished(() => void vi.useRealTimers());
  const hanging = Promise.withResolvers<ReturnType<typeof endpoint>[]>();
  const read = vi.fn<(ids: readonly string[]) => Promise<(Subscriber & { workspaceId: string })[]>>();
  const subscribersOf = createSubscribers({ subscribers: read });
  read.mockReturnValueOnce(hanging.promise).mockResolvedValue([endpoint(false)]);
  const first = subscribersOf([workspaceId]);
  vi.advanceTimersByTime(subscribersFreshMs + 1);
  hanging.resolve([endpoint(true)]);
  expect(await first).toEqual(new Map([[workspaceId, [endpoint(true)]]]));
  for (let time = 0; time < 2; time += 1)
    expect(await subscribersOf([workspaceId])).toEqual(new Map([[workspaceId, [endpoint(false)]]]));
  expect(read).toHaveBeenCalledTimes(2);
});
