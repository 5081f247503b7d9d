import { readFile } from 'node:fs/promises';
import { run } from './executables.ts';

/** Tells a process apart from a later one with the same id. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** The identity of a running process, or undefined if none has this id. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const startedAt = process.platform === 'linux' ? await startOnLinux(pid) : await startElsewhere(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Whether that very process still runs. */
export async function isRunning({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  return (await identify(pid))?.startedAt === startedAt;
}

/** Field 22 of /proc/PID/stat, in clock ticks since boot; the command's name before it may hold blanks and brackets. */
async function startOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isZombie = fields?.[0] === 'Z';
  return isZombie ? undefined : fields?.[19];
}

async function startElsewhere(pid: number): Promise<string | undefined> {
  const started = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => '');
  return started.trim() || undefined;
}
