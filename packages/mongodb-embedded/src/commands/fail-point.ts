import { CommandError, shown } from '../errors.ts';
import { integerOf } from '../semantics/numbers.ts';
import { asDocument, isDocument, isNumeric, type Document, type Value } from '../semantics/values.ts';
import type { Client } from '../wire/connection.ts';
import type { Reply } from '../wire/reply.ts';
import { isTrue } from './fields.ts';

/** The fail point `failCommand`, as a `mongod` started for tests has it. */
export interface FailPoint {
  set(mode: Mode, data: Document): number;
  /** What shall happen to this command, if anything; counts it. */
  trigger(command: string, client: Client): Document | undefined;
}

interface Mode {
  kind: 'off' | 'alwaysOn' | 'times' | 'skip';
  count: number;
}

export function createFailPoint(): FailPoint {
  let mode: Mode = { kind: 'off', count: 0 };
  let data: Document = {};
  let entered = 0;
  return {
    set(newMode, newData) {
      const before = entered;
      [mode, data, entered] = [newMode, newData, 0];
      return before;
    },
    trigger(command, client) {
      const commands = data['failCommands'];
      if (mode.kind === 'off' || !Array.isArray(commands) || !commands.includes(command)) return undefined;
      if (data['appName'] !== undefined && data['appName'] !== client.applicationName) return undefined;
      if (mode.kind === 'skip' && mode.count > 0) {
        mode.count--;
        return undefined;
      }
      if (mode.kind === 'times' && --mode.count === 0) mode.kind = 'off';
      entered++;
      return data;
    },
  };
}

/** configureFailPoint. Source: MongoDB's "failCommand" test fail point (recordings: failpoints). */
export function configureFailPoint({
  command,
  engine,
}: {
  command: Document;
  engine: { failPoint: FailPoint };
}): Reply {
  if (command['configureFailPoint'] !== 'failCommand') {
    throw new CommandError(266, `${shown(command['configureFailPoint'])} not found`);
  }
  const mode = readMode(command['mode']);
  return { count: engine.failPoint.set(mode, asDocument(command['data']) ?? {}), ok: 1 };
}

/** How long the fail point holds a command up, in milliseconds. */
export function blockTimeMs(data: Document): number {
  const time = data['blockTimeMS'];
  return isTrue(data['blockConnection']) && isNumeric(time) ? (integerOf(time) ?? 0) : 0;
}

function readMode(mode: Value): Mode {
  if (mode === undefined) throw new CommandError(20, "When setting a failpoint, you must supply a 'mode'");
  if (mode === 'off' || mode === 'alwaysOn') return { kind: mode, count: 0 };
  if (typeof mode === 'string') throw new CommandError(2, `unknown mode: ${mode}`);
  for (const kind of ['times', 'skip'] as const) {
    const count = isDocument(mode) ? mode[kind] : undefined;
    if (count === undefined) continue;
    const number = isNumeric(count) ? integerOf(count) : undefined;
    if (number === undefined || number < 0) throw new CommandError(2, `'${kind}' option to 'mode' must be positive`);
    return kind === 'times' && number === 0 ? { kind: 'off', count: 0 } : { kind, count: number };
  }
  throw new CommandError(2, "'mode' must be a string or an object with 'times' or 'skip'");
}
