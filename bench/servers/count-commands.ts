/**
 * Loaded before a process of the service: says, on its standard output, what each command to MongoDB was and what it moved.
 * Only for counting; a process that is timed has no such listeners.
 */
import { BSON, type CommandStartedEvent, type CommandSucceededEvent, type Document, type MongoClient } from 'mongodb';
import { commandMark, type CountedCommand } from './command-count.ts';
import { watchConnectingClients } from './connecting-clients.ts';

watchConnectingClients(watch);

function watch(client: MongoClient): true {
  client.options.monitorCommands = true;
  const sent = new Map<number, CommandStartedEvent>();
  client.on('commandStarted', (event) => sent.set(event.requestId, event));
  client.on('commandFailed', ({ requestId }) => sent.delete(requestId));
  client.on('commandSucceeded', (event) => {
    const started = sent.get(event.requestId);
    sent.delete(event.requestId);
    if (started === undefined) return;
    process.stdout.write(`{${commandMark},"counted":${JSON.stringify(counted(started, event))}}\n`);
  });
  return true;
}

function counted({ commandName, command }: CommandStartedEvent, { reply }: CommandSucceededEvent): CountedCommand {
  const answer = reply as Document;
  const cursor = answer['cursor'] as { firstBatch?: Document[]; nextBatch?: Document[] } | undefined;
  const collection: unknown = command[commandName];
  const { filter, query, pipeline, updates, documents } = command;
  const askedFor: unknown[] = [filter, query, pipeline, updates, documents];
  const isWrite = commandName === 'insert' || commandName === 'update';
  return {
    name: commandName,
    collection: typeof collection === 'string' ? collection : '',
    // By its value, or by several: those that look after the process go from workspace to workspace, by a range.
    namesWorkspace: /"workspaceId":("|\{"\$in")/.test(JSON.stringify(askedFor)),
    read: (cursor?.firstBatch ?? cursor?.nextBatch ?? []).length,
    written: isWrite ? Number(answer['n']) : 0,
    bytes: BSON.calculateObjectSize(command) + BSON.calculateObjectSize(answer),
  };
}
