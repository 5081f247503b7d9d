import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder as packageFolder, pythonEnv, pythonOrSkipped } from '../support/python.ts';
import { createAuthority, type Authority } from '../support/certificates.ts';

const python = await pythonOrSkipped();
const program = `
import ssl, sys
sys.path.insert(0, 'src')
from signed_wallet_client import Client, TransportError
base_url, authority = sys.argv[1:]
context = ssl.create_default_context(cafile=authority) if authority else None
with Client(base_url=base_url, api_key='a', api_secret='b', attempts_max=1, ssl_context=context) as client:
    try:
        print([str(client.wallet.balance('wa_1').balance) for _ in range(3)])
    except TransportError as error:
        print('CERTIFICATE_VERIFY_FAILED' in str(error), error.is_timeout)`;

describe.skipIf(python === undefined)('the Python client over TLS', () => {
  let folder: string;
  let authority: Authority;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'python-tls-'));
    authority = createAuthority(folder, 'authority');
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** What the program prints, of a server with a certificate for this name; and how many connections it took. */
  async function balances(altName: string, trusted: string): Promise<[string, number]> {
    const { certFile, keyFile } = authority.sign('server', altName);
    const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (_, response) => {
      const data = { balance: '1.10' };
      response.end(JSON.stringify({ timestamp: 1, success: true, code: '2000', message: 'SUCCESS', data }));
    });
    let connections = 0;
    server.on('secureConnection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const options = { cwd: packageFolder, env: pythonEnv };
    const { stdout } = await promisify(execFile)(python!, ['-c', program, baseUrl, trusted], options);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    return [stdout.trim(), connections];
  }

  it('reads what a server answers that its authority vouches for, on one connection', async () => {
    const expected = "['1.10', '1.10', '1.10']";
    expect(await balances('IP:127.0.0.1', authority.file)).toEqual([expected, 1]);
  });

  it('sends nothing to a server that the authorities of the system do not know, or of another name', async () => {
    expect(await balances('IP:127.0.0.1', '')).toEqual(['True False', 0]);
    expect((await balances('IP:127.0.0.2', authority.file))[0]).toBe('True False');
  });
});
