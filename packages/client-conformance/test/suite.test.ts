import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readCases, runSuite, type CaseReport, type NamedCase } from '../src/index.ts';

const one: NamedCase = {
  group: 'of the test',
  name: 'a read is sent again',
  answers: [
    { refuse: { status: 503, code: 'SY5031' } },
    { data: { id: 'wa_1', amount: '1.10' } },
    { data: { id: 'wa_1', amount: '1.10' } },
  ],
  calls: [
    { call: 'wallet.get', arguments: { id: 'wa_1' }, result: { amount: '1.10' } },
    { call: 'wallet.get', arguments: { id: 'wa_1' }, result: { amount: '1.10' } },
  ],
  requests: [
    { method: 'GET', path: '/api/v1/wallets/wa_1' },
    { sameAs: 0, count: 2 },
  ],
};

async function reportsOf(fault: string, cases: readonly NamedCase[] = [one]): Promise<readonly CaseReport[]> {
  const command = [process.execPath, join(import.meta.dirname, 'faulty-driver.ts'), fault];
  return (await runSuite(command, cases, { jobs: 1 })).reports;
}

it('finds nothing wrong with a driver that is right', async () => {
  expect(await reportsOf('')).toEqual([{ group: one.group, name: one.name, end: 'ok', notes: [] }]);
});

it.each([
  ['has another key', 'X-Api-Key is "ak_2"'],
  ['has one nonce', 'was used before'],
  ['is late', 'X-Timestamp is more than 60 s off'],
  ['signs the query', 'X-Signature is not of what came'],
  ['asks for another thing', 'expected GET /api/v1/wallets/wa_1 "" again, got GET /api/v1/wallets/wa_1?a=b'],
  ['asks twice', 'No answer is left for GET /api/v1/wallets/wa_1'],
  ['changes the result', 'call 1, wallet.get: result.amount: expected "1.10", got nothing'],
  ['fails', 'expected a result, got {"error":{"kind":"other","message":"no"}}'],
  ['tells the secret', 'The driver wrote the secret.'],
  ['ends', 'The driver ended with 3.'],
  ['is no JSON', 'The driver wrote what is no answer: hello.'],
])('finds that a driver %s', async (fault, note) => {
  const [report] = await reportsOf(fault);
  expect(report).toMatchObject({ end: 'failed' });
  expect(report!.notes.join('\n')).toContain(note);
});

it('plays the next case to a new driver where the one before ended', async () => {
  const reports = await reportsOf('ends', [one, { ...one, name: 'another', needs: ['abort'] }]);
  expect(reports.map(({ end }) => end)).toEqual(['failed', 'not run']);
  expect(reports[1]!.notes).toEqual(['without abort']);
});

it('says that a member was not looked at for want of a capability', async () => {
  const [first] = one.calls;
  const answers = one.answers!.slice(1, 2);
  const told = { ...one, answers, calls: [{ ...first!, pausesMs: [7] }], requests: one.requests!.slice(0, 1) };
  expect(await reportsOf('', [told])).toMatchObject([{ end: 'ok', notes: ['pausesMs not seen, without pauses'] }]);
});

it.each([
  [
    'a driver that says nothing of itself',
    [process.execPath, join(import.meta.dirname, 'faulty-driver.ts'), 'says nothing'],
  ],
  ['a program that there is not', [join(import.meta.dirname, 'no-such-program')]],
])('cannot begin with %s', async (_, command) => {
  await expect(runSuite(command, [one])).rejects.toThrow(/^The driver/);
});

it('reads cases of which each means something and has a name of its own', () => {
  const groups = new Set(readCases().map(({ group }) => group));
  expect([...groups].sort()).toEqual([
    ...[
      'batches',
      'clock',
      'errors',
      'journals',
      'lists',
      'repetition',
      'signing',
      'statements',
      'test clock',
      'usage',
    ],
    ...['waiting', 'wallets', 'webhook verification'],
  ]);
});
