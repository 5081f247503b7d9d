import { z } from 'zod';
import {
  addressList,
  certificates,
  count,
  flag,
  listenAddress,
  masterKeys,
  mongodbAddress,
  oneOf,
  portNumber,
  redisAddress,
  wholeNumber,
} from './types.ts';

/** The highest rate that a key can be given, in requests. */
export const keyRateMax = 1_000_000;

/** Each is a session of MongoDB. */
export const groupsInFlightMax = 32;

/** Longer than any load balancer takes to look again, in seconds. */
const drainDelayMax = 300;
/** Twice what Envoy, of which no other keeps an idle connection longer, does by default. */
const keepAliveSecondsMax = 7_200;

/** The settings every process shares. */
const shared = {
  MONGODB_URI: mongodbAddress
    .default('mongodb://127.0.0.1:27017/transfers?replicaSet=rs0')
    .describe(
      'MongoDB replica set; the path names the database (default "transfers"). Options that weaken reads or writes are refused.',
    ),
  REDIS_URL: redisAddress
    .default('redis://127.0.0.1:6379')
    .describe(
      'Redis or Redis Cluster for queue and nonces, the same for all processes; needs maxmemory-policy noeviction. With TLS: rediss://.',
    ),
  REDIS_TLS_CA: certificates
    .optional()
    .describe('Who signed the certificate of Redis, in PEM, where no public authority did; only with TLS.'),
  REDIS_TLS_UNVERIFIED: flag.describe(
    'Whether any certificate of Redis is accepted, so that whoever is in between can read and change everything; only with TLS.',
  ),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be 1 to 40 letters, digits, "_" or "-"')
    .default('transfers')
    .describe(
      'First part of every Redis key, the same for all processes, so that several installations can share a Redis.',
    ),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Log level.'),
};

/** Those of a process that has an operations port. */
const operations = {
  OPS_HOST: listenAddress
    .default('127.0.0.1')
    .describe('Address of the operations port: health, metrics, dashboard. Beyond loopback it needs OPS_TOKEN.'),
  OPS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 visible ASCII characters')
    .optional()
    .describe('Asked for on the operations port, as a bearer token or as the password of any user.'),
};

const secretsAtRest = {
  MASTER_KEYS: masterKeys.describe(
    'Keys that encrypt the secrets of API keys and webhooks at rest: VERSION:BASE64 of 32 bytes, comma-separated; the highest version encrypts.',
  ),
};

const webhookTargets = {
  WEBHOOK_ALLOW_LOCAL: flag.describe(
    'For local use: whether webhooks may go to plain HTTP, any port, and loopback and private addresses.',
  ),
};

export const webSettings = z.object({
  ...shared,
  ...operations,
  ...secretsAtRest,
  BACKLOG_MAX: count(10_000_000, 50_000).describe(
    'How many orders may wait for the workers before creates are refused with 503; no more are counted.',
  ),
  BACKLOG_MAX_WORKSPACE: count(10_000_000, 10_000).describe(
    'How many orders of one workspace may wait before its creates are refused with 503, while those of others are not.',
  ),
  ...webhookTargets,
  HOST: listenAddress.default('0.0.0.0').describe('Address on which the API listens.'),
  DRAIN_DELAY: wholeNumber(0, drainDelayMax)
    .default(5)
    .describe(
      'Seconds for which a process that is to stop (SIGTERM) says so on /readyz and goes on serving, so that what spreads requests can turn away from it.',
    ),
  KEEP_ALIVE_SECONDS: count(keepAliveSecondsMax, 620).describe(
    'Seconds for which an idle connection to the API is kept: longer than whatever stands before it keeps one, or a request may meet its end.',
  ),
  PORT: portNumber.default(3000).describe('Port of the API; 0 takes any free one.'),
  OPS_PORT: portNumber.default(3001).describe('Port of operations; 0 takes any free one.'),
  OPS_DASHBOARD_ACTIONS: flag.describe(
    'Whether orders that were set aside can be released on the operations page, where OPS_TOKEN is set.',
  ),
  KEY_RATE_PER_SECOND: count(keyRateMax, 1_000).describe(
    'Requests a second that one API key may make, and twice as many within one second now and then; more are answered 429. A key may have a rate of its own.',
  ),
  FAILURES_PER_MINUTE: count(1_000_000, 600).describe(
    'Failed authentications a minute from one address (of IPv6, one /64 network); further ones are answered 429. Those of loopback are not counted.',
  ),
  TRUSTED_PROXIES: addressList.describe(
    'Addresses or CIDRs of proxies whose X-Forwarded-For is believed, comma-separated.',
  ),
});

