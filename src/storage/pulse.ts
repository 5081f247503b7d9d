import type { MongoClient, MongoClientOptions } from 'mongodb';
import { createClient, databaseOf } from './connection.ts';
import { openWorkers } from './workers.ts';

export type Pulse = ReturnType<typeof openPulse>;

/** Well below the time after which a silent process is given up: one answer that stays away must not cost it its life. */
const answerMaxMs = 1_500;
/**
 * Connections of its own, so that nothing that posting waits for keeps it waiting. A server that was lost is looked for
 * every half second: told of changes by the server itself, the driver would wait for up to ten seconds where an error
 * spoke of a change that did not happen. Source: MongoDB's "Server Monitoring" specification.
 */
const limits = {
  serverSelectionTimeoutMS: answerMaxMs,
  connectTimeoutMS: answerMaxMs,
  waitQueueTimeoutMS: answerMaxMs,
  maxPoolSize: 3,
  serverMonitoringMode: 'poll',
  heartbeatFrequencyMS: 1_000,
} as const satisfies MongoClientOptions;

/** The way by which a process says that it is alive, and hears of the others. @throws SettingsError the address cannot be read. */
export function openPulse(uri: string) {
  const open = () => {
    const client = createClient(uri, answerMaxMs, limits);
    return { client, workers: openWorkers(client.db(databaseOf(uri))) };
  };
  let { client, workers } = open();
  const drop = (left: MongoClient): Promise<void> => left.close().catch(() => undefined);
  return {
    /** Of the client of the moment. */
    get workers() {
      return workers;
    },
    /** Goes on with a new client: one whose connection broke at the wrong moment may never find the server again. */
    renew(): void {
      const left = client;
      ({ client, workers } = open());
      void drop(left);
    },
    close: () => drop(client),
  };
}
