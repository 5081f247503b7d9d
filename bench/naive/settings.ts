export interface NaiveSettings {
  readonly mongodbUri: string;
  readonly redisUrl: string;
  readonly prefix: string;
  /** Jobs, and so transactions, at once. */
  readonly concurrency: number;
}

export const naiveQueueName = 'naive';

/** What the naive processes are started with, in the product's own variables. */
export function readNaiveSettings(env: NodeJS.ProcessEnv = process.env): NaiveSettings {
  return {
    mongodbUri: env['MONGODB_URI'] ?? '',
    redisUrl: env['REDIS_URL'] ?? '',
    prefix: env['QUEUE_PREFIX'] ?? '',
    concurrency: Number(env['BENCH_CONCURRENCY'] ?? 1),
  };
}
