import { readFile } from 'node:fs/promises';

const ticksPerSecond = 100;
/** Where the user's times stand, each followed by the system's, behind the command's closing bracket. Source: proc(5), `/proc/pid/stat`. */
const ownTicksField = 11;
const childrenTicksField = 13;

/** Seconds of CPU that each process has used so far, by name; a process that cannot be asked is left out. */
export async function cpuSeconds(pids: Readonly<Record<string, number>>): Promise<Record<string, number>> {
  const entries = await Promise.all(
    Object.entries(pids).map(async ([name, pid]) => [name, await secondsOf(pid)] as const),
  );
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => entry[1] !== undefined));
}

/** What each process has used since an earlier {@link cpuSeconds}. */
export function cpuSince(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]));
}

/**
 * Seconds of CPU that a process and its children have used so far, those that ended included: of a server whose connections
 * are processes. Ones that another process's child started are not followed.
 */
export async function familyCpuSeconds(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const living = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map((child) => timesOf(Number(child))),
  );
  const own = await timesOf(pid);
  return living.reduce((sum, times) => sum + (times?.own ?? 0), (own?.own ?? 0) + (own?.ended ?? 0));
}

/** Seconds of CPU that this process's children have used that have ended. */
export async function endedChildrenCpuSeconds(): Promise<number> {
  return (await timesOf(process.pid))?.ended ?? 0;
}

async function secondsOf(pid: number): Promise<number | undefined> {
  return (await timesOf(pid))?.own;
}

/** Seconds of CPU of a process itself, and of those of its children that have ended; undefined of one that cannot be asked. */
async function timesOf(pid: number): Promise<{ own: number; ended: number } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The command's name may hold spaces and brackets: the fields begin after the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (first: number): number => Number(fields[first]) + Number(fields[first + 1]);
  return { own: ticks(ownTicksField) / ticksPerSecond, ended: ticks(childrenTicksField) / ticksPerSecond };
}
