import { createRequire } from 'node:module';
import {
  MongoBulkWriteError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoServerClosedError,
  MongoServerError,
  type BulkWriteResult,
  type ClientSession,
} from 'mongodb';
import { TimeoutError } from 'p-timeout';
import { describe, expect, it } from 'vitest';
import { isDocumentFault, isTransientFault, runTransaction, unwrapped } from '../../src/storage/shared/transaction.ts';

/** The driver exports none of these, and throws them all. */
const poolErrors = createRequire(import.meta.url)('mongodb/lib/cmap/errors.js') as Record<
  string,
  new (pool: object, message: string) => Error
>;
const systemError = (code: string): Error => Object.assign(new Error(code), { code });

describe('what failed', () => {
  it.each([
    'ECONNRESET',
    'EAI_AGAIN',
    'EMFILE',
    'EADDRNOTAVAIL',
    'ENETDOWN',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SOCKET_CLOSED',
    'ERR_STREAM_DESTROYED',
  ])('with %s is no fault of the orders: the same may succeed later', (code) => {
    expect([isTransientFault(systemError(code)), isDocumentFault(systemError(code))]).toEqual([true, false]);
  });

  it.each([systemError('ERR_OUT_OF_RANGE'), systemError('ERR_INVALID_ARG_TYPE'), new TypeError('no code'), 'no error'])(
    'as %s is found by halving',
    (error) => {
      expect([isTransientFault(error), isDocumentFault(error)]).toEqual([false, true]);
    },
  );

  it.each([133, 202, 63, 82, 150, 249, 13388])('as a router says with %i is no fault of the orders', (code) => {
    const error = new MongoServerError({ code, errmsg: 'of a shard' });
    expect([isTransientFault(error), isDocumentFault(error)]).toEqual([true, false]);
  });

  it('because its server left the replica set is no fault of the orders', () => {
    const error = new MongoServerClosedError('Server is closed');
    expect([isTransientFault(error), isDocumentFault(error)]).toEqual([true, false]);
  });

  it.each(Object.keys(poolErrors))('with the driver’s %s is no fault of the orders', (name) => {
    const error = new poolErrors[name]!({ address: 'a:1' }, 'of the pool');
    expect([isTransientFault(error), isDocumentFault(error)]).toEqual([true, false]);
  });

  it.each([
    MongoErrorLabel.TransientTransactionError,
    MongoErrorLabel.RetryableWriteError,
    MongoErrorLabel.UnknownTransactionCommitResult,
  ])('and is labelled %s is no fault of the orders, whatever its code', (label) => {
    const error = new MongoServerError({ code: 99_999, errmsg: 'of a later version', errorLabels: [label] });
    expect([isTransientFault(error), isDocumentFault(error)]).toEqual([true, false]);
  });

  it('by a server’s word is what the server says', () => {
    const ofServer = (code: number) => new MongoServerError({ code, errmsg: 'refused' });
    expect([isTransientFault(ofServer(11000)), isDocumentFault(ofServer(11000))]).toEqual([false, true]);
    expect([isTransientFault(ofServer(91)), isDocumentFault(ofServer(91))]).toEqual([true, false]);
    expect([isTransientFault(ofServer(13)), isDocumentFault(ofServer(13))]).toEqual([false, false]);
    expect(isTransientFault(new TimeoutError('late'))).toBe(true);
  });

  it('as a broken connection in a bulk write is no fault of the orders once it is unwrapped', async () => {
    const broken = new MongoNetworkError('connection closed');
    const wrapped = new MongoBulkWriteError(broken, {} as BulkWriteResult);
    expect(isTransientFault(wrapped)).toBe(false);
    const error: unknown = await unwrapped(Promise.reject(wrapped)).catch((reason: unknown) => reason);
    expect(error).toBe(broken);
    expect([isTransientFault(error), isDocumentFault(error)]).toEqual([true, false]);
  });
});

it.each([1, 2])('a transaction that is given up by look %i is not committed', async (look) => {
  let [runs, looks] = [0, 0];
  const session = { withTransaction: (body: () => Promise<unknown>) => body() } as unknown as ClientSession;
  const run = () => Promise.resolve((runs += 1));
  await expect(runTransaction(session, run, () => (looks += 1) >= look)).rejects.toThrow(TimeoutError);
  expect(runs).toBe(look - 1);
});

it('a transaction reads one snapshot, and is committed by a majority, in its journal', async () => {
  let asked: unknown;
  const session = {
    withTransaction: (body: () => Promise<unknown>, options: unknown) => {
      asked = options;
      return body();
    },
  };
  expect(await runTransaction(session as unknown as ClientSession, () => Promise.resolve('done'))).toBe('done');
  expect(asked).toMatchObject({
    readConcern: { level: 'snapshot' },
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
  });
});
