import type { Audited } from '../storage/audit.ts';
import type { PartitionQueue } from './queue.ts';

export type PauseVerb = 'pause' | 'resume';

interface Pause {
  readonly verb: PauseVerb;
  readonly partition: number;
  /** For the audit. */
  readonly reason: string;
}

/**
 * Pauses a partition's queue, or resumes it, with an event in the audit: what is begun is ended, and no more is begun.
 * Repeating it changes nothing. @throws where Redis is away.
 */
export async function pausePartition(
  queue: PartitionQueue,
  audited: Audited,
  { verb, ...subject }: Pause,
): Promise<void> {
  await audited({ action: `partitions ${verb}`, workspaceId: null, subject }, () => queue[verb]());
}
