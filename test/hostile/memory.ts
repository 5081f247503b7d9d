import { readFile, writeFile } from 'node:fs/promises';

const bytesPerKib = 1024;

/** The memory of a process that is resident, in bytes. Source: proc(5), `/proc/pid/status`. */
export function residentBytes(pid: number): Promise<number> {
  return statusBytes(pid, 'VmRSS');
}

/** The most that was resident since {@link forgetPeak}, in bytes; the kernel counts it, so no peak is missed. */
export function peakBytes(pid: number): Promise<number> {
  return statusBytes(pid, 'VmHWM');
}

/** Source: proc(5), `/proc/pid/clear_refs`, value 5. */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}

async function statusBytes(pid: number, field: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * bytesPerKib;
}
