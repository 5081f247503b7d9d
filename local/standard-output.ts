/** The reader of standard output has seen enough, as `head` does. */
const READER_LEFT = 'EPIPE';

export interface StandardOutput {
  /** Resolves with the first failure; without one it stays open. */
  failed: Promise<NodeJS.ErrnoException>;
  /** Waits until all is written. Returns the exit code: 1 in place of 0 if it could not be, and then says so. */
  exitCodeAfter: (code: number) => Promise<number>;
}

/** Keeps a script whose output fails from ending with a stack trace. Call it once, at the start of `script`. */
export function watchStandardOutput(script: string): StandardOutput {
  const { promise: failed, resolve } = Promise.withResolvers<NodeJS.ErrnoException>();
  let failure: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= error;
    resolve(error);
  });
  process.stderr.on('error', () => undefined);
  return {
    failed,
    async exitCodeAfter(code) {
      await new Promise((written) => process.stdout.write('', written));
      // The event of a write comes after its callback.
      await new Promise((next) => setImmediate(next));
      if (failure === undefined || failure.code === READER_LEFT) return code;
      process.stderr.write(`${script}: standard output failed: ${failure.message}\n`);
      return code === 0 ? 1 : code;
    },
  };
}
