import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDataFolder } from '../../local/data-folder.ts';
import { demoWorkspace } from '../../local/demo-workspace.ts';

it('the making of the demo workspace ends with the stack, whatever its commands wait for', async () => {
  const path = await mkdtemp(join(tmpdir(), 'demo-'));
  // Takes connections, and never says anything.
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const uri = `mongodb://127.0.0.1:${(silent.address() as AddressInfo).port}/?directConnection=true`;
  const env = { ...process.env, MONGODB_URI: uri, MASTER_KEYS: `1:${Buffer.alloc(32, 1).toString('base64')}` };
  const stopping = new AbortController();
  const making = demoWorkspace(await openDataFolder(path), env, stopping.signal);
  making.catch(() => undefined);
  const [socket] = (await once(silent, 'connection')) as [Socket];
  const ended = once(socket, 'close');
  socket.on('error', () => undefined);
  socket.resume();
  stopping.abort();
  await expect(making).rejects.toMatchObject({ name: 'AbortError' });
  // The command itself is gone, too.
  await ended;
  silent.close();
  await rm(path, { recursive: true });
});
