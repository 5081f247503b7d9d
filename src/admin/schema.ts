import type { Command } from 'commander';
import { recordSchemaVersion } from '../storage/schemaVersion.ts';
import { withSession } from './session.ts';

export function addSchemaCommand(program: Command): void {
  program
    .command('schema')
    .description('what the database is laid out like')
    .command('apply')
    .description('create what is missing of collections and indexes, before a release takes traffic; safe to repeat')
    // Every session makes sure of the schema when it begins.
    .action(withSession(async (_, { storage }) => ({ schemaVersion: await recordSchemaVersion(storage.db) })));
}
