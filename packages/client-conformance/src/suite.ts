import type { NamedCase } from './case.ts';
import { startDriver, type Driver, type Hello } from './driver.ts';
import { runCase, type CaseReport } from './run-case.ts';

export interface SuiteOptions {
  /** How many drivers run side by side; each plays one case at a time. Default 4. */
  readonly jobs?: number;
  /** Told of each case as it ends. */
  readonly onReport?: (report: CaseReport) => void;
}

export interface SuiteReport extends Hello {
  /** In the order of the cases. */
  readonly reports: readonly CaseReport[];
}

const jobsDefault = 4;

/**
 * Plays cases to a driver.
 * @param command of the driver, and its arguments.
 * @throws Error where the driver cannot be started.
 */
export async function runSuite(
  command: readonly string[],
  cases: readonly NamedCase[],
  { jobs = jobsDefault, onReport = () => undefined }: SuiteOptions = {},
): Promise<SuiteReport> {
  const first = await startDriver(command);
  const reports: CaseReport[] = [];
  let next = 0;

  async function work(started: Driver | undefined): Promise<void> {
    let driver = started;
    try {
      while (next < cases.length) {
        const place = next;
        next += 1;
        // One that hung was ended.
        if (driver?.isRunning() !== true) driver = await startDriver(command);
        const report = await runCase(driver, cases[place] as NamedCase);
        reports[place] = report;
        onReport(report);
      }
    } finally {
      await driver?.stop();
    }
  }

  await Promise.all([work(first), ...Array.from({ length: jobs - 1 }, () => work(undefined))]);
  return { ...first.hello, reports };
}
