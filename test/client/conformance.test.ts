import { readCases, runSuite } from 'signed-wallet-client-conformance';
import { expect, it } from 'vitest';

const cases = readCases();

/** Each client with what its language, or it, has not: every other case it passes. */
it.each([['TypeScript', [process.execPath, 'packages/client/driver.ts'], ['without decimals', 'without naive-times']]])(
  'the %s client does what every client has to',
  async (_, driver, lacking) => {
    const { reports } = await runSuite(driver, cases);
    expect(reports.filter(({ end }) => end === 'failed')).toEqual([]);
    expect(reports).toHaveLength(cases.length);
    expect([...new Set(reports.flatMap(({ notes }) => notes))].sort()).toEqual(lacking);
  },
);
