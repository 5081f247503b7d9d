import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { readNaiveSettings } from '../naive/settings.ts';
import { endWithParent } from '../servers/end-with-parent.ts';
import { emptyQueueName } from './empty-jobs.ts';

/** Process entry: jobs with nothing to do. Says `ready`, then `done` after as many as it was told to expect. */
const { redisUrl, prefix, concurrency } = readNaiveSettings();
const expected = Number(process.env['BENCH_JOBS'] ?? 0);
let done = 0;
const worker = new Worker(
  emptyQueueName,
  () => {
    done += 1;
    if (done === expected) process.send?.('done');
    return Promise.resolve();
  },
  { connection: new Redis(redisUrl, { maxRetriesPerRequest: null }), prefix, concurrency },
);
worker.on('error', () => undefined);
await worker.waitUntilReady();
endWithParent();
process.once('SIGTERM', () => process.exit(0));
process.send?.('ready');
