import { userInfo } from 'node:os';
import { pino, type Logger } from 'pino';
import { checkMasterKeys, keysToSeal } from '../auth/master-keys.ts';
import type { MasterKeys } from '../auth/secrets.ts';
import { createClock, type Clock, clockOffMaxMs, describeClock } from '../clock.ts';
import {
  describeMisspelt,
  findMisspelt,
  readAdminSettings,
  SettingsError,
  type AdminSettings,
} from '../settings/config.ts';
import { usualCurrencies, type Currencies } from '../domain/currency.ts';
import { createPresenter, type Presenter } from '../orders/present.ts';
import { checkQueues } from '../queue/queue-id.ts';
import { announceChange } from '../redis/messages.ts';
import { connectRedis, type RedisClient } from '../redis/connection.ts';
import { auditedBy, type Audited } from '../storage/audited.ts';
import { correctClock } from '../storage/shared/clock.ts';
import { openCollections, type Collections } from '../storage/collections.ts';
import { connectStorage, type Storage } from '../storage/shared/connection.ts';
import { recordUsualCurrencies } from '../accepting/currencies.ts';
import { ensureLaidOut } from '../storage/schema/schema.ts';
import type { CommandHost, HostedCommand } from './command.ts';
import { confirm } from './confirm.ts';
import { CommandError, UnseenError } from './failures.ts';
import type { Printed } from './output.ts';

/** What a command works with while it runs. */
export interface Session {
  readonly host: CommandHost;
  readonly settings: AdminSettings;
  /**
   * The master keys to seal with, after a check that they are the database's: those that every process that runs has too. Call
   * it inside an audited change, because it records a new version, which is a change. @throws SettingsError they are not the
   * database's.
   */
  readonly masterKeys: () => Promise<MasterKeys>;
  readonly storage: Storage;
  readonly collections: Collections;
  /** Those of the database, and of the usual ones those that it has not recorded. */
  readonly currencies: Currencies;
  /** Records the usual ones, as a process does when it starts. Call it inside an audited change, before what is in a currency is stored. */
  readonly recordCurrencies: () => Promise<unknown>;
  /** Prints resources as the API shows them. */
  readonly present: Presenter;
  readonly isJson: boolean;
  /** Dates what is made and changed. */
  readonly clock: Clock;
  /** Every change of a command. @throws CommandError the clock of this machine is too far off to change anything. */
  readonly audited: Audited;
}

/** Options of every command; `--yes` is allowed for those too that ask nothing. */
interface CommonOptions {
  readonly json?: boolean;
  readonly as?: string;
  readonly yes?: boolean;
}

type Result = Printed | readonly Printed[] | undefined;

/** Long, because an administrator's query may read everything, and an index may be built. */
const hungAfterMs = 600_000;
const announceTimeoutMs = 1_000;

interface Preparation<Options, Made> {
  /** Runs first. @throws UsageError the options do not go together. */
  readonly check?: (options: Options) => void;
  /** For what cannot simply be undone: asked before any connection, unless there is no question or `--yes` answers it. */
  readonly question?: (options: Options) => string | undefined;
  /** Prepares or checks the database before the command's body. */
  readonly prepare?: (db: Storage['db']) => Promise<unknown>;
  /** The result as text, where that is no table. */
  readonly text?: (result: Made) => string;
  /** For a result that is shown only once: what to say on standard error if that failed, in one sentence. */
  readonly unseen?: (result: Made, options: Options) => string;
}

/** Makes a commander action of a command's body: it connects first, prints the result, and always disconnects. */
export function withSession<Options, Made extends Result = Result>(
  body: (options: Options, session: Session) => Promise<Made>,
  { check, question, prepare = ensureLaidOut, text, unseen }: Preparation<Options, Made> = {},
): (options: Options, command: HostedCommand) => Promise<void> {
  return async (options, command) => {
    const { yes = false, ...common } = command.optsWithGlobals<CommonOptions>();
    check?.(options);
    const confirmation = question?.(options);
    if (confirmation !== undefined && !yes) await confirm(confirmation);
    const { host } = command;
    const settings = readAdminSettings(host.env);
    const storage = await connect('MongoDB', host, (log, signal) =>
      connectStorage(settings.MONGODB_URI, log, signal, hungAfterMs),
    );
    try {
      await prepare(storage.db);
      const session = await createSession(host, settings, storage, common);
      const result = await body(options, session);
      if (result === undefined) return;
      if (text !== undefined && !session.isJson) host.output.text(text(result));
      else host.output.print(result, session.isJson);
      if (unseen === undefined) return;
      const failure = await host.output.failure();
      if (failure !== undefined) throw new UnseenError(`${unseen(result, options)} (${failure.message})`);
    } finally {
      await storage.close();
    }
  };
}

