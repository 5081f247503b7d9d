import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run's output with one line of counts: `N passed, N failed, N skipped`. A file that does not load counts as failed. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
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
    // After everything else, the default reporter's own summary included.
    process.once('exit', () => {
      process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    });
  }
}
