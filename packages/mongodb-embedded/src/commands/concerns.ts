import { Timestamp } from 'bson';
import { CommandError, codeNameOf } from '../errors.ts';
import { asDocument, isDocument, isNumeric, typeName, type Document, type Value } from '../semantics/values.ts';
import type { SessionFields } from '../sessions/numbers.ts';

/** What a write concern leads to: no details in the reply, or an error beside the done write. */
export interface WriteConcern {
  isUnacknowledged: boolean;
  error: Document | undefined;
}

/**
 * Reads `writeConcern`. This set has one node: more than one cannot be had, which is told beside the result, for the
 * write itself is done. Throws 14 or 9 for nonsense, before the command runs (recordings: writeconcern).
 */
export function readWriteConcern(command: Document): WriteConcern {
  const value = command['writeConcern'];
  if (value === undefined) return { isUnacknowledged: false, error: undefined };
  if (!isDocument(value)) {
    throw new CommandError(14, `"writeConcern" had the wrong type. Expected object, found ${typeName(value)}`);
  }
  for (const [field, setting] of Object.entries(value)) checkField(field, setting);
  if (value['fsync'] === true && value['j'] === true) {
    throw new CommandError(9, 'fsync and j options cannot be used together');
  }
  const { w } = value;
  const nodes = isNumeric(w) ? Number(w.toString()) : 1;
  return { isUnacknowledged: nodes === 0, error: errorOf(w, nodes) };
}

/** The level of `readConcern`. Throws 9 for unknown ones, 72 where one is out of place. */
export function readConcernLevel(command: Document, { isTransaction, starts }: SessionFields): string {
  const concern = command['readConcern'];
  if (concern === undefined) return 'local';
  if (!isDocument(concern)) throw new CommandError(9, 'readConcern must be an object');
  const { level = 'local' } = concern;
  if (isTransaction && !starts) {
    throw new CommandError(72, 'Only the first command in a transaction may specify a readConcern');
  }
  if (level === 'local' || level === 'majority') return level;
  const isKnown = level === 'snapshot' || level === 'linearizable' || level === 'available';
  if (!isKnown) {
    const levels = "'local', 'majority', 'linearizable', 'available', or 'snapshot'";
    throw new CommandError(9, `readConcern.level must be either ${levels}`);
  }
  if (!isTransaction && level === 'snapshot') {
    throw new CommandError(72, 'readConcern level snapshot is only valid for the first transaction operation');
  }
  if (isTransaction && level !== 'snapshot') {
    throw new CommandError(72, 'The readConcern level must be either local, majority or snapshot in a transaction');
  }
  return level;
}

/**
 * Checks `afterClusterTime`: the time of what the reader has seen. This set has one node, where all up to now is to be seen;
 * what nobody can have seen is refused. Throws 14 or 72. Source: server source, `ReadConcernArgs` and `waitForReadConcern`.
 * @param latest the latest time that is known here.
 */
export function checkAfterClusterTime(command: Document, level: string, latest: Timestamp): void {
  const time = asDocument(command['readConcern'])?.['afterClusterTime'];
  if (time === undefined) return;
  if (!(time instanceof Timestamp)) {
    const found = typeName(time);
    throw new CommandError(14, `"afterClusterTime" had the wrong type. Expected timestamp, found ${found}`);
  }
  if (level === 'linearizable' || level === 'available') {
    const levels = 'majority, local, or snapshot';
    throw new CommandError(72, `afterClusterTime field can be set only if level is equal to ${levels}`);
  }
  if (time.t === 0 && time.i === 0) throw new CommandError(72, 'afterClusterTime cannot be a null timestamp');
  if (time.greaterThan(latest)) {
    throw new CommandError(72, 'readConcern afterClusterTime value must not be greater than the current clusterTime');
  }
}

function checkField(field: string, value: Value): void {
  switch (field) {
    case 'w':
      if (!isNumeric(value) && typeof value !== 'string') throw new CommandError(9, 'w has to be a number or a string');
      return;
    case 'j':
    case 'fsync':
      if (!isNumeric(value) && typeof value !== 'boolean') {
        throw new CommandError(9, `${field} must be numeric or a boolean value`);
      }
      return;
    case 'wtimeout':
    case 'wOptime':
    case 'provenance':
      return;
    default:
      throw new CommandError(9, `unrecognized write concern field: ${field}`);
  }
}

function errorOf(w: Value, nodes: number): Document | undefined {
  if (typeof w === 'string' && w !== 'majority' && w !== '') {
    return writeConcernError(79, `No write concern mode named '${w}' found in replica set configuration`);
  }
  return nodes > 1 ? writeConcernError(100, 'Not enough data-bearing nodes') : undefined;
}

function writeConcernError(code: number, errmsg: string): Document {
  return { code, codeName: codeNameOf(code), errmsg } as unknown as Document;
}
