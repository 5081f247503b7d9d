import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { misspeltSettings, type Misspelt } from './misspelt.ts';
import { faultsBetween, settingsOfProcess, type ProcessName, type SettingFault, type SettingName } from './settings.ts';

/** One message for a person, naming each variable at fault, what was found (never a secret) and what is allowed. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export type WebSettings = z.output<(typeof settingsOfProcess)['web']>;
export type WorkerSettings = z.output<(typeof settingsOfProcess)['worker']>;
export type AdminSettings = z.output<(typeof settingsOfProcess)['admin']>;

/** A setting that does not fit the database or the other processes. */
export class WrongSettingError extends SettingsError {
  /** @param fault what is wrong with it, to be read after its name. */
  constructor(setting: SettingName, fault: string) {
    super(`wrong settings:\n  ${setting} ${fault} (docs/configuration.md, "What all processes share")`);
  }
}

/** Each reader parses the environment once and throws {@link SettingsError}; an empty variable counts as not set. */
export const readWebSettings = (env: NodeJS.ProcessEnv = process.env): WebSettings =>
  settingsOr(judgeSettings('web', env));
export const readWorkerSettings = (env: NodeJS.ProcessEnv = process.env): WorkerSettings =>
  settingsOr(judgeSettings('worker', env));
/** As the others, but what is not set of MONGODB_URI, REDIS_URL and MASTER_KEYS comes from the running local stack. */
export const readAdminSettings = (env: NodeJS.ProcessEnv = process.env): AdminSettings =>
  settingsOr(judgeSettings('admin', env));

/** Never shown in a message. */
export const secretNames: ReadonlySet<string> = new Set(['MASTER_KEYS', 'MONGODB_URI', 'REDIS_URL', 'OPS_TOKEN']);
/** Each may be given as a file instead, named by the variable with `_FILE` after it. */
export const fileNames: ReadonlySet<string> = new Set([...secretNames, 'REDIS_TLS_CA']);

/** Where a setting has its value from. */
export type SettingSource = 'environment' | 'file' | 'local stack' | 'default';

/** All that can be said of an environment without asking a server. */
export interface Judged<Name extends ProcessName> {
  /** Undefined if there is any fault. */
  readonly settings: z.output<(typeof settingsOfProcess)[Name]> | undefined;
  /** Each names its setting, what was found (never a secret) and what is allowed; none names the same fault twice. */
  readonly faults: readonly string[];
  /** Variables that have no effect, and are probably meant to be a setting. */
  readonly misspelt: readonly Misspelt[];
  /** The texts that were found, secrets among them, and where. */
  readonly texts: ReadonlyMap<string, { readonly text: string; readonly source: SettingSource }>;
}

/** Judges every setting of a process, and each by itself, so that one that is wrong hides no other. @throws never. */
export function judgeSettings<Name extends ProcessName>(processName: Name, env: NodeJS.ProcessEnv): Judged<Name> {
  const { texts, faults } = readTexts(env);
  if (processName === 'admin') addLocalStack(texts, faults, env);
  const textOf = (name: string): string | undefined => texts.get(name)?.text;
  const values: Record<string, unknown> = {};
  const judge = ({ setting, message }: SettingFault): void => {
    if (faults.has(setting)) return;
    const text = textOf(setting);
    const state = text === undefined ? 'is not set' : fileNames.has(setting) ? 'is wrong' : `is "${text}"`;
    faults.set(setting, `${setting} ${state}: ${message}`);
  };
  const { shape } = settingsOfProcess[processName];
  for (const [name, type] of Object.entries(shape as Record<string, z.ZodType>)) {
    const { data, error } = type.safeParse(textOf(name));
    if (error === undefined) values[name] = data;
    // What else zod says of the same text is a consequence.
    else judge({ setting: name as SettingName, message: error.issues[0]?.message ?? error.message });
  }
  faultsBetween(values).forEach(judge);
  return {
    settings: faults.size === 0 ? (values as z.output<(typeof settingsOfProcess)[Name]>) : undefined,
    faults: [...new Set(faults.values())],
    misspelt: findMisspelt(env),
    texts,
  };
}

/** What a process or a command says of variables that have no effect. */
export function describeMisspelt({ name, meant }: Misspelt): string {
  const instead = meant.startsWith('admin ') ? `"${meant}" does its work` : `${meant} is one`;
  return `${name} has no effect, because it is no setting; ${instead}`;
}