async function createSession(
  host: CommandHost,
  settings: AdminSettings,
  storage: Storage,
  { json = false, as }: CommonOptions,
): Promise<Session> {
  const warn = (what: string): void => {
    host.output.complain(`warning: ${what}\n`);
  };
  for (const each of findMisspelt(host.env)) warn(describeMisspelt(each));
  const clock = createClock();
  const aheadMs = await correctClock(storage.db, clock);
  const wrongClock = describeClock(aheadMs);
  if (wrongClock !== undefined) warn(wrongClock);
  const collections = openCollections(storage.db, clock.now);
  const { auditEvents, currencyRecord } = collections;
  const currencies = new Map([...usualCurrencies, ...(await currencyRecord.all())]);
  const audited = auditedBy(
    auditEvents,
    { actor: operatingSystemUser(), claimedActor: as ?? null, address: null },
    () => announce(settings),
    (id) => {
      warn(`the outcome of event ${id} could not be recorded; it stays STARTED`);
    },
  );
  return {
    host,
    settings,
    masterKeys: async () => {
      await checkMasterKeys(settings.MASTER_KEYS, collections);
      return keysToSeal(settings.MASTER_KEYS, collections);
    },
    storage,
    collections,
    currencies,
    recordCurrencies: () => recordUsualCurrencies(currencyRecord),
    present: createPresenter(currencies),
    isJson: json,
    clock: clock.now,
    audited: unlessClockIsOff(aheadMs, audited),
  };
}

/**
 * Refuses every change while this machine's clock is far off. The session's clock is corrected, but a machine whose clock is
 * that wrong is not one to hold records by, and it may be MongoDB's that is.
 */
function unlessClockIsOff(aheadMs: number, audited: Audited): Audited {
  if (Math.abs(aheadMs) <= clockOffMaxMs) return audited;
  const message =
    `nothing was changed: ${describeClock(aheadMs) ?? ''}, and commands that change something need one that is at most ` +
    `${clockOffMaxMs / 1_000} s off. Set it by NTP, or MongoDB's if that is the wrong one, and run the command again`;
  return () => Promise.reject(new CommandError(message));
}

/**
 * Opens a connection within the host's time for it, or says why it could not.
 * @param open tries until its signal aborts, and logs each failed attempt with its `reason`.
 * @throws CommandError the server is away; SettingsError its address is wrong.
 */
async function connect<T>(
  server: 'MongoDB' | 'Redis',
  { connectTimeoutMs }: CommandHost,
  open: (log: Logger, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let reason = 'no answer';
  const log = pino(
    { level: 'debug' },
    {
      write: (line) => {
        const entry = JSON.parse(line) as { reason?: string };
        reason = entry.reason ?? reason;
      },
    },
  );
  try {
    return await open(log, AbortSignal.timeout(connectTimeoutMs));
  } catch (cause) {
    if (cause instanceof SettingsError) throw cause;
    throw new CommandError(`${server} could not be reached within ${connectTimeoutMs / 1_000} s: ${reason}`, { cause });
  }
}

/**
 * Lends a connection to Redis, after a check that the queues there are those of the service's processes.
 * @throws as {@link connect} and {@link checkQueues} do, and whatever `body` throws.
 */
export async function withRedis<T>(
  { host, settings, collections }: Pick<Session, 'host' | 'settings' | 'collections'>,
  body: (redis: RedisClient) => Promise<T>,
): Promise<T> {
  const redis = await connect('Redis', host, (log, signal) => connectRedis(settings, 'request', log, signal));
  try {
    await checkQueues({ redis, prefix: settings.QUEUE_PREFIX }, collections);
    return await body(redis);
  } finally {
    redis.disconnect();
  }
}

/** Best effort, because Redis may be away: API processes that miss the announcement notice the change within a second. */
async function announce(settings: AdminSettings): Promise<void> {
  const silent = pino({ level: 'silent' });
  try {
    const redis = await connectRedis(settings, 'request', silent, AbortSignal.timeout(announceTimeoutMs));
    await announceChange(redis, settings.QUEUE_PREFIX).finally(() => {
      redis.disconnect();
    });
  } catch {
    return;
  }
}

function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
