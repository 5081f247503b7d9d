import {
  MongoCompatibilityError,
  MongoInvalidArgumentError,
  MongoMissingCredentialsError,
  MongoMissingDependencyError,
  MongoParseError,
  MongoServerError,
  MongoServerSelectionError,
  type ServerDescription,
  type TopologyDescription,
} from 'mongodb';
import { SettingsError } from '../../settings/config.ts';
import { toError } from '../../errors.ts';
import { unreadableAddress } from '../../settings/mongodb-address.ts';
import { errorCodes } from './error-codes.ts';

const refusals: ReadonlySet<unknown> = new Set([
  errorCodes.UserNotFound,
  errorCodes.Unauthorized,
  errorCodes.AuthenticationFailed,
  // Of a server that knows no users at all.
  errorCodes.CommandNotFound,
  errorCodes.MechanismUnavailable,
  errorCodes.AtlasError,
]);

/** The driver's own errors by which it says that it was given something wrong, or that the server is none it can use. */
const faultsOfUse = [
  MongoCompatibilityError,
  MongoInvalidArgumentError,
  MongoMissingCredentialsError,
  MongoMissingDependencyError,
  MongoParseError,
];

/** What the driver says of a server whose wire version it does not speak. */
const ofOldServer = /wire version .* requires at least/;

/** The driver may quote the whole address, with its password. */
export function wrongAddress(error: unknown): SettingsError {
  const { message } = toError(error);
  const reason = message.includes('//') ? unreadableAddress : message;
  return new SettingsError(`MONGODB_URI is wrong: ${reason}`, { cause: error });
}

/**
 * Tells a fault of the address from that of a server which is away: user, password, replica set, or a server that is too
 * old. Waiting does not mend the former.
 * @param error of an attempt to connect. @returns undefined if trying again may help.
 */
export function faultOfAddress(error: unknown): SettingsError | undefined {
  if (error instanceof MongoServerSelectionError) return faultOfServers(error.reason);
  if (error instanceof MongoServerError && refusals.has(error.code)) {
    return wrongAddress(new Error(`MongoDB refuses its user or password: ${error.message}`, { cause: error }));
  }
  if (error instanceof MongoCompatibilityError && ofOldServer.test(error.message)) {
    return new SettingsError(`MongoDB is too old: 4.4 or later is needed. ${error.message}`, { cause: error });
  }
  return faultsOfUse.some((kind) => error instanceof kind) ? wrongAddress(error) : undefined;
}

/** Only what all servers have in common is the address's fault, and not that of one of them. */
function faultOfServers(topology: TopologyDescription | undefined): SettingsError | undefined {
  if (topology === undefined) return undefined;
  const servers = [...topology.servers.values()];
  // The driver drops servers that are not of the set that the address names.
  if (servers.length === 0)
    return wrongAddress(new Error('none of its servers is a member of the replica set it names'));
  const faults = servers.map(({ error }) => (error === null ? undefined : faultOfAddress(error)));
  return faults.every((fault) => fault !== undefined) ? faults[0] : undefined;
}

/** Transactions need a replica set or a sharded cluster. Source: MongoDB manual, "Transactions". */
export function refuseStandalone(servers: readonly Pick<ServerDescription, 'type'>[]): void {
  if (!servers.some(({ type }) => type === 'Standalone')) return;
  throw wrongAddress(new Error('its server is a member of no replica set, as transactions need; see rs.initiate'));
}
