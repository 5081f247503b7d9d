import { MongoClient } from 'mongodb';
import { startEngine } from '../src/engine.ts';

/** The server under test: the one that MONGODB_URI names (any replica set), or a fresh engine in memory. */
export interface TestServer {
  uri: string;
  host: string;
  port: number;
  /** A real server newer than the one that was recorded. */
  isLater: boolean;
  isEngine: boolean;
  close(): Promise<void>;
}

export async function openTestServer(): Promise<TestServer> {
  const uri = process.env['MONGODB_URI'];
  if (uri === undefined || uri === '') {
    const engine = await startEngine();
    const { port } = engine;
    return { uri: engine.uri, host: '127.0.0.1', port, isLater: false, isEngine: true, close: () => engine.close() };
  }
  const client = await MongoClient.connect(uri);
  const admin = client.db('admin');
  const { primary } = (await admin.command({ isMaster: 1 })) as unknown as { primary: string };
  const { versionArray } = (await admin.command({ buildInfo: 1 })) as unknown as { versionArray: number[] };
  await client.close();
  const [host = '127.0.0.1', port = '27017'] = primary.split(':');
  const [major = 0, minor = 0] = versionArray;
  const isLater = major > 4 || (major === 4 && minor > 2);
  return { uri, host, port: Number(port), isLater, isEngine: false, close: () => Promise.resolve() };
}
