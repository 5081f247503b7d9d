import { readFile } from 'node:fs/promises';

export interface MemoryWatch {
  /** In bytes, the most that was seen. */
  peak(): number;
  stop(): void;
}

const lookEveryMs = 100;
const bytesPerKib = 1024;

/** The memory of a process that is resident, in bytes. Source: proc(5), `/proc/pid/status`. */
export async function residentBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1]) * bytesPerKib;
}

export function watchMemory(pid: number): MemoryWatch {
  let peak = 0;
  const looking = setInterval(() => {
    void residentBytes(pid).then(
      (bytes) => (peak = Math.max(peak, bytes)),
      () => undefined,
    );
  }, lookEveryMs).unref();
  return {
    peak: () => peak,
    stop() {
      clearInterval(looking);
    },
  };
}
