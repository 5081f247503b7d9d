import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { flowId } from '../domain/ids.ts';
import type { Books } from '../storage/books.ts';
import type { Report } from './breach.ts';

/** Where a wallet's chain of hashes ended: its last flow. */
export interface Head {
  readonly walletId: string;
  readonly sequence: number;
  readonly hash: string;
}

/** What an anchor is made with. */
export interface AnchorKey {
  readonly masterKeyVersion: number;
  readonly masterKey: Buffer;
  /** Bytes that no other database has. */
  readonly database: Uint8Array;
}

/** The file is no anchor, was altered, or is of other keys or another database. */
export class AnchorError extends Error {
  override readonly name = 'AnchorError';
}

type Mac = ReturnType<typeof createHmac>;

const format = 'wallet-chain-anchor';
const formatVersion = 1;
const keyBytes = 32;
const linesPerWrite = 1_000;
const headsPerRead = 1_000;

const header = z.strictObject({
  format: z.literal(format),
  version: z.literal(formatVersion),
  madeAt: z.iso.datetime(),
  masterKeyVersion: z.int(),
  database: z.string(),
});
const headLine = z.strictObject({ walletId: z.string(), sequence: z.int().positive(), hash: z.string() });
const footer = z.strictObject({ heads: z.int().nonnegative(), mac: z.string() });

/** A key for this use alone, so that an anchor tells nothing of the master key. Source: RFC 5869. */
function macOf({ masterKey }: AnchorKey): Mac {
  const info = `${format}/${formatVersion}`;
  return createHmac('sha256', Buffer.from(hkdfSync('sha256', masterKey, '', info, keyBytes)));
}

function databaseOf(key: AnchorKey): string {
  return macOf(key).update('database').update(key.database).digest('hex');
}

/**
 * Writes an anchor: lines of JSON, first what it is, then a head each, last their number and a MAC of all bytes before. It
 * holds a thousand lines in memory at the most. The file appears under its name only by `commit`, whole and on the disk.
 */
export async function createAnchorFile(path: string, key: AnchorKey, madeAt: Date) {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  const mac = macOf(key);
  let lines: string[] = [];
  let heads = 0;

  async function flush(): Promise<void> {
    const text = lines.join('');
    lines = [];
    mac.update(text);
    await file.writeFile(text);
  }
  const write = (value: object): number => lines.push(`${JSON.stringify(value)}\n`);
  const { masterKeyVersion } = key;
  write({
    format,
    version: formatVersion,
    madeAt: madeAt.toISOString(),
    masterKeyVersion,
    database: databaseOf(key),
  });
  return {
    add: async ({ walletId, sequence, hash }: Head): Promise<void> => {
      heads += 1;
      if (write({ walletId, sequence, hash }) >= linesPerWrite) await flush();
    },
    /** @returns how many heads there are. */
    async commit(): Promise<number> {
      await flush();
      await file.writeFile(`${JSON.stringify({ heads, mac: mac.digest('hex') })}\n`);
      await file.sync();
      await file.close();
      await rename(temporary, path);
      const folder = await open(dirname(path));
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
      return heads;
    },
    /** Leaves nothing behind, unless it was committed. */
    async discard(): Promise<void> {
      await file.close().catch(() => undefined);
      await rm(temporary, { force: true });
    },
  };
}

/**
 * Reads an anchor's heads, in their order; memory stays flat. Whether they are to be trusted is known only at its end.
 * @param keyOf returns what an anchor of that version of the master key was made with; undefined if it is not known.
 * @throws AnchorError
 */
export async function* readAnchor(
  file: FileHandle,
  keyOf: (masterKeyVersion: number) => AnchorKey | undefined,
): AsyncGenerator<Head, void, undefined> {
  let mac: Mac | undefined;
  let heads = 0;
  let isEnded = false;
  for await (const line of file.readLines({ autoClose: false, start: 0 })) {
    if (isEnded) throw altered();
    const value = parse(line);
    if (mac === undefined) {
      mac = startReading(value, keyOf);
    } else {
      const end = footer.safeParse(value);
      if (end.success) {
        const [given, right] = [Buffer.from(end.data.mac, 'hex'), mac.digest()];
        if (given.length !== right.length || !timingSafeEqual(given, right) || end.data.heads !== heads)
          throw altered();
        isEnded = true;
        continue;
      }
      const head = headLine.safeParse(value);
      if (!head.success) throw altered();
      heads += 1;
      yield head.data;
    }
    mac.update(`${line}\n`);
  }
  if (!isEnded) throw altered();
}

function startReading(value: unknown, keyOf: (masterKeyVersion: number) => AnchorKey | undefined): Mac {
  const first = header.safeParse(value);
  if (!first.success) throw new AnchorError(`it is no anchor of version ${formatVersion}`);
  const { masterKeyVersion, database } = first.data;
  const key = keyOf(masterKeyVersion);
  if (key === undefined) {
    throw new AnchorError(
      `it was made with version ${masterKeyVersion} of the master key, which is not known any more`,
    );
  }
  if (database !== databaseOf(key)) {
    throw new AnchorError(
      'it is of another database, was made with another master key of that version, or was altered',
    );
  }
  return macOf(key);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw altered();
  }
}

function altered(): AnchorError {
  return new AnchorError('it was altered, or is not whole');
}

/**
 * Looks for each head's flow. Flows never change, so a chain that was only continued still has it. It reads a thousand at a
 * time. @returns how many heads there are.
 */
export async function compareWithAnchor(
  heads: AsyncIterable<Head>,
  books: Pick<Books, 'flowHashes'>,
  report: Report,
): Promise<number> {
  let page: Head[] = [];
  let count = 0;
  async function compare(): Promise<void> {
    const ids = page.map(({ walletId, sequence }) => flowId(walletId, sequence));
    const found = await books.flowHashes(ids);
    for (const [index, id] of ids.entries()) {
      const { hash = '' } = page[index] ?? {};
      if (!found.has(id)) report('anchor-missing', id, `is not there; the anchor has it with hash ${hash}`);
      else if (found.get(id) !== hash)
        report('anchor-hash', id, `hash is ${String(found.get(id))}, the anchor has ${hash}`);
    }
    count += page.length;
    page = [];
  }
  for await (const head of heads) {
    page.push(head);
    if (page.length >= headsPerRead) await compare();
  }
  if (page.length > 0) await compare();
  return count;
}
