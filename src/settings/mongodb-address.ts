import { ConnectionString } from 'mongodb-connection-string-url';

/**
 * The options of an address that can break a guarantee of the service, each with its only allowed value (undefined if it
 * must not be set). Writes that do not wait for a majority's journals can lose an order that was answered. Reads from
 * elsewhere can show a state that is rolled back. A time limit of the driver's can end a commit, and its result stays unknown.
 * Source: MongoDB manual, "Connection String Options".
 */
const allowed: readonly (readonly [name: string, value: string | undefined])[] = [
  ['w', 'majority'],
  ['journal', 'true'],
  ['j', 'true'],
  ['fsync', 'true'],
  ['wtimeoutMS', undefined],
  ['wtimeout', undefined],
  ['timeoutMS', undefined],
  ['readConcernLevel', 'majority'],
  ['readPreference', 'primary'],
  ['retryReads', 'true'],
  ['retryWrites', 'true'],
];

const defaultDatabase = 'transfers';

/** What is wrong with an address that cannot be read, whatever its parser says, which may quote the password. */
export const unreadableAddress = 'it cannot be read; user and password must be percent-encoded';

/** The database that an address names. @throws Error the address cannot be read. */
export function databaseOf(uri: string): string {
  const named = new ConnectionString(uri).pathname.slice(1);
  return named === '' ? defaultDatabase : decodeURIComponent(named);
}

/**
 * Options that differ from {@link allowed}. The case of their names does not matter.
 * @returns for each what it may be; never the address, which holds a password. @throws Error the address cannot be read.
 */
function weakOptionsOf(uri: string): string[] {
  const parameters = [...new ConnectionString(uri).searchParams];
  return allowed.flatMap(([name, value]) => {
    const values = parameters.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, actual]) => actual);
    if (values.every((actual) => actual === value)) return [];
    return value === undefined ? `${name} must not be set` : `${name} must be "${value}", which it is by itself`;
  });
}

/** What is wrong with an address, as far as that can be told without a server; undefined if nothing is. */
export function faultOfMongodbAddress(uri: string): string | undefined {
  try {
    // An address names a database or none: what follows the path's first "/" is decoded.
    databaseOf(uri);
    return weakOptionsOf(uri).join('; ') || undefined;
  } catch {
    return unreadableAddress;
  }
}

/** Options that say which servers an address means, and how they are reached. Of the others some are secret. */
const shownOptions = ['replicaSet', 'directConnection', 'loadBalanced', 'tls', 'ssl', 'authSource', 'authMechanism'];

/** Servers, database and {@link shownOptions}, without user and password. @throws Error the address cannot be read. */
export function shownMongodbAddress(uri: string): string {
  const { protocol, hosts, searchParams } = new ConnectionString(uri);
  const shown = [...searchParams].filter(([name]) =>
    shownOptions.some((each) => each.toLowerCase() === name.toLowerCase()),
  );
  const options = shown.map(([name, value]) => `${name}=${value}`).join('&');
  return `${protocol}//${hosts.join(',')}/${databaseOf(uri)}${options === '' ? '' : `?${options}`}`;
}
