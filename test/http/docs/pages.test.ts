import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import express from 'express';
import { expect, it } from 'vitest';
import { docsPages } from '../../../src/http/docs/pages.ts';

it('the packed clients are served where there are any, and nothing beside them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docs-pages-'));
  await writeFile(join(folder, 'signed-wallet-client.tgz'), 'packed');
  const server = express()
    .use(docsPages([], pathToFileURL(`${folder}/`)))
    .listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/clients/`;
    const answer = await fetch(`${base}signed-wallet-client.tgz`);
    expect([answer.status, await answer.text()]).toEqual([200, 'packed']);
    for (const other of ['', 'signed-wallet-client.tar.gz', '..%2fapi.md'])
      expect((await fetch(base + other)).status).toBe(404);
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});
