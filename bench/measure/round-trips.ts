import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { roundTripsOf, type Step, type TracedCommand } from '../profile/round-trips.ts';
import type { Stage } from '../servers/stage.ts';
import type { Measured } from './measured.ts';
import { measureRequests, type AnsweringSide, type RequestOptions } from './requests.ts';
import { WrongWorkError } from './wrong-work.ts';

const tracing = `--import=${pathToFileURL(join(import.meta.dirname, '../profile/trace-commands.ts')).href}`;
/** Now and then a process sends something of its own just then, of the same name. */
const shareMin = 0.5;

/**
 * One order at a time, and the commands that it waits for one after the other.
 * @throws WrongWorkError where most orders do not wait for all of these.
 */
export async function measureRoundTrips(
  stage: Stage,
  side: AnsweringSide,
  steps: readonly Step[],
  options: RequestOptions,
): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-commands-'));
  try {
    let pids: Readonly<Record<string, number>> = {};
    const start: AnsweringSide['start'] = async (ofStage) => {
      const running = await side.start(ofStage);
      ({ pids } = running);
      return running;
    };
    const env = { ...stage.env, NODE_OPTIONS: tracing, BENCH_COMMANDS: folder };
    const measured = await measureRequests({ ...stage, env }, { ...side, start }, options);
    const commands = await Promise.all(Object.entries(pids).map(([name, pid]) => commandsOf(folder, name, pid)));
    const roundTrips = roundTripsOf(commands.flat(), steps, measured.done);
    if (roundTrips.orders < measured.done * shareMin) {
      throw new WrongWorkError(
        `${roundTrips.orders} of ${measured.done} orders waited for ${steps.map(({ name }) => name).join(', ')}`,
      );
    }
    return { ...measured, roundTrips };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function commandsOf(folder: string, process: string, pid: number): Promise<TracedCommand[]> {
  const lines = (await readFile(join(folder, String(pid)), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => ({ process, ...(JSON.parse(line) as Omit<TracedCommand, 'process'>) }));
}
