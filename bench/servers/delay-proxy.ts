import { ConnectionString } from 'mongodb-connection-string-url';
import type { DelayOrder } from './delay-proxy-main.ts';
import { forkProcess } from './forked.ts';
import type { Stage } from './stage.ts';

export interface DelayProxy {
  readonly pid: number;
  /** What the product's processes are started with, so that they reach MongoDB through the proxy alone. */
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/**
 * Puts so many milliseconds each way between MongoDB and the processes that are started with its `env`, as a network would.
 * They are led to the one address of the primary, and do not ask the replica set for others.
 */
export async function startDelayProxy({ world, mongodbUri, env }: Stage, delayMs: number): Promise<DelayProxy> {
  const uri = new ConnectionString(mongodbUri);
  const answer = await world.client.db('admin').command({ isMaster: 1 });
  const { hostname, port } = new URL(`tcp://${String(answer['primary'] ?? uri.hosts[0])}`);
  const proxy = forkProcess('servers/delay-proxy-main.ts');
  proxy.send({ host: hostname, port: Number(port), delayMs } satisfies DelayOrder);
  const listening = (await proxy.next()) as { port: number };
  uri.hosts = [`127.0.0.1:${listening.port}`];
  uri.searchParams.delete('replicaSet');
  uri.searchParams.set('directConnection', 'true');
  return { pid: proxy.pid, env: { ...env, MONGODB_URI: uri.href }, stop: () => proxy.stop() };
}
