import { Long, UUID, type Document } from 'bson';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openWireClient, type WireClient } from './replay/wire-client.ts';
import { openTestServer, type TestServer } from './server.ts';

// Which errors a client may answer by repeating the command, and which by repeating the transaction, is said by the server.
// Source: driver specifications, "Retryable Writes" and "Transactions".
const retryableCodes = [6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];
const [writeConcernFailed, shutdown] = [64, 91];
const isRetryable = ['RetryableWriteError'];
const isTransient = ['TransientTransactionError'];

let server: TestServer;
let client: WireClient;
let lsid: Document;
let number = 0;

beforeAll(async () => {
  server = await openTestServer();
  client = await openWireClient(server.host, server.port);
  await send('contract_labels', { insert: 'c', documents: [{}] });
});
beforeEach(() => {
  lsid = { id: new UUID() };
});
afterEach(async () => {
  await send('admin', { configureFailPoint: 'failCommand', mode: 'off' });
  await send('admin', { killSessions: [lsid] });
});
afterAll(async () => {
  await send('contract_labels', { dropDatabase: 1 });
  await client.close();
  await server.close();
});

// The driver would repeat commands, and add labels of its own.
async function send($db: string, command: Document): Promise<Document> {
  const answer = await client.send({ ...command, $db });
  if (answer === 'closed' || answer === 'unanswered') throw new Error(`no answer: ${answer}`);
  return answer.document;
}
const labelsOf = async (database: string, command: Document): Promise<unknown> =>
  (await send(database, { ...command, lsid }))['errorLabels'];
const fail = (name: string, data: Document) =>
  send('admin', { configureFailPoint: 'failCommand', mode: 'alwaysOn', data: { ...data, failCommands: [name] } });
const withCode = (errorCode: number): Document => ({ errorCode });
const withConcern = (code: number): Document => ({ writeConcernError: { code, errmsg: 'of the test' } });

const insert = { insert: 'c', documents: [{}] };
const ofRetryable = (): Document => ({ txnNumber: Long.fromNumber(++number) });
const ofTransaction = (): Document => ({ txnNumber: Long.fromNumber(number), autocommit: false });
const begin = (): Promise<unknown> =>
  labelsOf('contract_labels', { ...insert, ...ofRetryable(), autocommit: false, startTransaction: true });

describe.each([
  ['an error', withCode],
  ['a write concern error', withConcern],
])('%s that may be gone by the next attempt', (_what, failure) => {
  it.each(retryableCodes)('%i: a retryable write may be repeated, another may not', async (code) => {
    await fail('insert', failure(code));
    expect(await labelsOf('contract_labels', { ...insert, ...ofRetryable() })).toEqual(isRetryable);
    expect(await labelsOf('contract_labels', insert)).toBeUndefined();
  });

  it.each(['commitTransaction', 'abortTransaction'])('%s may be repeated', async (end) => {
    for (const code of retryableCodes) {
      await begin();
      await fail(end, failure(code));
      expect(await labelsOf('admin', { [end]: 1, ...ofTransaction() })).toEqual(isRetryable);
    }
  });

  it('no other code says so', async () => {
    await fail('insert', failure(writeConcernFailed));
    expect(await labelsOf('contract_labels', { ...insert, ...ofRetryable() })).toBeUndefined();
  });
});

describe('inside a transaction', () => {
  it('the transaction may be repeated, and not the statement', async () => {
    await begin();
    await fail('insert', withCode(shutdown));
    expect(await labelsOf('contract_labels', { ...insert, ...ofTransaction() })).toEqual(isTransient);
  });

  it('and also if the commit finds nothing of it', async () => {
    await begin();
    await labelsOf('admin', { abortTransaction: 1, ...ofTransaction() });
    expect(await labelsOf('admin', { commitTransaction: 1, ...ofTransaction() })).toEqual(isTransient);
  });
});

describe('labels that a fail point names', () => {
  it.each([withCode, withConcern])('stand in the place of those that the error would have', async (failure) => {
    await fail('insert', { ...failure(shutdown), errorLabels: ['OfTheTest'] });
    expect(await labelsOf('contract_labels', { ...insert, ...ofRetryable() })).toEqual(['OfTheTest']);
    expect(await labelsOf('contract_labels', insert)).toEqual(['OfTheTest']);
  });

  it('may be none', async () => {
    await fail('insert', { ...withCode(shutdown), errorLabels: [] });
    expect(await labelsOf('contract_labels', { ...insert, ...ofRetryable() })).toBeUndefined();
  });
});
