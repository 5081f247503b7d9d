import { apiDescription } from './api-description.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

type Schemas = Readonly<Record<string, Schema>>;

const decimalPattern = /^\^-\?\(0\|/;
/** What the client calls otherwise than the document. */
const pythonNames: Readonly<Record<string, string>> = {
  OrderFailure: 'Failure',
  HoldProgress: 'HoldState',
  RefusedLine: 'LineError',
  // Classes whose names begin with Test are taken for tests.
  TestClock: 'ClockState',
  TestClockAdvance: 'ClockAdvance',
};
/** Choices that have a name in Python too. The others are written where they stand. */
const choices = ['OrderType', 'OrderStatus', 'FailureCode', 'FailureMessage', 'Scope', 'EventType', 'CalendarUnit'];
const resources = [
  ...['Order', 'Preview', 'Wallet', 'Balance', 'Flow', 'StatementEntry'],
  ...['WalletLimits', 'WalletAlerts', 'AlertEvent', 'Key', 'Webhook', 'WebhookWithSecret', 'WebhookDelivery'],
  ...['TestClock', 'TestClockAdvance'],
];
const secret = 'secret';
const laterValue = '#/components/schemas/LaterValue';

const head = `"""Written by \`script/node script/write-docs.ts\` from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Literal, Optional, TypedDict, Union

from ._resource import Resource
from ._values import Amount, Time
`;

interface Written {
  readonly schemas: Schemas;
  readonly texts: Map<string, string>;
}

/** The types of the Python client, from the OpenAPI document. */
export function pythonTypes(): string {
  const { components } = apiDescription() as { components: { schemas: Schemas } };
  const { schemas } = components;
  const written: Written = { schemas, texts: new Map() };
  for (const name of resources) addNamed(written, name);
  const { items: _items, nextCursor: _nextCursor, ...totals } = named(schemas, 'Statement').properties ?? {};
  addClass(written, 'StatementTotals', { ...named(schemas, 'Statement'), properties: totals });
  addNamed(written, 'RefusedLine');
  return [
    head,
    ...['ErrorCode', 'ErrorReason', ...choices].map((name) => alias(name, named(schemas, name))),
    ...[...written.texts.values()].map((text) => `\n${text}`),
    ...newOrders(schemas).map((text) => `\n${text}`),
    ...['NewRollingWindow', 'NewCalendarWindow', 'NewLimit', 'NewLimitShare', 'NewAlert'].map(
      (name) => `\n${typedDict(name, named(schemas, name))}`,
    ),
  ].join('\n');
}

/** What a request may ask for, by its type, and the legs in it. */
function newOrders(schemas: Schemas): string[] {
  const commands = formsOf(schemas, 'AnyCommand');
  const legs = commands.flatMap(({ properties }) => properties?.['legs']?.items?.$ref ?? []).map(nameIn);
  const names = commands.map(({ name }) => `New${name.replace('Command', '')}`);
  return [
    ...legs.map((name) => typedDict(name, named(schemas, name))),
    ...commands.map((command, at) => typedDict(names[at] ?? '', command)),
    `NewOrder = Union[${names.join(', ')}]\n${docstring('A new order of any type; TRANSFER, if it does not say.', '')}`,
  ];
}

/** What a schema may be, by name. */
function formsOf(schemas: Schemas, name: string): readonly (Schema & { readonly name: string })[] {
  const refs = named(schemas, name).anyOf?.map(({ $ref = '' }) => nameIn($ref)) ?? [];
  return refs.map((form) => ({ ...named(schemas, form), name: form }));
}

function nameIn($ref: string): string {
  return $ref.split('/').at(-1) ?? '';
}

function named(schemas: Schemas, name: string): Schema {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`The OpenAPI document has no schema ${name}`);
  return schema;
}

