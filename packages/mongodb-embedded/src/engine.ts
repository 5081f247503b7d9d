import { ObjectId } from 'bson';
import { createServer, type Server, type Socket } from 'node:net';
import type { Engine } from './commands/context.ts';
import { setName } from './commands/diagnostics.ts';
import { runCommand } from './commands/dispatch.ts';
import { createFailPoint } from './commands/fail-point.ts';
import { CommandError } from './errors.ts';
import { startUpkeep } from './upkeep.ts';
import { createLocks } from './sessions/locks.ts';
import { createSessions } from './sessions/sessions.ts';
import { openCatalog } from './storage/catalog.ts';
import { openStore, type Store } from './storage/store.ts';
import { createTransactions } from './storage/transaction.ts';
import { createVersions } from './storage/versions.ts';
import { serveConnection } from './wire/connection.ts';

/** Where the engine listens and keeps its data; without a file all is lost at its end. */
export interface EngineOptions {
  /** 0 takes any free port. */
  port?: number;
  host?: string;
  file?: string;
}

/** A running engine. `close` lets commands under way finish, aborts open transactions and frees the file. */
export interface RunningEngine {
  port: number;
  uri: string;
  /** Resolves if the disk fails: from then on no command is answered, and only a new start can tell what is stored. */
  failed: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Starts a small server that speaks MongoDB's wire protocol, for development and tests; never for production.
 * Rejects when the port is taken or the file cannot be written.
 */
export async function startEngine(options: EngineOptions = {}): Promise<RunningEngine> {
  const { port: wantedPort = 0, host = '127.0.0.1', file = ':memory:' } = options;
  const store = openStore(file);
  const versions = createVersions(store);
  const catalog = openCatalog(store, versions);
  const transactions = createTransactions(store, catalog, versions);
  const sessions = createSessions(store, transactions);
  const disk = watchDisk(store);
  const engine: Engine = {
    ...{ store, versions, catalog, transactions, sessions, locks: createLocks(sessions), cursors: new Map() },
    ...{ failPoint: createFailPoint(), parameters: { transactionLifetimeLimitSeconds: 60 } },
    ...{ address: '', electionId: new ObjectId(), startedAt: Date.now(), learntTime: undefined },
    isDiskFailure: disk.isFailure,
  };
  const sockets = new Set<Socket>();
  let closing: Promise<void> | undefined;
  let running = 0;
  let drained: (() => void) | undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveConnection(socket, async (command, client) => {
      if (closing !== undefined || disk.hasFailed()) return undefined;
      running++;
      try {
        return await runCommand(engine, command, client);
      } finally {
        running--;
        if (running === 0) drained?.();
      }
    });
  });
  const port = await listen(server, wantedPort, host).catch((error: unknown) => {
    store.close();
    throw error;
  });
  engine.address = `${host}:${port}`;
  const stopUpkeep = startUpkeep(engine);
  const close = async (): Promise<void> => {
    stopUpkeep();
    const closed = new Promise((resolve) => server.close(resolve));
    // Whoever waits for an open transaction goes on now; the transactions themselves can no longer be committed.
    for (const transaction of sessions.open()) sessions.abort(transaction);
    if (running > 0) await new Promise<void>((resolve) => (drained = resolve));
    for (const socket of sockets) socket.destroySoon();
    await closed;
    store.close();
  };
  return {
    port,
    uri: `mongodb://${engine.address}/?replicaSet=${setName}&directConnection=false`,
    failed: disk.failed,
    close: () => (closing ??= close()),
  };
}

function watchDisk(store: Store) {
  const { promise: failed, resolve } = Promise.withResolvers<Error>();
  let hasFailed = false;
  return {
    failed,
    hasFailed: () => hasFailed,
    isFailure: (error: unknown): boolean => {
      if (error instanceof CommandError || !store.hasFailed()) return false;
      hasFailed = true;
      resolve(error instanceof Error ? error : new Error(String(error)));
      return true;
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new CommandError(1, 'not listening on a port'));
      else resolve(address.port);
    });
  });
}
