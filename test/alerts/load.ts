import { request } from 'node:http';
import { opsToken, type Payer, type Stack } from './stack.ts';

/** Enough that one failure is not all of the traffic. */
const createsPerSecond = 5;
/** More than SignaturesRefused asks for, over five minutes too once it goes on for one. */
const forgedPerSecond = 150;
/** More than OperationsDenied asks for, and too few for the address to be shut out. */
const deniedEveryMs = 2_200;
/** Whoever asks with a wrong token must not shut out Prometheus: an address beside its own. */
const strangerAddress = '127.0.0.2';

const createPath = '/api/v1/transfer/command/create';

export const create = ({ client, wallets }: Payer) =>
  client.request<{ transferId: string }>('POST', createPath, {
    body: { sourceWalletId: wallets.source, targetWalletId: wallets.target, amount: '1', currency: 'USD' },
  });

/** Does this again and again until it is told to stop; that something is away is what is tried here. */
function repeat(everyMs: number, act: () => Promise<unknown>): () => void {
  const timer = setInterval(() => {
    act().catch(() => undefined);
  }, everyMs);
  return () => {
    clearInterval(timer);
  };
}

/** Creates of both payers, in turn, all the time. @returns how to stop it. */
export function startLoad({ payers }: Stack): () => void {
  let count = 0;
  return repeat(1_000 / createsPerSecond, () => create(payers[count++ % 2 === 0 ? 0 : 1]));
}

/** Requests without a key. @returns how to stop it. */
export function startForging({ apiUrl }: Stack): () => void {
  return repeat(1_000 / forgedPerSecond, async () => {
    const answer = await fetch(`${apiUrl}/api/v1/wallets`);
    await answer.arrayBuffer();
  });
}

/** Asks the operations port with a wrong token. @returns how to stop it. */
export function startProbing({ web }: Stack): () => void {
  const headers = { Authorization: `Bearer not-${opsToken}` };
  const place = { host: '127.0.0.1', port: web.target.opsPort, path: '/metrics', localAddress: strangerAddress };
  return repeat(
    deniedEveryMs,
    () =>
      new Promise((resolve, reject) => {
        request({ ...place, headers }, (res) => res.resume().once('end', resolve))
          .once('error', reject)
          .end();
      }),
  );
}
