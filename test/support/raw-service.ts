import { afterAll, beforeAll } from 'vitest';
import { exchangeRaw, signedHeaders, type RawAnswer } from './raw-http.ts';
import { startService, type RunningService } from './service.ts';
import { createWorkspace, type TestWorkspace } from './workspace.ts';

export const createPath = '/api/v1/transfer/command/create';
export const json = 'Content-Type: application/json';

/** A service with a workspace, and requests to it of which every byte is the test's. */
export interface RawService {
  service: RunningService;
  workspace: TestWorkspace;
  /** Of a wallet that is funded. */
  walletPath: string;
  /** Of a create that is accepted. */
  validBody: string;
}

export interface Sent {
  method?: string;
  /** What is sent, where it differs from the path that is signed. */
  target?: string;
  path?: string;
  body?: Uint8Array | string;
  signedBody?: Uint8Array | string;
  headers?: string[];
  nonce?: string;
}

/** Call it at a file's top. What it gives is filled before the first test, and stopped after the last. */
export function rawService() {
  const raw = {} as RawService;
  beforeAll(async () => {
    const service = await startService({ workers: 1 });
    const workspace = await createWorkspace(service);
    const [alice, bob] = [await workspace.wallet('1000'), await workspace.wallet()];
    const validBody = JSON.stringify({ sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' });
    Object.assign(raw, { service, workspace, walletPath: `/api/v1/wallets/${alice}`, validBody });
  });
  afterAll(async () => {
    await raw.service.admin('verify');
    await raw.service.stop();
  });
  const send = (sent: Sent = {}): Promise<RawAnswer> => sendOf(raw, sent);
  const post = (sent: Sent = {}): Promise<RawAnswer> =>
    send({ method: 'POST', path: createPath, body: raw.validBody, headers: [json], ...sent });
  return { raw, send, post };
}

function sendOf(
  raw: RawService,
  { method = 'GET', path = raw.walletPath, target = path, body = '', headers = [], ...rest }: Sent,
): Promise<RawAnswer> {
  const signed = signedHeaders(raw.workspace, {
    method,
    path,
    body: rest.signedBody ?? body,
    ...(rest.nonce === undefined ? {} : { nonce: rest.nonce }),
  });
  const length = Buffer.from(body).length;
  const lines = [...signed.filter((line) => !line.startsWith('Content-Length')), ...headers];
  const isChunked = headers.some((line) => line.startsWith('Transfer-Encoding'));
  return exchangeRaw(raw.service.baseUrl, {
    method,
    target,
    headers: length > 0 && !isChunked ? [...lines, `Content-Length: ${length}`] : lines,
    body: isChunked
      ? Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), Buffer.from(body), Buffer.from('\r\n0\r\n\r\n')])
      : body,
  });
}

export const verdict = ({ status, envelope }: RawAnswer): unknown[] => [status, envelope?.code];
