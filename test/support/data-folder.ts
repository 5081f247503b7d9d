import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux' file system in memory; a container may have little of it. */
const inMemory = '/dev/shm';
const roomBytesMin = 1024 ** 3;

/**
 * A new folder for the data of servers that are started, killed and started again. In memory where there is room: what a
 * process has written outlives its death there as on a disk, and a commit does not wait for the disk.
 */
export async function dataFolder(prefix: string): Promise<string> {
  const room = await statfs(inMemory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return mkdtemp(join(room >= roomBytesMin ? inMemory : tmpdir(), prefix));
}
