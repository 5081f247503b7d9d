import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { SettingsError } from '../../src/settings/config.ts';
import { connectStorage, openClient } from '../../src/storage/shared/connection.ts';
import { testDatabase } from '../support/database.ts';

const { uri } = testDatabase();

function addressWith(...options: (readonly [string, string])[]): string {
  const address = new URL(uri);
  address.username = 'service';
  address.password = 'hunter2';
  for (const [name, value] of options) address.searchParams.append(name, value);
  return address.href;
}

it('reads and writes with the majority, and tries once more', async () => {
  const client = await openClient(uri, 5_000);
  expect(client.readConcern?.level).toBe('majority');
  expect(client.writeConcern).toMatchObject({ w: 'majority', journal: true });
  expect(client.writeConcern?.wtimeoutMS).toBeUndefined();
  expect(client.readPreference.mode).toBe('primary');
  expect(client.options).toMatchObject({ retryReads: true, retryWrites: true });
  await client.close();
});

describe('an address that says otherwise', () => {
  it.each([
    ['w', '1'],
    ['w', '0'],
    ['journal', 'false'],
    ['wtimeoutMS', '1000'],
    ['timeoutMS', '1000'],
    ['TimeoutMS', '1000'],
    ['retryWrites', 'false'],
    ['retryReads', 'false'],
    ['readPreference', 'secondaryPreferred'],
    ['readConcernLevel', 'local'],
  ])('is refused at once, by name: %s=%s', async (name, value) => {
    const refused = await openClient(addressWith([name, value]), 5_000).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SettingsError);
    expect((refused as Error).message.toLowerCase()).toContain(`mongodb_uri is wrong: ${name.toLowerCase()} must`);
    expect((refused as Error).message).not.toMatch(/hunter2|:\/\//);
  });

  it('is refused in one message that names every fault, and not tried again', async () => {
    const options = [
      ['w', 'majority'],
      ['retryWrites', 'false'],
      ['wtimeout', '9'],
      ['readConcernLevel', 'local'],
    ] as const;
    const connecting = connectStorage(addressWith(...options), pino({ level: 'silent' }), AbortSignal.timeout(60_000));
    await expect(connecting).rejects.toThrow(
      'MONGODB_URI is wrong: wtimeout must not be set; readConcernLevel must be "majority", which it is by itself; ' +
        'retryWrites must be "true", which it is by itself',
    );
  });

  it('only of what it is anyway is taken', async () => {
    const address = new URL(uri);
    address.searchParams.set('w', 'majority');
    address.searchParams.set('journal', 'true');
    address.searchParams.set('retryWrites', 'true');
    address.searchParams.set('readPreference', 'primary');
    address.searchParams.set('readConcernLevel', 'majority');
    const client = await openClient(address.href, 5_000);
    await client.close();
  });
});
