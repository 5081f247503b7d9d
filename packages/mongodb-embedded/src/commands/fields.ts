import { CommandError, shown } from '../errors.ts';
import { integerOf } from '../semantics/numbers.ts';
import { isDocument, isNumeric, typeName, type Document, type Value } from '../semantics/values.ts';

/** A command as a client sent it. */
export interface SentCommand {
  command: Document;
  /** The canonical name of the command. */
  name: string;
  database: string;
}

/** The namespace that a command names in its first field. Throws 2 for another type, 73 for a name that cannot be. */
export function namespaceOf({ command, database }: SentCommand): string {
  const name = command[Object.keys(command)[0] ?? ''];
  if (typeof name !== 'string') throw new CommandError(2, `collection name has invalid type ${typeName(name)}`);
  return checkedNamespace(database, name);
}

/** The database of a command. Throws 40571 without one, 73 (InvalidNamespace) for a name that cannot be. */
export function checkedDatabase(name: Value): string {
  if (name === undefined) throw new CommandError(40571, 'OP_MSG requests require a $db argument');
  if (
    typeof name === 'string' &&
    name !== '' &&
    name.length < 64 &&
    !/[/\\. "$\0]/.test(name.replace(/^\$external$/, 'x'))
  ) {
    return name;
  }
  throw new CommandError(73, `Invalid database name: '${shown(name)}'`);
}

/** `<database>.<collection>`, or 73 (InvalidNamespace). */
export function checkedNamespace(database: string, name: string): string {
  if (name === '') throw new CommandError(73, `Invalid namespace specified '${database}.${name}'`);
  if (name.startsWith('.')) throw new CommandError(73, `Collection names cannot start with '.': ${name}`);
  if (/[$\0]/.test(name)) throw new CommandError(73, `invalid collection name: ${name}`);
  return `${database}.${name}`;
}

/** An optional field that is a document; `code` is the one this command answers to another type. */
export function documentField({ command, name }: SentCommand, field: string, code = 14): Document | undefined {
  const value = command[field];
  if (value === undefined || isDocument(value)) return value;
  throw code === 14 ? wrongType(name, field, value, 'object') : notOfType(field, 'object', code);
}

/** A list that must be there. */
export function listField({ command, name }: SentCommand, field: string): Value[] {
  const value = command[field];
  if (value === undefined) throw missing(name, field);
  if (Array.isArray(value)) return value;
  if (!isDocument(value)) throw wrongType(name, field, value, 'array');
  const [first = ''] = Object.keys(value);
  throw new CommandError(
    40422,
    `BSON array field '${name}.${field}' has an invalid value '${first}' for an array field name.`,
  );
}

/** An optional number, rounded towards zero. */
export function numberField({ command }: SentCommand, field: string, code = 9): number | undefined {
  const value = command[field];
  if (value === undefined || value === null) return undefined;
  if (!isNumeric(value)) throw new CommandError(code, `Failed to parse: '${field}' field must be numeric.`);
  return integerOf(value) ?? Math.trunc(Number(value.toString()));
}

/** True for `true` and for numbers other than zero. */
export function isTrue(value: Value): boolean {
  return value === true || (isNumeric(value) && Number(value.toString()) !== 0);
}

export function missing(command: string, field: string): CommandError {
  return new CommandError(40414, `BSON field '${command}.${field}' is missing but a required field`);
}

export function wrongType(command: string, field: string, value: Value, expected: string): CommandError {
  const found = `is the wrong type '${typeName(value)}', expected type '${expected}'`;
  return new CommandError(14, `BSON field '${command}.${field}' ${found}`);
}

function notOfType(field: string, expected: string, code: number): CommandError {
  return new CommandError(code, `Failed to parse: '${field}' field must be of BSON type ${expected}.`);
}
