/** Ends this process once the benchmark that started it is gone: one that was interrupted leaves nothing behind. */
export function endWithParent(): void {
  process.once('disconnect', () => process.exit(1));
}
