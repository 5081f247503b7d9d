/** The command was understood and could not be done: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** @returns what there is. @throws CommandError where that is nothing. */
export function given<T>(found: T | undefined, message: string): T {
  if (found === undefined) throw new CommandError(message);
  return found;
}

/** The command was called wrongly; nothing was done: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
