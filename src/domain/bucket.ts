import { hash } from 'node:crypto';

/** How many workers can post at once, at the most. The same in every process, or what one wakes the other does not see. */
export const bucketCount = 64;

/** The bucket of a workspace's orders, from 0 to {@link bucketCount} - 1: the same in every process, and evenly spread. */
export function bucketOf(workspaceId: string): number {
  return hash('sha256', workspaceId, 'buffer').readUInt32BE(0) % bucketCount;
}
