import { ConnectionString } from 'mongodb-connection-string-url';
import { SettingsError } from '../../config.ts';

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

/**
 * Refuses an address with an option that differs from {@link allowed}. The case of its name does not matter.
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
