import type { CommandStartedEvent, Db, Document, MongoClient } from 'mongodb';

/** What a command examined, and the stages of its plan. */
export interface Examined {
  readonly stages: string;
  readonly indexes: readonly (string | undefined)[];
  readonly keys: number;
  readonly documents: number;
}

/** What the commands of a client's reads are, and what the server examined for each. */
export function watchReads(client: MongoClient, db: Db) {
  let commands: Document[] = [];
  client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    if (commandName === 'find' || commandName === 'aggregate') commands.push(command);
  });
  async function sentBy(read: () => Promise<unknown>): Promise<readonly Document[]> {
    commands = [];
    await read();
    return commands;
  }
  return {
    sentBy,
    examinedBy: async (read: () => Promise<unknown>): Promise<Examined[]> =>
      Promise.all((await sentBy(read)).map((command) => explained(db, command))),
  };
}

export async function explained(db: Db, sent: Document): Promise<Examined> {
  const { lsid, $db, $clusterTime, txnNumber, startTransaction, autocommit, readConcern, ...command } = sent;
  const found = await db.command({ explain: command, verbosity: 'executionStats' });
  const text = JSON.stringify(found, (key, value: unknown) => (key === 'rejectedPlans' ? undefined : value));
  const most = (name: string) =>
    Math.max(0, ...[...text.matchAll(new RegExp(`"${name}":(\\d+)`, 'g'))].map(([, found]) => Number(found)));
  return {
    stages: [...text.matchAll(/"stage":"(\w+)"/g)].map(([, stage]) => stage).join(' '),
    indexes: [...text.matchAll(/"indexName":"(\w+)"/g)].map(([, index]) => index),
    keys: most('totalKeysExamined'),
    documents: most('totalDocsExamined'),
  };
}
