import { cpuMicrosEach, type Measured } from '../measure/measured.ts';
import { WrongWorkError } from '../measure/wrong-work.ts';
import { forkProcess } from '../servers/forked.ts';
import { cpuSeconds, cpuSince } from '../servers/process-times.ts';
import type { Stage } from '../servers/stage.ts';
import type { MediciOrder } from './medici-order.ts';

export type MediciOptions = Omit<MediciOrder, 'mongodbUri'>;

/** Amounts are floating point numbers there: sums differ by as little. */
const roundingMax = 0.01;

/** Transfers by medici, in the stage's own database. @throws WrongWorkError where its books are wrong. */
export async function measureMedici({ servers, mongodbUri }: Stage, options: MediciOptions): Promise<Measured> {
  const { transfers, warmUpTransfers, atOnce } = options;
  const client = forkProcess('peers/medici-main.ts');
  const pids = { ...servers.pids, client: client.pid };
  try {
    client.send({ ...options, mongodbUri } satisfies MediciOrder);
    if ((await client.next()) !== 'warm') throw new Error('medici did not get warm');
    const before = await cpuSeconds(pids);
    client.send({});
    const { seconds, journals, total, expectedTotal } = (await client.next()) as Record<
      'seconds' | 'journals' | 'total' | 'expectedTotal',
      number
    >;
    const used = cpuSince(before, await cpuSeconds(pids));
    const recorded = transfers + warmUpTransfers;
    // The funding is one more.
    if (journals !== recorded + 1) throw new WrongWorkError(`medici has ${journals} journals of ${recorded + 1}`);
    if (Math.abs(total - expectedTotal) > roundingMax) {
      throw new WrongWorkError(`medici's accounts hold ${total}, and have to hold ${expectedTotal}`);
    }
    return {
      done: transfers,
      recorded,
      seconds,
      perSecond: transfers / seconds,
      inFlight: atOnce,
      cpuMicros: cpuMicrosEach(used, transfers),
      note: `${atOnce} at once`,
    };
  } finally {
    await client.stop();
  }
}
