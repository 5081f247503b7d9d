import { pino } from 'pino';
import { MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { SettingsError } from '../../src/settings/config.ts';
import { connectStorage } from '../../src/storage/shared/connection.ts';
import { faultOfAddress, refuseStandalone } from '../../src/storage/shared/address.ts';
import { commandLine, masterKeys } from '../admin/command-line.ts';
import { testDatabase } from '../support/database.ts';
import { startOldServer } from '../support/old-server.ts';

const { uri } = testDatabase();

/** Connects as a process does at its start. @returns why it was given up, and what the log said before. */
async function refusalOf(address: string): Promise<{ error: unknown; log: string[] }> {
  const log: string[] = [];
  const giveUp = new AbortController();
  const write = (line: string) => {
    log.push(line);
    giveUp.abort(new Error('tried again'));
  };
  const connecting = connectStorage(address, pino({ level: 'warn' }, { write }), giveUp.signal);
  return { error: await connecting.then(undefined, (error: unknown) => error), log };
}

function address(change: (url: URL) => void): string {
  const url = new URL(uri);
  change(url);
  return url.href;
}

// At once: some wait for a server that never answers as it should.
describe.concurrent('a wrong address of MongoDB is refused at once, and never called away', () => {
  it.each<[string, (url: URL) => void]>([
    [
      'an unknown option',
      ({ searchParams }) => {
        searchParams.set('retryWritez', 'true');
      },
    ],
    [
      'a host that is none',
      (url) => {
        url.host = '%zz';
      },
    ],
    [
      'another replica set',
      ({ searchParams }) => {
        searchParams.set('replicaSet', 'other');
      },
    ],
    [
      'a user whom it does not know',
      (url) => {
        [url.username, url.password] = ['service', 'hunter2'];
      },
    ],
  ])('%s', async (_, change) => {
    const { error, log } = await refusalOf(address(change));
    expect(error).toBeInstanceOf(SettingsError);
    expect((error as Error).message).toMatch(/^MONGODB_URI is wrong: /);
    expect((error as Error).message).not.toMatch(/hunter2|:\/\//);
    expect(log).toEqual([]);
  });

  it('a server older than 4.4', async () => {
    const old = await startOldServer();
    const admin = commandLine({ MONGODB_URI: old.uri, MASTER_KEYS: masterKeys });
    const [{ error, log }, applied] = await Promise.all([refusalOf(old.uri), admin.run('schema', 'apply')]);
    await old.close();
    const reason = `MongoDB is too old: 4.4 or later is needed. Server at ${new URL(old.uri).host} reports`;
    expect(error).toBeInstanceOf(SettingsError);
    expect((error as Error).message).toContain(reason);
    expect(log).toEqual([]);
    expect(applied).toMatchObject({ code: 1, stdout: '' });
    expect(applied.stderr).toContain(`error: ${reason}`);
  });

  it('a server that is away is tried again', async () => {
    const { error, log } = await refusalOf('mongodb://127.0.0.1:1/');
    expect((error as Error).message).toBe('tried again');
    expect(log.join('\n')).toContain('connecting to MongoDB failed');
  });
});

describe('what cannot be mended by waiting', () => {
  it.each([
    [18, true],
    [11, true],
    [13, true],
    [8000, true],
    [91, false],
    [10107, false],
  ])('is told by the code: %i', (code, isFault) => {
    expect(faultOfAddress(new MongoServerError({ code, errmsg: 'refused' })) !== undefined).toBe(isFault);
  });

  it('a server of no replica set', () => {
    expect(() => {
      refuseStandalone([{ type: 'Standalone' }]);
    }).toThrow(SettingsError);
    refuseStandalone([{ type: 'RSPrimary' }, { type: 'RSGhost' }, { type: 'Mongos' }, { type: 'LoadBalancer' }]);
    refuseStandalone([]);
  });
});
