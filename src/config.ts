import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { adminSettings, webSettings, workerSettings } from './settings.ts';

/** One message for a person, naming each variable at fault, what was found (never a secret) and what is allowed. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export type WebSettings = z.output<typeof webSettings>;
export type WorkerSettings = z.output<typeof workerSettings>;
export type AdminSettings = z.output<typeof adminSettings>;
export type SettingName = keyof WebSettings;

/** What keeps a process from its work although the servers answer. */
export interface WrongSetting {
  /** The one to change; undefined if none is known to be wrong: they are not compared yet, or something else is wrong. */
  readonly setting: SettingName | undefined;
  /** The heading of its entry in docs/operations.md. */
  readonly runbook: string;
  /** What is wrong, for a person. */
  readonly message: string;
}

/** A setting that does not fit the database or the other processes. */
export class WrongSettingError extends SettingsError implements WrongSetting {
  readonly setting: SettingName;
  readonly runbook: string;

  /** @param faults what is wrong with it, each to be read after its name. */
  constructor(setting: SettingName, runbook: string, faults: readonly string[]) {
    const lines = faults.map((fault) => `  ${setting} ${fault}`);
    super(`wrong settings:\n${lines.join('\n')} (docs/operations.md, "${runbook}")`);
    this.setting = setting;
    this.runbook = runbook;
  }
}

/** Each reader parses the environment once and throws {@link SettingsError}; an empty variable counts as not set. */
export const readWebSettings = (env: NodeJS.ProcessEnv = process.env): WebSettings => read(webSettings, env);
export const readWorkerSettings = (env: NodeJS.ProcessEnv = process.env): WorkerSettings => read(workerSettings, env);
/** As the others, but what is not set of MONGODB_URI, REDIS_URL and MASTER_KEYS comes from the running local stack. */
export const readAdminSettings = (env: NodeJS.ProcessEnv = process.env): AdminSettings =>
  read(adminSettings, withLocalStack(env));

/** Never shown in a message. */
export const secretNames: ReadonlySet<string> = new Set(['MASTER_KEYS', 'MONGODB_URI', 'REDIS_URL', 'OPS_TOKEN']);
/** Each may be given as a file instead, named by the variable with `_FILE` after it. */
export const fileNames: ReadonlySet<string> = new Set([...secretNames, 'REDIS_TLS_CA']);

function read<T extends z.ZodType>(schema: T, env: NodeJS.ProcessEnv): z.output<T> {
  const given = givenSettings(env);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const value = given[name];
    const found = value === undefined ? 'is not set' : fileNames.has(name) ? 'is wrong' : `is "${value}"`;
    return `  ${name} ${found}: ${issue.message}`;
  });
  throw new SettingsError(`wrong settings:\n${lines.join('\n')}`);
}

/** The variables that are set. An empty one counts as not set; a long or secret one may be in a file. */
function givenSettings(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  for (const name of fileNames) {
    const { [`${name}_FILE`]: path } = given;
    if (path === undefined) continue;
    if (given[name] !== undefined) throw new SettingsError(`wrong settings:\n  ${name} and ${name}_FILE are both set`);
    try {
      given[name] = readFileSync(path, 'utf8').trimEnd();
      given[`${name}_FILE`] = undefined;
    } catch (cause) {
      throw new SettingsError(`wrong settings:\n  ${name}_FILE is "${path}": it cannot be read`, { cause });
    }
  }
  return given;
}

/** Written by the local stack while it runs: where its servers are, and the keys of its database. */
const stackFile = z.object({ mongodbUri: z.string(), redisUrl: z.string(), masterKeys: z.string() });
const defaultStackFile = join(import.meta.dirname, '../.data/stack.json');

/**
 * A stack whose MongoDB is not the one of MONGODB_URI is ignored: its master keys would seal secrets that nobody could
 * open.
 */
function withLocalStack(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const given = givenSettings(env);
  if (given['MONGODB_URI'] !== undefined && given['REDIS_URL'] !== undefined && given['MASTER_KEYS'] !== undefined) {
    return given;
  }
  const path = given['LOCAL_STACK_FILE'] ?? defaultStackFile;
  const stack = readStackFile(path);
  if (stack !== undefined && (given['MONGODB_URI'] ?? stack.mongodbUri) === stack.mongodbUri) {
    return { MONGODB_URI: stack.mongodbUri, REDIS_URL: stack.redisUrl, MASTER_KEYS: stack.masterKeys, ...given };
  }
  const missing = ['MONGODB_URI', 'MASTER_KEYS'].filter((name) => given[name] === undefined);
  if (missing.length === 0) return given;
  const found =
    stack === undefined ? `no local stack is running (${path})` : `the local stack (${path}) has another MongoDB`;
  throw new SettingsError(
    `${missing.join(' and ')} not set, and ${found}: start script/start, or set MONGODB_URI, REDIS_URL and MASTER_KEYS`,
  );
}

function readStackFile(path: string): z.output<typeof stackFile> | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return stackFile.parse(JSON.parse(text));
  } catch (cause) {
    throw new SettingsError(`${path} is not a file of the local stack`, { cause });
  }
}
