import type { Latency } from '../load/latency.ts';
import { cpuMicrosEach, type Measured } from '../measure/measured.ts';
import { forkProcess } from '../servers/forked.ts';
import { familyCpuSeconds } from '../servers/process-times.ts';
import type { ExecutorOrder } from './executor-order.ts';
import type { Postgresql } from './postgresql.ts';
import { checkPostgresqlBooks, openPostgresqlBooks } from './postgresql-books.ts';

export type ExecutorOptions = Omit<ExecutorOrder, 'psql' | 'warmUpSeconds'>;

/** And no longer than what is measured. */
const warmUpSecondsMax = 2;

/** Transfers by `transfer_batch` of transfer.sql, in a new database. @throws WrongWorkError where its books are wrong. */
export async function measureExecutor(server: Postgresql, options: ExecutorOptions): Promise<Measured> {
  const { wallets, inFlight, executors, seconds: ofSeconds } = options;
  const warmUpSeconds = Math.min(warmUpSecondsMax, ofSeconds);
  await openPostgresqlBooks(server, wallets);
  const client = forkProcess('peers/executor-main.ts');
  const used = async () => ({
    postgresql: await familyCpuSeconds(server.pid),
    client: await familyCpuSeconds(client.pid),
  });
  try {
    client.send({ ...options, warmUpSeconds, psql: server.psql } satisfies ExecutorOrder);
    const warmUp = (await client.next()) as { posted: number };
    const before = await used();
    client.send({});
    const { posted, seconds, latency } = (await client.next()) as { posted: number; seconds: number; latency: Latency };
    const after = await used();
    const recorded = posted + warmUp.posted;
    await checkPostgresqlBooks(server, wallets, recorded);
    const cpu = { postgresql: after.postgresql - before.postgresql, client: after.client - before.client };
    return {
      ...{ done: posted, recorded, seconds, perSecond: posted / seconds, inFlight, answerLatency: latency },
      cpuMicros: cpuMicrosEach(cpu, posted),
      note: `${server.version}, ${executors === 1 ? 'one connection' : `${executors} connections`}`,
    };
  } finally {
    await client.stop();
  }
}
