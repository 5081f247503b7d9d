/** @returns the next message that the process which started this one sends. */
export function nextMessage<T>(): Promise<T> {
  return new Promise((resolve) => process.once('message', resolve as (message: unknown) => void));
}
