import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readCases, runSuite, type CaseReport } from 'signed-wallet-client-conformance';
import { folder, pythonOrSkipped } from '../support/python.ts';

const python = await pythonOrSkipped();
const cases = readCases();
/** A call of a synchronous client is ended by what ends its thread, which no driver can do. */
const isNotForPython = ({ needs }: { readonly needs?: readonly string[] }): boolean =>
  needs?.includes('abort') === true;
const titled = cases.map((one, place) => [`${one.group}: ${one.name}`, place] as const);

describe.skipIf(python === undefined)('the Python client, as every client', () => {
  let reports: readonly CaseReport[];
  beforeAll(async () => {
    ({ reports } = await runSuite([python!, '-B', join(folder, 'driver.py')], cases, { jobs: 8 }));
  });

  it.each(titled.filter(([, place]) => !isNotForPython(cases[place]!)))('%s', (_, place) => {
    expect(reports[place]).toMatchObject({ end: 'ok', notes: [] });
  });
});
