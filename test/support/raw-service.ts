import { afterAll } from 'vitest';
import { exchangeRaw, signedHeaders, type RawAnswer } from './raw-http.ts';
import { serviceForTests } from './service.ts';
import { createWorkspace } from './workspace.ts';

export const createPath = '/api/v1/transfer/command/create';
export const json = 'Content-Type: application/json';

interface Sent {
  method?: string;
  /** What is sent, where it differs from the path that is signed. */
  target?: string;
  path?: string;
  body?: Uint8Array | string;
  signedBody?: Uint8Array | string;
  headers?: string[];
  nonce?: string;
}

/**
 * A service with a workspace, and requests to it of which every byte is the test's. For the test file that calls it at its top:
 * it is stopped after the last test of the file.
 */
export async function rawService() {
  const service = await serviceForTests({ workers: 1 });
  const workspace = await createWorkspace(service);
  afterAll(() => service.admin('verify'));
  const [alice, bob] = [await workspace.wallet('1000'), await workspace.wallet()];
  /** Of a create that is accepted. */
  const validBody = JSON.stringify({ sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' });
  /** Of a wallet that is funded. */
  const walletPath = `/api/v1/wallets/${alice}`;

  const send = ({ method = 'GET', path = walletPath, target = path, body = '', headers = [], ...rest }: Sent = {}) => {
    const signed = signedHeaders(workspace, {
      method,
      path,
      body: rest.signedBody ?? body,
      ...(rest.nonce === undefined ? {} : { nonce: rest.nonce }),
    });
    const length = Buffer.from(body).length;
    const lines = [...signed.filter((line) => !line.startsWith('Content-Length')), ...headers];
    const isChunked = headers.some((line) => line.startsWith('Transfer-Encoding'));
    return exchangeRaw(service.baseUrl, {
      method,
      target,
      headers: length > 0 && !isChunked ? [...lines, `Content-Length: ${length}`] : lines,
      body: isChunked
        ? Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), Buffer.from(body), Buffer.from('\r\n0\r\n\r\n')])
        : body,
    });
  };
  const post = (sent: Sent = {}): Promise<RawAnswer> =>
    send({ method: 'POST', path: createPath, body: validBody, headers: [json], ...sent });
  return { service, workspace, walletPath, validBody, send, post };
}

export const verdict = ({ status, envelope }: RawAnswer): unknown[] => [status, envelope?.code];
