import type { Command } from 'commander';
import { ensureSchema } from '../storage/schema/schema.ts';
import { countDebitOrders } from '../storage/schema/debit-counts.ts';
import {
  countsDebitOrdersFrom,
  refuseOtherVersion,
  schemaVersion,
  storedSchemaVersion,
} from '../storage/schema/schema-version.ts';
import { refuseUnsharded, shardCollections } from '../storage/schema/sharding.ts';
import { refuseUnlessAll } from './ready.ts';
import { withSession } from './session.ts';

export function addSchemaCommands(program: Command): void {
  const noun = program.command('schema').description('what the database is laid out like');

  noun
    .command('apply')
    .description(
      'create what is missing of collections and indexes, and set validators, before a release takes traffic; safe to repeat',
    )
    .action(
      withSession(
        async (_, session) => {
          // Each would misread, from then on, what is stored. In a database without a version nothing is to be misread.
          const version = await storedSchemaVersion(session.storage.db);
          if (![0, schemaVersion].includes(version)) {
            await refuseUnlessAll(session.collections, () => false, {
              lack: 'by a release that knows no more than the old version of the schema',
              toDo: 'Stop every process, and run this again',
            });
          }
          await session.audited({ action: 'schema apply', workspaceId: null, subject: {} }, async () => {
            if (version > 0 && version < countsDebitOrdersFrom) await countDebitOrders(session.storage.db);
            await ensureSchema(session.storage.db, true);
          });
          return { schemaVersion };
        },
        { prepare: (db) => refuseOtherVersion(db, true) },
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
              await ensureSchema(session.storage.db);
              return shardCollections(session.storage.db);
            },
            (collections) => ({ collections }),
          );
          return { sharded };
        },
        {
          prepare: async (db) => {
            await refuseUnsharded(db);
            await refuseOtherVersion(db);
          },
        },
      ),
    );
}
