import type { Audited } from './audited.ts';
import type { Partitioning } from '../storage/partitioning/partitioning.ts';

export type PauseVerb = 'pause' | 'resume';

/**
 * Pauses a partition, or resumes it, with an event in the audit. It is one change of one document, so nothing is ever half
 * done. Workers follow within two seconds: jobs that have begun end, and no others begin. Repeating it changes nothing.
 * @returns false if there is no such partition; nothing is changed then.
 */
export async function pausePartition(
  partitioning: Partitioning,
  audited: Audited,
  { verb, ...subject }: { readonly verb: PauseVerb; readonly partition: number; readonly reason: string },
): Promise<boolean> {
  const { partition } = subject;
  if (partition >= ((await partitioning.count()) ?? 0)) return false;
  const change = { action: `partitions ${verb}`, workspaceId: null, subject };
  return audited(change, () => partitioning.setPaused(partition, verb === 'pause'));
}
