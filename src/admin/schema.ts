import type { Command } from 'commander';
import { ensureSchema } from '../storage/schema.ts';
import { recordSchemaVersion, refuseNewerSchema } from '../storage/schemaVersion.ts';
import { withSession } from './session.ts';

export function addSchemaCommand(program: Command): void {
  program
    .command('schema')
    .description('what the database is laid out like')
    .command('apply')
    .description('create what is missing of collections and indexes, before a release takes traffic; safe to repeat')
    .action(
      withSession(async (_, { storage, audited }) => {
        await audited({ action: 'schema apply', workspaceId: null, subject: {} }, () => ensureSchema(storage.db));
        return { schemaVersion: await recordSchemaVersion(storage.db) };
      }, refuseNewerSchema),
    );
}
