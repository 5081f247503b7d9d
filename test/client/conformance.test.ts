import { join } from 'node:path';
import { readCases, runSuite } from 'signed-wallet-client-conformance';
import { expect, it } from 'vitest';
import { folder, pythonOrSkipped } from '../support/python.ts';

const cases = readCases();
const python = await pythonOrSkipped();

/** Each client with what its language, or it, has not: every other case it passes. */
const clients: [string, string[] | undefined, string[]][] = [
  ['TypeScript', [process.execPath, 'packages/client/driver.ts'], ['without decimals', 'without naive-times']],
  // A call of a synchronous client is ended by what ends its thread, which no driver can do.
  ['Python', python === undefined ? undefined : [python, '-B', join(folder, 'driver.py')], ['without abort']],
];

it.for(clients)('the %s client does what every client has to', async ([, driver, lacking], { skip }) => {
  if (driver === undefined) return skip();
  const { reports } = await runSuite(driver, cases, { jobs: 8 });
  expect(reports.filter(({ end }) => end === 'failed')).toEqual([]);
  expect(reports).toHaveLength(cases.length);
  expect([...new Set(reports.flatMap(({ notes }) => notes))].sort()).toEqual(lacking);
});
