import type { Command } from 'commander';
import { createPostingQueue } from '../queue/posting-queue.ts';
import type { Printed } from './output.ts';
import { parseReason } from './parameters.ts';
import { withRedis, withSession, type Session } from './session.ts';

const verbs = {
  pause: 'begin to post no more orders; they are accepted, and wait',
  resume: 'go on with posting that was paused',
} as const;

export function addPostingCommands(program: Command): void {
  const noun = program.command('posting').description('whether orders are posted');
  noun
    .command('show')
    .description('whether posting is paused')
    .action(withSession(async (_, { collections }) => ({ isPaused: await collections.postingPause.isPaused() })));
  // The name that this had in earlier releases, for one more.
  const former = program.command('partitions', { hidden: true }).description('see "posting"');
  for (const parent of [noun, former]) for (const verb of ['pause', 'resume'] as const) addVerb(parent, verb);
}

function addVerb(parent: Command, verb: keyof typeof verbs): void {
  parent
    .command(verb)
    .description(verbs[verb])
    .requiredOption('--reason <text>', 'why, for the audit', parseReason)
    .action(withSession<{ reason: string }>(({ reason }, session) => setPaused(verb, reason, session)));
}

/** Recorded first, because workers follow what MongoDB says, and have the queue do the same. */
function setPaused(verb: keyof typeof verbs, reason: string, session: Session): Promise<Printed> {
  const { collections, audited, settings } = session;
  const isPaused = verb === 'pause';
  return withRedis(session, async (redis) => {
    const queue = createPostingQueue(redis, settings.QUEUE_PREFIX);
    try {
      const change = { action: `posting ${verb}`, workspaceId: null, subject: { reason } };
      await audited(change, () => collections.postingPause.set(isPaused));
      await queue.setPaused(isPaused);
      return { isPaused };
    } finally {
      await queue.close();
    }
  });
}
