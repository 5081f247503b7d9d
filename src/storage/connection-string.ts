import { ConnectionString } from 'mongodb-connection-string-url';
import { SettingsError } from '../config.ts';

/**
 * What of an address would take a guarantee away that the service gives: the only value that each may have, or none at all.
 * Waiting less than for a majority's journals loses orders that were answered; reading elsewhere shows states that are
 * rolled back; a time limit of the driver's ends a commit whose result nobody then asks for.
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

/**
 * Refuses an address that says otherwise than the service needs, in whatever case it names the options.
 * @param uri one that the driver can parse.
 * @throws SettingsError naming each option at fault, and what it may be; never the address, which holds a password.
 */
export function refuseWeakOptions(uri: string): void {
  const given = [...new ConnectionString(uri).searchParams];
  const faults = allowed.flatMap(([name, value]) => {
    const values = given.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, found]) => found);
    if (values.every((found) => found === value)) return [];
    return value === undefined ? `${name} must not be set` : `${name} must be "${value}", which it is by itself`;
  });
  if (faults.length > 0) throw new SettingsError(`MONGODB_URI is wrong: ${faults.join('; ')}`);
}