function alias(name: string, { enum: values = [], description = '' }: Schema): string {
  const lines = values.map((value) => `    "${value}",\n`);
  return `${name} = Literal[\n${lines.join('')}]\n${description === '' ? '' : docstring(inPython(description), '')}`;
}

/** @returns its name in Python. */
function addNamed(written: Written, name: string): string {
  const pythons = pythonNames[name] ?? name;
  const schema = named(written.schemas, name);
  if (!written.texts.has(pythons)) (schema.anyOf === undefined ? addClass : addForms)(written, pythons, schema);
  return pythons;
}

/** A class for every type, known or not, and one for each known type: with the members that are otherwise in it. */
function addForms(written: Written, name: string, { description = '' }: Schema): void {
  const forms = formsOf(written.schemas, name);
  const { properties = {}, required = [] } =
    forms.find(({ properties: { type } = {} }) => type?.const === undefined) ?? {};
  const type = { anyOf: [{ $ref: '#/components/schemas/OrderType' }, { $ref: laterValue }] };
  addClass(written, name, { description, required, properties: { ...properties, type } });
  for (const form of forms.filter(({ properties: { type } = {} }) => type?.const !== undefined)) {
    const own = Object.entries(form.properties ?? {}).filter(
      ([member, schema]) => JSON.stringify(schema) !== JSON.stringify(properties[member]),
    );
    addClass(written, form.name, { ...form, properties: Object.fromEntries(own) }, name);
  }
}

function addClass(written: Written, name: string, schema: Schema, base = 'Resource'): void {
  const members = Object.entries(schema.properties ?? {}).map(([onWire, property]) => {
    const text = descriptionOf(written, property);
    const note = text === '' ? [] : wrapped('#: ', text);
    const whole = hintOf(written, `${name}.${onWire}`, property);
    const isAlways = schema.required?.includes(onWire) === true || whole.startsWith('Optional');
    const hint = isAlways ? whole : `Optional[${whole}]`;
    return [...note, `    ${pythonName(onWire)}: ${hint}${fieldOf(onWire, hint)}`].join('\n');
  });
  const text = ['@dataclass(frozen=True)', `class ${name}(${base}):`, docstring(schema.description ?? '', '    ')];
  written.texts.set(name, `${[...text, ...members].join('\n')}\n`);
}

/** A secret is in no repr; what cannot be hashed does not keep its resource from being hashed. */
function fieldOf(onWire: string, hint: string): string {
  if (onWire === secret) return ' = field(repr=False)';
  return hint.startsWith('dict') ? ' = field(hash=False)' : '';
}

function hintOf(written: Written, place: string, schema: Schema): string {
  const { type, anyOf, const: only, enum: values, items } = schema;
  if (only !== undefined) return `Literal["${only}"]`;
  if (type === 'null') return 'None';
  const known = referred(written, schema);
  if (known !== undefined) {
    if (choices.includes(known.name)) return known.name;
    return known.properties === undefined ? hintOf(written, place, known) : addNamed(written, known.name);
  }
  if (anyOf !== undefined) {
    const all = alternatives(schema);
    const hints = all
      .filter((each) => each.type !== 'null' && !isLater(each))
      .map((each) => hintOf(written, place, each));
    const known = hints.length === 1 ? String(hints[0]) : `Union[${hints.join(', ')}]`;
    const hint = all.some(isLater) ? `Union[${known}, str]` : known;
    return all.some((each) => each.type === 'null') ? `Optional[${hint}]` : hint;
  }
  if (Array.isArray(type)) {
    const [only] = (type as string[]).filter((each) => each !== 'null');
    return `Optional[${hintOf(written, place, { ...schema, type: only ?? '' })}]`;
  }
  if (values !== undefined) return `Literal[${values.map((value) => `"${value}"`).join(', ')}]`;
  if (type === 'array') return `tuple[${hintOf(written, place, items ?? {})}, ...]`;
  if (type === 'integer') return 'int';
  if (type === 'boolean') return 'bool';
  if (type === 'string') {
    if (schema.format === 'date-time') return 'datetime';
    return decimalPattern.test(schema.pattern ?? '') ? 'Decimal' : 'str';
  }
  if (type !== 'object') throw new Error(`${place} has no type that Python is told of`);
  if (schema.properties !== undefined) throw new Error(`${place} has a form without a name in the document`);
  return 'dict[str, str]';
}

