import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRounds } from '../../src/waiting/rounds.ts';

const LOOK_EVERY_MS = 200;
const LOOK_MAX_MS = 1_000;

export interface Target {
  port: number;
  opsPort: number;
}

export interface Balancer {
  url: string;
  /** Requests go to it from when it says that it is ready. */
  add(target: Target): void;
  /** Which of the targets are ready, as far as this has seen. */
  readyPorts(): number[];
  close(): Promise<void>;
}

/**
 * Spreads requests among the web processes that are ready, as a load balancer does: it asks each one's /readyz now and then,
 * and never sends a request twice. What cannot be passed on is answered 502.
 */
export async function startBalancer(): Promise<Balancer> {
  const ready = new Map<Target, boolean>();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;

  async function look(target: Target): Promise<void> {
    const signal = AbortSignal.timeout(LOOK_MAX_MS);
    const asked = fetch(`http://127.0.0.1:${target.opsPort}/readyz`, { signal });
    // Only an answer counts: one that a busy machine delays says nothing.
    ready.set(target, await asked.then(({ ok }) => ok).catch(() => ready.get(target) ?? false));
  }

  const readyTargets = () => [...ready].flatMap(([target, isReady]) => (isReady ? [target] : []));

  function pass(req: IncomingMessage, res: ServerResponse): void {
    const targets = readyTargets();
    const target = targets[turn++ % targets.length];
    if (target === undefined) {
      res.writeHead(502).end('no target is ready');
      return;
    }
    const { method, url, headers } = req;
    const passed = httpRequest(
      { host: '127.0.0.1', port: target.port, method, path: url, headers, agent },
      (answer) => {
        // What a server says of its own connection is not for the client.
        const { connection: _, ...others } = answer.headers;
        res.writeHead(answer.statusCode ?? 502, others);
        answer.pipe(res);
      },
    );
    passed.on('error', (error) => res.writeHead(502).end(error.message));
    req.pipe(passed);
  }

  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rounds = startRounds({
    everyMs: LOOK_EVERY_MS,
    roundMaxMs: 2 * LOOK_MAX_MS,
    round: async () => {
      await Promise.all([...ready.keys()].map(look));
    },
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (target) => ready.set(target, false),
    readyPorts: () => readyTargets().map(({ port }) => port),
    async close() {
      await rounds.close();
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
