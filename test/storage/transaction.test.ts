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

const said = (code: number, errorLabels: string[] = []) =>
  new MongoServerError({ code, errmsg: 'refused', errorLabels });
const mayPass: unknown[] = [
  ...['ECONNRESET', 'EAI_AGAIN', 'EMFILE', 'EADDRNOTAVAIL', 'ENETDOWN'].map(systemError),
  ...['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(systemError),
  ...['ERR_SOCKET_CLOSED', 'ERR_STREAM_DESTROYED'].map(systemError),
  // Of a server that stops, and of a router.
  ...[91, 133, 202, 63, 82, 150, 249, 13388].map((code) => said(code)),
  ...[
    MongoErrorLabel.TransientTransactionError,
    MongoErrorLabel.RetryableWriteError,
    MongoErrorLabel.UnknownTransactionCommitResult,
  ].map((label) => said(99_999, [label])),
  ...Object.values(poolErrors).map((PoolError) => new PoolError({ address: 'a:1' }, 'of the pool')),
  new MongoServerClosedError('Server is closed'),
  new TimeoutError('late'),
];
const ofDocuments: unknown[] = [
  ...['ERR_OUT_OF_RANGE', 'ERR_INVALID_ARG_TYPE'].map(systemError),
  ...[new TypeError('no code'), 'no error', said(11000)],
];

describe('what failed', () => {
  it.each<[unknown, boolean, boolean]>([
    ...mayPass.map((error): [unknown, boolean, boolean] => [error, true, false]),
    ...ofDocuments.map((error): [unknown, boolean, boolean] => [error, false, true]),
    // The servers say that it stays so.
    [said(13), false, false],
  ])('%o: the same may succeed later, %s; it is the orders’ own fault, %s', (error, isTransient, isOfDocuments) => {
    expect([isTransientFault(error), isDocumentFault(error)]).toEqual([isTransient, isOfDocuments]);
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