export const workerSettings = z.object({
  ...shared,
  ...operations,
  ...webhookTargets,
  MASTER_KEYS: secretsAtRest.MASTER_KEYS.optional().describe(
    'As those of the web process: they open the secrets that webhooks are signed with. A worker without them sends none.',
  ),
  WORKER_ROLE: oneOf(['posting', 'webhooks', 'both'])
    .default('both')
    .describe(
      'What a worker does: posts orders, sends webhooks, or both in one process, where receivers take some of what posting needs.',
    ),
  OPS_PORT: portNumber.default(0).describe('Port of operations; 0 takes any free one.'),
  POSTING_GROUPS_IN_FLIGHT: count(groupsInFlightMax, 2).describe(
    'Transactions that a worker has under way at once. More pay where a commit takes long and cores are idle.',
  ),
});

export const adminSettings = z.object({
  ...shared,
  ...secretsAtRest,
  ...webhookTargets,
});

/** Every setting of each process, as declared. */
export const settingsOfProcess = { web: webSettings, worker: workerSettings, admin: adminSettings };
export type ProcessName = keyof typeof settingsOfProcess;
export type SettingName = { [Name in ProcessName]: keyof (typeof settingsOfProcess)[Name]['shape'] }[ProcessName];

/** What is wrong with a setting, to be read after its name and what was found. */
export interface SettingFault {
  readonly setting: SettingName;
  readonly message: string;
}

/**
 * What is wrong between settings that are right each by itself.
 * @param settings those that are; what one of them is compared with may be missing.
 */
export function faultsBetween(settings: ValidSettings): SettingFault[] {
  return [...withoutToken(settings), ...withoutTls(settings), ...onOnePort(settings), ...withoutKeys(settings)];
}

type ValidSettings = Partial<z.output<typeof webSettings> & Pick<z.output<typeof workerSettings>, 'WORKER_ROLE'>>;

function* withoutToken({ OPS_HOST: host, OPS_TOKEN: token }: ValidSettings): Generator<SettingFault> {
  if (host === undefined || token !== undefined || isLoopback(host)) return;
  yield { setting: 'OPS_TOKEN', message: `needed while OPS_HOST is "${host}", which others can reach` };
}

/** Settings for TLS are refused if the address has no TLS, so that nobody believes the connection safe. */
function* withoutTls(settings: ValidSettings): Generator<SettingFault> {
  if (settings.REDIS_URL === undefined || /^rediss/.test(settings.REDIS_URL)) return;
  for (const setting of ['REDIS_TLS_CA', 'REDIS_TLS_UNVERIFIED'] as const)
    if (settings[setting])
      yield { setting, message: 'only where REDIS_URL is a rediss:// or rediss+cluster:// address' };
}

/** With 0 each takes a free one. */
function* onOnePort({ PORT: port, OPS_PORT: opsPort }: ValidSettings): Generator<SettingFault> {
  if (port === undefined || port === 0 || port !== opsPort) return;
  yield { setting: 'OPS_PORT', message: 'must be another than PORT' };
}

function* withoutKeys({ WORKER_ROLE: role, MASTER_KEYS: keys }: ValidSettings): Generator<SettingFault> {
  if (role !== 'webhooks' || keys !== undefined) return;
  yield { setting: 'MASTER_KEYS', message: 'needed while WORKER_ROLE is "webhooks"' };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
