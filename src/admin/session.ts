import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { readAdminSettings, SettingsError } from '../config.ts';
import type { AdminSettings } from '../config.ts';
import { createCurrencies } from '../domain/currency.ts';
import type { Currencies } from '../domain/currency.ts';
import { announceChange } from '../redis/changes.ts';
import { connectRedis } from '../redis/connection.ts';
import type { AuditedChange } from '../storage/audit.ts';
import { openCollections } from '../storage/collections.ts';
import type { Collections } from '../storage/collections.ts';
import { connectStorage } from '../storage/connection.ts';
import type { Storage } from '../storage/connection.ts';
import { ensureSchema } from '../storage/schema.ts';
import { isTransientFault } from '../storage/transaction.ts';
import { CommandError, UnknownOutcomeError } from './failures.ts';
import { print } from './output.ts';
import type { Printed } from './output.ts';

/** What a command works with while it runs. */
export interface Session {
  readonly settings: AdminSettings;
  readonly storage: Storage;
  readonly collections: Collections;
  readonly currencies: Currencies;
  readonly isJson: boolean;
  /**
   * Makes a change with an audit event around it.
   * @param made what of the result the event names besides the subject, such as the id of what was created.
   */
  readonly audited: <T>(
    action: string,
    subject: AuditedChange['subject'],
    change: () => Promise<T>,
    made?: (result: T) => AuditedChange['subject'],
  ) => Promise<T>;
}

/** Options of every command. */
interface CommonOptions {
  readonly json?: boolean;
  readonly as?: string;
}

type Result = Printed | readonly Printed[] | undefined;

const connectTimeoutMs = 10_000;
/** The administrator's questions may be of all there is, and an index may be built. */
const hungAfterMs = 600_000;
const announceTimeoutMs = 1_000;

/** Makes a commander action of what a command does: it connects first, prints what comes back, and always disconnects. */
export function withSession<Options>(
  body: (options: Options, session: Session) => Promise<Result>,
): (options: Options, command: Command) => Promise<void> {
  return async (options, command) => {
    const { json = false, as } = command.optsWithGlobals<CommonOptions>();
    const settings = readAdminSettings();
    const storage = await connect('MongoDB', (log, signal) =>
      connectStorage(settings.MONGODB_URI, log, signal, hungAfterMs),
    );
    try {
      await ensureSchema(storage.db);
      const collections = openCollections(storage.db);
      const result = await body(options, {
        settings,
        storage,
        collections,
        currencies: createCurrencies(settings.CURRENCIES),
        isJson: json,
        audited: createAudited(collections, as ?? operatingSystemUser(), () => announce(settings)),
      });
      if (result !== undefined) print(result, json);
    } finally {
      await storage.close();
    }
  };
}

/**
 * Opens a connection within 10 s, or says why it could not.
 * @param open tries until its signal aborts, and logs each failed attempt with its `reason`.
 * @throws CommandError the server is away; SettingsError its address is none.
 */
export async function connect<T>(
  server: 'MongoDB' | 'Redis',
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

/** API processes that do not hear of a change notice it within a second: Redis may be away here. */
async function announce(settings: AdminSettings): Promise<void> {
  const silent = pino({ level: 'silent' });
  try {
    const redis = await connectRedis(settings.REDIS_URL, 'request', silent, AbortSignal.timeout(announceTimeoutMs));
    await announceChange(redis, settings.QUEUE_PREFIX).finally(() => {
      redis.disconnect();
    });
  } catch {
    return;
  }
}

function createAudited(collections: Collections, actor: string, announceIt: () => Promise<void>): Session['audited'] {
  const { auditEvents } = collections;
  return async (action, subject, change, made) => {
    const id = await auditEvents.begin({ actor, action, subject });
    try {
      const result = await change();
      await announceIt();
      await auditEvents.finish(id, 'DONE', { ...subject, ...made?.(result) });
      return result;
    } catch (error) {
      // The failure that the caller has to hear of is the first one.
      if (!isOfUnknownOutcome(error)) await auditEvents.finish(id, 'FAILED', subject).catch(() => undefined);
      throw error;
    }
  };
}

/** Then the event stays STARTED: the servers may have done what they did not answer. */
function isOfUnknownOutcome(error: unknown): boolean {
  return error instanceof UnknownOutcomeError || isTransientFault(error);
}

function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
