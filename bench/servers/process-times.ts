import { readFile } from 'node:fs/promises';

const ticksPerSecond = 100;
/** Where the times stand among the fields that follow the command's closing bracket. Source: proc(5), `/proc/pid/stat`. */
const userTicksField = 11;
const systemTicksField = 12;

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

async function secondsOf(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The command's name may hold spaces and brackets: the fields begin after the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[userTicksField]) + Number(fields[systemTicksField])) / ticksPerSecond;
}
