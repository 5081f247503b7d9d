import type { Command } from 'commander';
import { applySchema } from '../storage/migration.ts';
import { acceptedVersion, schemaVersion } from '../storage/schema-version.ts';
import { refuseUnsharded, shardCollections } from '../storage/sharding.ts';
import type { Host } from './command.ts';
import { showProgress } from './output.ts';
import { withSession } from './session.ts';

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
        async (_, { host, storage, audited }) => {
          await audited({ action: 'schema apply', workspaceId: null, subject: {} }, () =>
            applySchema(storage.db, reportFlowsTo(host)),
          );
          showProgress('', host);
          return { schemaVersion };
        },
        {
          prepare: async (db) => {
            await acceptedVersion(db);
          },
        },
      ),
    );

  noun
    .command('shard')
    .description(
      'divide wallets, orders, flows and webhooks among the shards of a cluster, by their workspace; safe to repeat',
    )
    .action(
      withSession(
        async (_, { host, storage, audited }) => {
          const sharded = await audited(
            { action: 'schema shard', workspaceId: null, subject: {} },
            async () => {
              await applySchema(storage.db, reportFlowsTo(host));
              return shardCollections(storage.db);
            },
            (collections) => ({ collections }),
          );
          showProgress('', host);
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

function reportFlowsTo(host: Host): (count: number) => void {
  return (count) => {
    showProgress(`flows that got their workspace: ${count}`, host);
  };
}
