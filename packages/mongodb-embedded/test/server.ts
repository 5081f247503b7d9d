import { MongoClient } from 'mongodb';
import { startEngine } from '../src/engine.ts';

/** The server under test: the one that MONGODB_URI names (any replica set), or a fresh engine in memory. */
export interface TestServer {
  uri: string;
  host: string;
  port: number;
  isEngine: boolean;
  close(): Promise<void>;
}

export async function openTestServer(): Promise<TestServer> {
  const uri = process.env['MONGODB_URI'];
  if (uri === undefined || uri === '') {
    const engine = await startEngine();
    const { port } = engine;
    return { uri: engine.uri, host: '127.0.0.1', port, isEngine: true, close: () => engine.close() };
  }
  const client = await MongoClient.connect(uri);
  const admin = client.db('admin');
  const { primary } = (await admin.command({ hello: 1 })) as unknown as { primary: string };
  await client.close();
  const [host = '127.0.0.1', port = '27017'] = primary.split(':');
  return { uri, host, port: Number(port), isEngine: false, close: () => Promise.resolve() };
}
