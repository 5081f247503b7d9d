import type { Command } from 'commander';
import type { AuditQuery } from '../storage/audit.ts';
import type { Printed } from './output.ts';
import { parseEventId, parseLimit, parseTime, parseUser } from './parameters.ts';
import { withSession, type Session } from './session.ts';

interface ListEventsOptions extends Omit<AuditQuery, 'workspaceId'> {
  readonly workspace?: string;
  readonly limit: number;
}

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('who did what, by this command line, on the operations pages, and to wallets by the API')
    .command('list')
    .description('list the changes, newest first; every condition that is given has to hold')
    .option('--workspace <id>', 'of this workspace, which may be deleted')
    .option(
      '--actor <user>',
      'by this user of the operating system or this API key, or claimed (--as) to be by this user',
      parseUser,
    )
    .option('--action <action>', 'noun and verb, such as "key rotate"')
    .option('--from <time>', 'at this time or later, such as 2026-01-31 or 2026-01-31T12:00:00Z', parseTime)
    .option('--to <time>', 'before this time', parseTime)
    .option('--limit <n>', 'how many at the most', parseLimit, 100)
    .option('--before <id>', 'older than this event: the next page', parseEventId)
    .action(withSession<ListEventsOptions>(listEvents));
}

async function listEvents(options: ListEventsOptions, { host, collections }: Session): Promise<Printed[]> {
  const { workspace: workspaceId, limit, ...rest } = options;
  const { items, hasMore } = await collections.auditEvents.list({ ...rest, workspaceId }, limit);
  // On standard error, because standard output is a list of events.
  if (hasMore) host.output.complain(`there are more; the next page: --before ${items.at(-1)?.id ?? ''}\n`);
  return items.map(({ id, ...event }) => ({ id, eventId: id, ...event }));
}
