import { Redis } from 'ioredis';
import { WrongWorkError } from './wrong-work.ts';

export interface PostedWatch {
  /**
   * Resolves when a notice has named each of the orders.
   * @throws WrongWorkError where that takes longer than `silenceMaxMs` without any further notice.
   */
  untilAll(orderIds: readonly string[]): Promise<void>;
  close(): void;
}

const silenceMaxMs = 30_000;
const lookEveryMs = 1_000;

/**
 * Hears which orders were posted, as the web processes do.
 * @param onPosted told of those that no notice named before.
 */
export async function watchPosted(
  redisUrl: string,
  prefix: string,
  onPosted?: (orderIds: readonly string[]) => void,
): Promise<PostedWatch> {
  const redis = new Redis(redisUrl);
  const posted = new Set<string>();
  let heardAt = performance.now();
  let onHeard: (() => void) | undefined;
  redis.on('message', (_channel: string, message: string) => {
    const named = (JSON.parse(message) as string[]).filter((id) => !posted.has(id));
    for (const id of named) posted.add(id);
    onPosted?.(named);
    heardAt = performance.now();
    onHeard?.();
  });
  await redis.subscribe(`${prefix}:posted`);
  return {
    async untilAll(orderIds) {
      heardAt = performance.now();
      let missing = orderIds.filter((id) => !posted.has(id));
      while (missing.length > 0) {
        await heardOrLate((resolve) => (onHeard = resolve));
        if (performance.now() - heardAt > silenceMaxMs) {
          throw new WrongWorkError(`${missing.length} of ${orderIds.length} orders were never posted`);
        }
        // The list is only walked again when so many notices came that it may be empty.
        if (posted.size >= orderIds.length) missing = missing.filter((id) => !posted.has(id));
      }
    },
    close() {
      redis.disconnect();
    },
  };
}

function heardOrLate(register: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, lookEveryMs);
    register(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