/** What a value may be, wherever one choice is within another. */
function alternatives(schema: Schema): readonly Schema[] {
  return schema.anyOf?.flatMap(alternatives) ?? [schema];
}

/** What only a later service has, which stands beside the known ones. */
function isLater({ $ref }: Schema): boolean {
  return $ref === laterValue;
}

/** With that of a choice which has no name of its own to be described at. */
function descriptionOf(written: Written, schema: Schema): string {
  const { description = '' } = schema;
  const of = alternatives(schema)
    .filter((each) => !isLater(each))
    .map((each) => referred(written, each))
    .find((each) => each !== undefined);
  if (description === '') return of?.description ?? '';
  const isWrittenHere = schema.anyOf !== undefined && of?.enum !== undefined && !choices.includes(of.name);
  return isWrittenHere ? `${description} ${of.description ?? ''}` : description;
}

/** What a reference leads to. */
function referred({ schemas }: Written, { $ref }: Schema): (Schema & { readonly name: string }) | undefined {
  const name = $ref && nameIn($ref);
  return name === undefined ? undefined : { ...named(schemas, name), name };
}

/** What Python 3.9 cannot say of one class, it says of two: which members may be left out. */
function typedDict(name: string, { properties = {}, required = [], description = '' }: Schema): string {
  const write = ([onWire, property]: [string, Schema]): string => {
    const note = property.description === undefined ? [] : wrapped('#: ', property.description);
    return [...note, `    ${pythonName(onWire)}: ${givenHint(onWire, property)}`].join('\n');
  };
  const [needed, others] = [true, false].map((isRequired) =>
    Object.entries(properties).filter(([each]) => required.includes(each) === isRequired),
  );
  return [
    `class _${name}Required(TypedDict):`,
    ...(needed ?? []).map(write),
    `\n\nclass ${name}(_${name}Required, total=False):`,
    docstring(description, '    '),
    ...(others ?? []).map(write),
    '',
  ].join('\n');
}

function givenHint(onWire: string, { $ref, anyOf, type, format, const: only, items }: Schema): string {
  if (['amount', 'availableBelow', 'availableAbove', 'share'].includes(onWire)) return 'Amount';
  if ($ref !== undefined) return nameIn($ref);
  if (anyOf !== undefined) return `Union[${anyOf.map((each) => givenHint('', each)).join(', ')}]`;
  if (only !== undefined) return `Literal["${only}"]`;
  if (format === 'date-time') return 'Time';
  if (type === 'array') return `Sequence[${nameIn(items?.$ref ?? '')}]`;
  if (type === 'integer') return 'int';
  if (type === 'boolean') return 'bool';
  return type === 'object' ? 'dict[str, str]' : 'str';
}

function pythonName(onWire: string): string {
  const name = onWire.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return name === 'from' ? 'from_' : name;
}

const widthMax = 120;

/** With Python's names. */
function inPython(text: string): string {
  return text
    .replaceAll(/`(\w+)`/g, (_, word: string) => `\`${/[a-z]/.test(word) ? pythonName(word) : word}\``)
    .replaceAll(/\bnull\b/gi, 'None');
}

/** A comment in Python's names. */
function wrapped(mark: string, text: string): string[] {
  const lines = [''];
  for (const word of inPython(text).split(' ')) {
    const line = lines.at(-1) ?? '';
    if (`    ${mark}${line} ${word}`.length > widthMax) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => `    ${mark}${line}`);
}

function docstring(text: string, indent: string): string {
  return `${indent}"""${text}"""\n`;
}
