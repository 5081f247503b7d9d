import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import pTimeout from 'p-timeout';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../src/storage/shared/connection.ts';
import { testDatabase } from '../support/database.ts';

const { uri } = testDatabase();
const client = createClient(uri, 1_000);
const sockets: Socket[] = [];
const note = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);

beforeAll(async () => {
  subscribe('net.client.socket', note);
  await client.connect();
});
afterAll(async () => {
  unsubscribe('net.client.socket', note);
  await client.close();
});

it('a read that is written to a socket just destroyed is read again on another', async () => {
  const wallets = client.db().collection('wallets');
  await wallets.findOne();
  expect(sockets).not.toEqual([]);
  for (const socket of sockets) socket.destroy();
  expect(await pTimeout(wallets.findOne(), { milliseconds: 10_000 })).toBeNull();
});
