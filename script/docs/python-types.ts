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

/** What has no name of its own in the document. */
interface Named {
  readonly name: string;
  readonly description: string;
}

const decimalPattern = /^\^-\?\(0\|/;
const failure: Named = { name: 'Failure', description: 'Why an order is FAILED.' };
const previewed: Named = { name: 'PreviewWallet', description: 'A wallet as the order would leave it.' };
const inner: Readonly<Record<string, Named>> = {
  'Order.failure': failure,
  'Order.hold': { name: 'HoldState', description: 'How far a hold is.' },
  'Preview.failure': failure,
  'Preview.source': previewed,
  'Preview.target': previewed,
  'Key.rate': { name: 'KeyRate', description: 'How many requests a key may make.' },
  'Key.currencies': { name: 'Currency', description: 'One that wallets and transfers may have.' },
};
const choices: Readonly<Record<string, string>> = {
  'Order.type': 'OrderType',
  'Order.status': 'OrderStatus',
  'Failure.code': 'FailureCode',
  'Failure.message': 'FailureMessage',
  'Key.scopes': 'Scope',
  'Webhook.events': 'EventType',
};
const resources = [
  ...['Order', 'Preview', 'Wallet', 'Balance', 'Flow', 'StatementEntry'],
  ...['Key', 'Webhook', 'WebhookWithSecret', 'WebhookDelivery'],
];
const secret = 'secret';

const head = `"""Written by \`script/node script/write-docs.ts\` from the OpenAPI document."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Literal, Optional, TypedDict

from ._resource import Resource
from ._values import Amount, Time
`;

interface Written {
  readonly texts: Map<string, string>;
  /** By their values: the same ones have one name. */
  readonly choices: Map<string, { readonly name: string; readonly text: string }>;
}

/** The types of the Python client, from the OpenAPI document. */
export function pythonTypes(): string {
  const { components } = apiDescription() as { components: { schemas: Schemas } };
  const { schemas } = components;
  const written: Written = { texts: new Map(), choices: new Map() };
  for (const name of resources) addClass(written, name, named(schemas, name));
  const { items: _items, nextCursor: _nextCursor, ...totals } = named(schemas, 'Statement').properties ?? {};
  addClass(written, 'StatementTotals', { ...named(schemas, 'Statement'), properties: totals });
  const lines = named(schemas, 'Batch').properties?.['items']?.items?.anyOf ?? [];
  addClass(written, 'LineError', lines.find(({ properties }) => properties?.['code'] !== undefined) ?? {});
  return [
    head,
    ...['ErrorCode', 'ErrorReason'].map((name) => alias(name, named(schemas, name))),
    ...written.choices.values().map(({ text }) => text),
    ...[...written.texts.values()].map((text) => `\n${text}`),
    `\n${typedDict('NewTransfer', named(schemas, 'CreateTransfer'))}`,
  ].join('\n');
}

function named(schemas: Schemas, name: string): Schema {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`The OpenAPI document has no schema ${name}`);
  return schema;
}

function alias(name: string, { enum: values = [], description = '' }: Schema): string {
  const lines = values.map((value) => `    "${value}",\n`);
  return `${name} = Literal[\n${lines.join('')}]\n${description === '' ? '' : docstring(description, '')}`;
}

function addClass(written: Written, name: string, schema: Schema): void {
  const members = Object.entries(schema.properties ?? {}).map(([onWire, property]) => {
    const note = property.description === undefined ? [] : wrapped('#: ', property.description);
    const whole = hintOf(written, `${name}.${onWire}`, property);
    const isAlways = schema.required?.includes(onWire) === true || whole.startsWith('Optional');
    const hint = isAlways ? whole : `Optional[${whole}]`;
    return [...note, `    ${pythonName(onWire)}: ${hint}${fieldOf(onWire, hint)}`].join('\n');
  });
  const text = ['@dataclass(frozen=True)', `class ${name}(Resource):`, docstring(schema.description ?? '', '    ')];
  written.texts.set(name, `${[...text, ...members].join('\n')}\n`);
}

/** A secret is in no repr; what cannot be hashed does not keep its resource from being hashed. */
function fieldOf(onWire: string, hint: string): string {
  if (onWire === secret) return ' = field(repr=False)';
  return hint.startsWith('dict') ? ' = field(hash=False)' : '';
}

function hintOf(written: Written, place: string, schema: Schema): string {
  const { type, anyOf, enum: values, items } = schema;
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  if (anyOf !== undefined) {
    const [only, ...others] = anyOf.filter((each) => each.type !== 'null');
    if (only === undefined || others.length > 0) throw new Error(`${place} is of several types`);
    return `Optional[${hintOf(written, place, only)}]`;
  }
  if (Array.isArray(type)) {
    const [only] = (type as string[]).filter((each) => each !== 'null');
    return `Optional[${hintOf(written, place, { ...schema, type: only ?? '' })}]`;
  }
  if (values !== undefined) return choiceOf(written, place, values);
  if (type === 'array') return `tuple[${hintOf(written, place, items ?? {})}, ...]`;
  if (type === 'integer') return 'int';
  if (type === 'boolean') return 'bool';
  if (type === 'string') {
    if (schema.format === 'date-time') return 'datetime';
    return decimalPattern.test(schema.pattern ?? '') ? 'Decimal' : 'str';
  }
  if (type !== 'object') throw new Error(`${place} has no type that Python is told of`);
  if (schema.properties === undefined) return 'dict[str, str]';
  const own = inner[place];
  if (own === undefined) throw new Error(`${place} needs a name`);
  if (!written.texts.has(own.name)) addClass(written, own.name, { ...schema, description: own.description });
  return own.name;
}

function choiceOf(written: Written, place: string, values: readonly string[]): string {
  const name = choices[place];
  const key = values.join();
  if (name !== undefined && !written.choices.has(key))
    written.choices.set(key, { name, text: alias(name, { enum: values }) });
  return written.choices.get(key)?.name ?? `Literal[${values.map((value) => `"${value}"`).join(', ')}]`;
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

function givenHint(onWire: string, { type, format }: Schema): string {
  if (onWire === 'amount') return 'Amount';
  if (format === 'date-time') return 'Time';
  return type === 'object' ? 'dict[str, str]' : 'str';
}

function pythonName(onWire: string): string {
  const name = onWire.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return name === 'from' ? 'from_' : name;
}

const widthMax = 120;

/** A comment in Python's names. */
function wrapped(mark: string, text: string): string[] {
  const inPython = text.replaceAll(
    /`(\w+)`/g,
    (_, word: string) => `\`${/[a-z]/.test(word) ? pythonName(word) : word}\``,
  );
  const lines = [''];
  for (const word of inPython.replaceAll(/\bnull\b/gi, 'None').split(' ')) {
    const line = lines.at(-1) ?? '';
    if (`    ${mark}${line} ${word}`.length > widthMax) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => `    ${mark}${line}`);
}

function docstring(text: string, indent: string): string {
  return `${indent}"""${text}"""\n`;
}
