import type { Command } from 'commander';
import { applySchema } from '../storage/schema/migration.ts';
import { acceptedVersion, schemaVersion } from '../storage/schema/schema-version.ts';
import { refuseUnsharded, shardCollections } from '../storage/schema/sharding.ts';
import { withSession, type Session } from './session.ts';

export function addSchemaCommands(program: Command): void {
  const noun = program.command('schema').description('what the database is laid out like');

  noun
    .command('apply')
    .description(
      'create what is missing of collections and indexes, and bring an older database along, before a release takes' +
        ' traffic; safe to repeat',
    )
    .action(
      withSession(
        async (_, session) => {
          await session.audited({ action: 'schema apply', workspaceId: null, subject: {} }, () => apply(session));
          return { schemaVersion };
        },
        { prepare: acceptedVersion },
      ),
    );

  noun
    .command('shard')
    .description(
      'divide wallets, orders, flows and webhooks among the shards of a cluster, by their workspace; safe to repeat',
    )
    .action(
      withSession(
        async (_, session) => {
          const sharded = await session.audited(
            { action: 'schema shard', workspaceId: null, subject: {} },
            async () => {
              await apply(session);
              return shardCollections(session.storage.db);
            },
            (collections) => ({ collections }),
          );
          return { sharded };
        },
        {
          prepare: async (db) => {
            await refuseUnsharded(db);
            await acceptedVersion(db);
          },
        },
      ),
    );
}

async function apply({ host: { output }, storage }: Session): Promise<void> {
  await applySchema(storage.db, (what, done) => {
    output.progress(`${what}: ${done}`);
  });
  output.progress('');
}
