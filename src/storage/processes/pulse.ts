import type { MongoClientOptions } from 'mongodb';
import type { Logger } from '../../log.ts';
import { connectStorage } from '../shared/connection.ts';
import { openWorkers } from './workers.ts';

export type Pulse = Awaited<ReturnType<typeof openPulse>>;

/** Well below the time after which a silent process is given up, so that one lost answer does not count as silence. */
const answerMaxMs = 1_500;
/**
 * The pulse has connections of its own, so that it never waits for posting. It polls, so that the driver looks for a
 * lost server every half second. If it streamed, the driver could wait up to ten seconds for a change that an error
 * announced and that did not happen. Source: MongoDB's "Server Monitoring" specification.
 */
const limits = {
  serverSelectionTimeoutMS: answerMaxMs,
  connectTimeoutMS: answerMaxMs,
  waitQueueTimeoutMS: answerMaxMs,
  maxPoolSize: 3,
  serverMonitoringMode: 'poll',
  heartbeatFrequencyMS: 1_000,
} as const satisfies MongoClientOptions;

/**
 * By this a process sends heartbeats and sees those of others. While MongoDB is away, tries again until `signal` aborts.
 * @throws the signal's reason; SettingsError the address is wrong.
 */
export async function openPulse(uri: string, log: Logger, signal: AbortSignal) {
  const { db, close } = await connectStorage(uri, log, signal, answerMaxMs, limits);
  return { workers: openWorkers(db), close: (): Promise<void> => close().catch(() => undefined) };
}
