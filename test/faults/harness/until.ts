import pTimeout from 'p-timeout';

/** Waits for something that a trap or a process says; throws after the time given. */
export const within = <T>(promise: Promise<T>, milliseconds: number, what: string): Promise<T> =>
  pTimeout(promise, { milliseconds, message: `${what} did not happen within ${milliseconds} ms` });