/** @throws SettingsError naming each fault, and what may be behind it. */
export function settingsOr<Name extends ProcessName>({ settings, faults, misspelt }: Judged<Name>) {
  if (settings !== undefined) return settings;
  throw new SettingsError(['wrong settings:', ...faults, ...misspelt.map(describeMisspelt)].join('\n  '));
}

export const findMisspelt = (env: NodeJS.ProcessEnv = process.env): Misspelt[] => misspeltSettings(env, settingNames);

const settingNames = new Set(
  Object.values(settingsOfProcess)
    .flatMap(({ shape }) => Object.keys(shape))
    .flatMap((name) => (fileNames.has(name) ? [name, `${name}_FILE`] : [name])),
);

type SettingTexts = Map<string, { text: string; source: SettingSource }>;

/** The variables that are set. An empty one counts as not set; a long or secret one may be in a file. */
function readTexts(env: NodeJS.ProcessEnv): { texts: SettingTexts; faults: Map<string, string> } {
  const texts: SettingTexts = new Map();
  const faults = new Map<string, string>();
  for (const [name, text = ''] of Object.entries(env))
    if (text !== '') texts.set(name, { text, source: 'environment' });
  for (const name of fileNames) {
    const path = texts.get(`${name}_FILE`)?.text;
    if (path === undefined) continue;
    texts.delete(`${name}_FILE`);
    if (texts.has(name)) {
      faults.set(name, `${name} and ${name}_FILE are both set`);
      continue;
    }
    try {
      texts.set(name, { text: readFileSync(path, 'utf8').trimEnd(), source: 'file' });
    } catch {
      faults.set(name, `${name}_FILE is "${path}": it cannot be read`);
    }
  }
  return { texts, faults };
}

/** Written by the local stack while it runs: where its servers are, and the keys of its database. */
const stackFile = z.object({
  ...{ mongodbUri: z.string(), redisUrl: z.string(), masterKeys: z.string() },
  apiUrl: z.string().optional(),
});
/** Where script/start leaves it, of this project. */
export const defaultStackFile = join(import.meta.dirname, '../../.data/stack.json');

/**
 * Adds what is not set and the running stack has. A stack whose MongoDB is not the one of MONGODB_URI is ignored: its
 * master keys would seal secrets that nobody could open.
 */
function addLocalStack(texts: SettingTexts, faults: Map<string, string>, env: NodeJS.ProcessEnv): void {
  const isMissing = (name: string): boolean => !texts.has(name) && !faults.has(name);
  if (!['MONGODB_URI', 'REDIS_URL', 'MASTER_KEYS'].some(isMissing)) return;
  const path = env['LOCAL_STACK_FILE'] || defaultStackFile;
  const stack = readStackFile(path);
  if (typeof stack === 'object' && (texts.get('MONGODB_URI')?.text ?? stack.mongodbUri) === stack.mongodbUri) {
    const ofStack = { MONGODB_URI: stack.mongodbUri, REDIS_URL: stack.redisUrl, MASTER_KEYS: stack.masterKeys };
    for (const [name, text] of Object.entries(ofStack))
      if (isMissing(name)) texts.set(name, { text, source: 'local stack' });
    return;
  }
  const missing = ['MONGODB_URI', 'MASTER_KEYS'].filter(isMissing);
  const stackState =
    stack === 'absent'
      ? `no local stack is running (${path})`
      : stack === 'unreadable'
        ? `${path} is not a file of the local stack`
        : `the local stack (${path}) has another MongoDB`;
  const fault = `${missing.join(' and ')} not set, and ${stackState}: start script/start, name its DATA/stack.json as LOCAL_STACK_FILE, or set MONGODB_URI, REDIS_URL and MASTER_KEYS`;
  for (const name of missing) faults.set(name, fault);
}

/** Where the API of the running local stack is, if that stack has this MongoDB. */
export function localApiUrl(env: NodeJS.ProcessEnv, mongodbUri: string): string | undefined {
  const stack = readStackFile(env['LOCAL_STACK_FILE'] || defaultStackFile);
  return typeof stack === 'object' && stack.mongodbUri === mongodbUri ? stack.apiUrl : undefined;
}

function readStackFile(path: string): z.output<typeof stackFile> | 'absent' | 'unreadable' {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return 'absent';
  }
  try {
    return stackFile.parse(JSON.parse(text));
  } catch {
    return 'unreadable';
  }
}
