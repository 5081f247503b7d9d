import type { Collections } from '../storage/collections.ts';
import { runsMs, type StartedWith } from '../storage/processes/reports.ts';
import { CommandError } from './failures.ts';

/** More are counted, not named. */
const namedMax = 3;

/**
 * Refuses a change that a process which runs was not started for: it would fail at once, or would not start again.
 * @param isReady judges one process. One that does not say what it was started with is not ready.
 * @param words `lack`: how such a process runs, to be read after "runs"; `toDo`: a sentence, without its full stop.
 * @throws CommandError naming the processes that are not ready, and what to do.
 */
export async function refuseUnlessAll(
  { processReports }: Pick<Collections, 'processReports'>,
  isReady: (startedWith: StartedWith) => boolean,
  { lack, toDo }: { readonly lack: string; readonly toDo: string },
): Promise<void> {
  const unready = (await processReports.running()).filter(
    ({ startedWith }) => startedWith === undefined || !isReady(startedWith),
  );
  if (unready.length === 0) return;
  const named = unready.slice(0, namedMax).map(({ id, kind, startedWith }) => {
    return `${kind === 'worker' ? kind : `${kind} process`} ${id}${startedWith === undefined ? ' (does not say)' : ''}`;
  });
  const others = unready.length > namedMax ? ` and ${unready.length - namedMax} more` : '';
  throw new CommandError(
    `nothing was changed, because this runs ${lack}: ${named.join(', ')}${others}. ${toDo} ` +
      `(a process that was killed counts for ${runsMs / 1_000} s)`,
  );
}
