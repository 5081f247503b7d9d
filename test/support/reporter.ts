import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

const filesEach = 10;

/**
 * Says now and then how far a run is, and ends its output with one line of counts: `N passed, N failed, N skipped`. A file
 * that does not load counts as failed, and so does a run that breaks off. Where COUNTS_FILE names a file, the line goes
 * there: script/test prints it after the checks that it runs beside the tests.
 */
export default class CountReporter implements Reporter {
  onInit(): void {
    // After everything else, the default reporter's own summary included.
    process.once('exit', () => {
      const file = process.env['COUNTS_FILE'];
      if (file) writeFileSync(file, `${this.#counts}\n`);
      else process.stdout.write(`${this.#counts}\n`);
    });
  }

  #counts = '0 passed, 1 failed, 0 skipped';
  #files = 0;
  #ended = 0;
  #startedAt = 0;

  onTestRunStart(specifications: readonly unknown[]): void {
    this.#files = specifications.length;
    this.#startedAt = performance.now();
  }

  onTestModuleEnd(): void {
    this.#ended += 1;
    if (this.#ended % filesEach !== 0) return;
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000);
    process.stdout.write(`${this.#ended} of ${this.#files} test files, after ${seconds} s\n`);
  }

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
