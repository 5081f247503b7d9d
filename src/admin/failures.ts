/** The command was understood and could not be done: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Something was made, and what is shown only once could not be shown: exit code 1. */
export class UnseenError extends CommandError {}

/** @returns what was found. @throws CommandError if nothing was. */
export function orFail<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new CommandError(message);
  return value;
}

/** The command was called wrongly; nothing was done: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
