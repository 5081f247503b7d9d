import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { startEngineProcess } from '../../../local/engine-process.ts';

export interface MongodbServer {
  /** How a process connects as it would in production, with the database's name. */
  uri: string;
  /** How it connects through a proxy: to that one address, without asking the set for others. */
  uriThrough(proxyPort: number): string;
  /** What a proxy stands in front of: the primary. */
  address: { host: string; port: number };
  /** Of the harness alone; never passes a proxy. */
  client: MongoClient;
  /** Whether it can be killed: not where MONGODB_URI names a server of somebody else. */
  isOwn: boolean;
  kill(): Promise<void>;
  /** Starts it again on the same port, with its data. */
  restart(): Promise<void>;
  /** SIGSTOP: it keeps its connections and answers nothing. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  stop(): Promise<void>;
}

const stopTimeoutMs = 5_000;

/** Somebody else's server, where one is given. */
export function givenUri(): string | undefined {
  const given = process.env['MONGODB_URI'];
  return given === '' ? undefined : given;
}

/** The server that MONGODB_URI names; else the embedded engine, as a process of its own with a data file. */
export async function startMongodb(folder: string, onLine: (line: string) => void): Promise<MongodbServer> {
  const database = `faults_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const given = givenUri();
  const own = given === undefined ? await startOwn(join(folder, 'mongodb.sqlite'), onLine) : undefined;
  const uri = new ConnectionString(own?.uri ?? given ?? '');
  uri.pathname = `/${database}`;
  const client = new MongoClient(uri.href, { appName: 'faults', serverSelectionTimeoutMS: 10_000 });
  const hello = await client.db('admin').command({ isMaster: 1 });
  const address = new URL(`tcp://${String(hello['primary'] ?? uri.hosts[0])}`);
  return {
    uri: uri.href,
    uriThrough(proxyPort) {
      const through = uri.clone();
      through.hosts = [`127.0.0.1:${proxyPort}`];
      through.searchParams.delete('replicaSet');
      through.searchParams.set('directConnection', 'true');
      return through.href;
    },
    address: { host: address.hostname, port: Number(address.port) },
    client,
    isOwn: own !== undefined,
    async kill() {
      await own?.kill();
    },
    async restart() {
      await own?.restart();
    },
    pause() {
      own?.signal('SIGSTOP');
    },
    resume() {
      own?.signal('SIGCONT');
    },
    async stop() {
      if (own === undefined) await client.db(database).dropDatabase();
      await client.close();
      await own?.stop();
    },
  };
}

async function startOwn(file: string, onLine: (line: string) => void) {
  const start = (port: number) => startEngineProcess({ port, file, exitsWithParent: true, onLine });
  let child = await start(0);
  const { uri, port } = await child.ready;
  return {
    uri,
    async kill() {
      child.kill('SIGKILL');
      await child.exited;
    },
    async restart() {
      child = await start(port);
      await child.ready;
    },
    signal(signal: NodeJS.Signals) {
      child.kill(signal);
    },
    async stop() {
      await child.stop(stopTimeoutMs);
    },
  };
}
