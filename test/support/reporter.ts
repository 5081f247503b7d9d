import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/**
 * Ends a run's output with one line of counts: `N passed, N failed, N skipped`. A file that does not load counts as
 * failed, and so does a run that breaks off. The checks that script/test ran before, and that failed, are named above it.
 */
export default class CountReporter implements Reporter {
  onInit(): void {
    // After everything else, the default reporter's own summary included.
    process.once('exit', () => {
      const failedChecks = process.env['FAILED_CHECKS'];
      if (failedChecks) process.stdout.write(`Checks not passed: ${failedChecks}\n`);
      process.stdout.write(`${this.#counts}\n`);
    });
  }

  #counts = '0 passed, 1 failed, 0 skipped';

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[], reason: TestRunEndReason): void {
    let [passed, failed, skipped] = [0, unhandledErrors.length, 0];
    for (const testModule of modules) {
      failed += testModule.errors().length;
      for (const test of testModule.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped += 1;
      }
    }
    if (reason !== 'passed' || modules.length === 0) failed = Math.max(failed, 1);
    this.#counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  }
}
