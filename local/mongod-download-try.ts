import { join } from 'node:path';
import { DryMongoBinary } from 'mongodb-memory-server';
import { startChild } from './child.ts';

const HOST = 'https://fastdl.mongodb.org';
/** A host that does not answer within this time counts as not reachable. */
const ANSWER_TIMEOUT_MS = 3_000;
const DOWNLOAD_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 1_000;

/** The path of a mongod that mongodb-memory-server has or can get in bounded time. Rejects with one short reason. */
export async function downloadMongod(say: (text: string) => void): Promise<string> {
  const cached = await DryMongoBinary.locateBinary(DryMongoBinary.getEnsuredOptions()).catch(() => undefined);
  if (cached !== undefined) return cached;
  const host = process.env['MONGOMS_DOWNLOAD_MIRROR'] ?? HOST;
  await expectAnswer(host);
  say(`Downloading MongoDB from ${host} ...`);
  const child = await startChild({
    name: 'the download of MongoDB',
    command: process.execPath,
    args: [join(import.meta.dirname, 'mongod-download.ts')],
    env: process.env,
    readyFrom: (line) => (line.startsWith('{"binary"') ? (JSON.parse(line) as { binary: string }) : undefined),
    readyTimeoutMs: DOWNLOAD_TIMEOUT_MS,
    onLine: () => undefined,
  });
  try {
    return (await child.ready).binary;
  } finally {
    await child.stop(STOP_TIMEOUT_MS);
  }
}

async function expectAnswer(host: string): Promise<void> {
  try {
    const answer = await fetch(host, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    // A proxy that refuses the host answers in its place.
    if (answer.status >= 400 && answer.status !== 404) throw new Error(`status ${answer.status}`);
  } catch (cause) {
    throw new Error(`${host} does not answer from here`, { cause });
  }
}
