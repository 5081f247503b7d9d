import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Tells a folder of ours from any other, so that --fresh can never empty a wrong one. */
const MARKER = 'local-stack';
const MARKER_TEXT = 'Data of the local stack (script/start). Emptied by script/start --fresh.\n';
const PRIVATE = 0o600;

export interface DataFolder {
  path: string;
  /** A path inside the folder. */
  file(name: string): string;
  /** Replaces a file in one step, readable by this user alone. */
  write(name: string, text: string): Promise<void>;
  writeJson(name: string, value: unknown): Promise<void>;
  /** Undefined where there is no such file. */
  readJson<Value>(name: string): Promise<Value | undefined>;
  remove(name: string): Promise<void>;
  /** Removes everything but what is named. */
  empty(keep: string[]): Promise<void>;
}

/** Opens or makes the folder. Throws where it holds anything that the stack did not put there. */
export async function openDataFolder(path: string): Promise<DataFolder> {
  await mkdir(path, { recursive: true });
  const names = await readdir(path);
  if (!names.includes(MARKER)) {
    if (names.length > 0)
      throw new Error(`${path} is not empty and not a data folder of this stack; choose another with --data.`);
    await chmod(path, 0o700);
    await writeFile(join(path, MARKER), MARKER_TEXT);
  }
  const file = (name: string) => join(path, name);
  const write = async (name: string, text: string) => {
    const incoming = file(`.${name}.${process.pid}`);
    await writeFile(incoming, text, { mode: PRIVATE });
    await rename(incoming, file(name));
  };
  return {
    path,
    file,
    write,
    writeJson: (name, value) => write(name, `${JSON.stringify(value, null, 2)}\n`),
    async readJson<Value>(name: string) {
      const text = await readFile(file(name), 'utf8').catch(() => undefined);
      return text === undefined ? undefined : (JSON.parse(text) as Value);
    },
    async remove(name) {
      await rm(file(name), { force: true });
    },
    async empty(keep) {
      for (const name of await readdir(path)) {
        if (name !== MARKER && !keep.includes(name)) await rm(file(name), { recursive: true });
      }
    },
  };
}

/** The key that encrypts API secrets in this folder's database: MASTER_KEYS, or one made once and kept. */
export async function masterKeysOf(folder: DataFolder): Promise<string> {
  const given = process.env['MASTER_KEYS'];
  if (given) return given;
  const name = 'master-keys.json';
  const kept = await folder.readJson<{ masterKeys: string }>(name);
  const masterKeys = kept?.masterKeys ?? `1:${randomBytes(32).toString('base64')}`;
  if (!kept) await folder.writeJson(name, { masterKeys });
  return masterKeys;
}
