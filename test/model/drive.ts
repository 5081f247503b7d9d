import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  commandsPath,
  findOrder,
  ordersIn,
  patient,
  untilAnswered,
  untilOrder,
  type BatchData,
  type OrderData,
} from '../support/orders.ts';
import { bodyOf, draw, pick, transferBody, type Group, type Line, type Request } from './draw.ts';
import type { Event, Operation, Outcome, Transfer } from './model.ts';

/* Does what was drawn, and holds what comes of it against the model. */

const createPath = `${commandsPath}/create`;
const pollMs = 50;
/** So close before its time an order is looked at. */
const soonMs = 400;
/** Far less than the time of what is not posted while the test runs. */
const hourMs = 3_600_000;

interface PreviewData {
  status: string;
  failure: { code: string } | null;
  source: { balance: string; available: string };
  target: { balance: string; available: string };
}

export function find({ workspace, ids }: Group, name: string): Promise<OrderData> {
  return findOrder(workspace, ids.get(name) ?? '');
}

function post<T>(group: Group, command: string, body: object) {
  return untilAnswered<T>(group.workspace, 'POST', `${commandsPath}/${command}`, { body, headers: patient });
}

const endOf = ({ status, failure }: OrderData): string => failure?.code ?? status;

async function untilEnded({ workspace }: Group, order: OrderData): Promise<string> {
  return endOf(order.status === 'PENDING' ? await untilOrder(workspace, order.transferId, isNotPending) : order);
}
const isNotPending = ({ status }: OrderData): boolean => status !== 'PENDING';

/** An order that was recorded for a request: from now on it is known. */
function register(group: Group, name: string, order: OrderData, path: string, body: object): void {
  group.ids.set(name, order.transferId);
  group.sent.set(name, { path, body });
  group.batchIds.set(name, order.batchId);
}

/** What came of a request, as events; of one that changes nothing, and of what is known beforehand, none. */
async function ask(group: Group, request: Request, name: string): Promise<Event[]> {
  switch (request.command) {
    case 'batch':
      return request.isAtomic ? askAtomic(group, request.lines, name) : askBatch(group, request.lines, name);
    case 'repeat batch':
      await repeatBatch(group, request.names);
      return [];
    case 'preview': {
      const { envelope } = await post<PreviewData>(group, 'preview', bodyOf(group, request));
      const { status, failure, source, target } = envelope!.data;
      const shown = [source, target].map(({ balance, available }) => `${cents(balance)} ${cents(available)}`);
      return [{ operation: request, name, outcome: { ended: `${failure?.code ?? status}: ${shown.join(', ')}` } }];
    }
    case 'cancel': {
      const { status, envelope } = await post<OrderData>(group, 'cancel', bodyOf(group, request));
      const outcome = status === 200 ? { ended: endOf(envelope!.data) } : { refused: envelope!.code };
      return [{ operation: request, name, outcome }];
    }
    case 'atomic batch':
    case 'due':
      throw new Error(`nobody asks for ${request.command}`);
    default: {
      const body = { bizId: name, ...notes(group), ...bodyOf(group, request) };
      const { status, envelope } = await post<OrderData>(group, request.command, body);
      if (status === 200) register(group, name, envelope!.data, `${commandsPath}/${request.command}`, body);
      const given = status === 200 ? envelope!.data : { code: envelope!.code };
      return [{ operation: request, name, outcome: await outcomeOf(group, request, given) }];
    }
  }
}

const notes = ({ random }: Group): object => (random() < 0.1 ? { reference: 'ref-1', metadata: { a: 'b' } } : {});

/** How an order of one command, or of a line of a batch, ended or was refused. */
async function outcomeOf(
  group: Group,
  asked: Operation | Transfer,
  given: OrderData | { readonly code: string },
): Promise<Outcome> {
  const executeAtMs = 'executeAtMs' in asked ? asked.executeAtMs : undefined;
  const expiresAtMs = 'expiresAtMs' in asked ? asked.expiresAtMs : undefined;
  if ('code' in given) {
    // A fault may take longer than its time was ahead.
    if (executeAtMs !== undefined) expect([given.code, executeAtMs <= Date.now()]).toEqual(['RQ4001', true]);
    return { refused: given.code };
  }
  if (executeAtMs !== undefined) {
    expect(Date.parse(given.executeAt ?? '')).toBe(executeAtMs);
    return { ended: 'SCHEDULED' };
  }
  const ended = await untilEnded(group, given);
  if (expiresAtMs !== undefined && ended === 'TR4225') expect(expiresAtMs).toBeLessThanOrEqual(Date.now());
  return { ended };
}

async function askBatch(group: Group, lines: readonly Line[], name: string): Promise<Event[]> {
  const bodies = bodiesOf(group, lines, name);
  const { status, envelope, times } = await post<BatchData>(group, 'batch', { transfers: bodies });
  expect(status).toBe(200);
  const { batchId, items } = envelope!.data;
  expect(items).toHaveLength(lines.length);
  const ended: Promise<Event>[] = [];
  for (const [index, item] of items.entries()) {
    const line = lines[index]!;
    if (line.kind !== 'new') continue;
    const own = `${name}.${index}`;
    const given = 'order' in item ? item.order : item;
    if ('order' in item) {
      register(group, own, item.order, createPath, bodies[index]!);
      // What an earlier try recorded has that one's.
      if (times === 1) expect(item.order.batchId).toBe(batchId);
    }
    const operation = { command: 'create', ...line.transfer } as const;
    const outcome = outcomeOf(group, line.transfer, given);
    ended.push(outcome.then((known) => ({ operation, name: own, outcome: known })));
  }
  for (const [index, item] of items.entries()) expectKnown(group, lines[index]!, item);
  return Promise.all(ended);
}

/** Of a line that makes no order of its own. */
function expectKnown(group: Group, line: Line, item: BatchData['items'][number]): void {
  if (line.kind === 'faulty') expect([codeIn(item), line.body]).toEqual([line.code, line.body]);
  if (line.kind !== 'repeat') return;
  const transferId = group.ids.get(line.of);
  // Its time had come before it was recorded.
  if (transferId === undefined) expect(codeIn(item)).toBe('RQ4001');
  else if (!line.isSame) expect(codeIn(item)).toBe('TR4091');
  else if ('order' in item)
    expect([item.order.transferId, item.order.batchId]).toEqual([transferId, group.batchIds.get(line.of)]);
  else expect(item).toBe(transferId);
}

const codeIn = (item: BatchData['items'][number]): string | undefined => ('code' in item ? item.code : undefined);

function bodiesOf(group: Group, lines: readonly Line[], name: string): object[] {
  const bodies: object[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'faulty') bodies.push(line.body);
    else if (line.kind === 'new')
      bodies.push({ bizId: `${name}.${index}`, ...notes(group), ...transferBody(group, line.transfer) });
    else {
      const first = group.sent.get(line.of)?.body ?? bodies[Number(line.of.slice(name.length + 1))]!;
      bodies.push(line.isSame ? first : { ...first, amount: '77777.77' });
    }
  }
  return bodies;
}

async function askAtomic(group: Group, lines: readonly Line[], name: string): Promise<Event[]> {
  const bodies = bodiesOf(group, lines, name);
  const { status, envelope } = await post<BatchData>(group, 'batch', { transfers: bodies, atomic: true });
  expect(status).toBe(200);
  const { batchId, items } = envelope!.data;
  if (lines.some(({ kind }) => kind !== 'new')) {
    // A time is none of an atomic batch's, whatever else is.
    const codes = lines.map((line, index) => {
      if (line.kind === 'faulty') return line.code;
      if (line.kind === 'new') return 'TR4229';
      return 'executeAt' in bodies[index]! ? 'RQ4001' : 'TR4091';
    });
    expect([items.map(codeIn), bodies]).toEqual([codes, bodies]);
    return [];
  }
  const names = lines.map((_, index) => `${name}.${index}`);
  const orders = ordersIn({ batchId, items });
  expect(orders.map((order) => order.batchId)).toEqual(lines.map(() => batchId));
  for (const [index, order] of orders.entries()) register(group, names[index]!, order, createPath, bodies[index]!);
  group.atomic.push(names);
  const ended = await Promise.all(orders.map((order) => untilEnded(group, order)));
  const transfers = lines.flatMap((line): Transfer[] => (line.kind === 'new' ? [line.transfer] : []));
  return [{ operation: { command: 'atomic batch', lines: transfers }, name, outcome: { ended: ended.join(' ') } }];
}

/** The whole of an atomic batch again finds its orders; a part of it, or it with a line changed or more, is refused. */
async function repeatBatch(group: Group, names: readonly string[]): Promise<void> {
  const bodies = names.map((each) => group.sent.get(each)!.body);
  const repeated = async (transfers: readonly object[]) =>
    (await post<BatchData>(group, 'batch', { transfers, atomic: true })).envelope!.data;
  const { batchId, items } = await repeated(bodies);
  expect([batchId, items.map((item) => ('order' in item ? item.order.transferId : item))]).toEqual([
    group.batchIds.get(names[0]!),
    names.map((each) => group.ids.get(each)),
  ]);
  const [first, ...rest] = bodies;
  const fresh = { ...first, bizId: `${names[0]!}.more` };
  const refusals: [object[], string[]][] = [
    [[{ ...first, amount: '77777.77' }, ...rest], names.map(() => 'TR4091')],
    [rest, rest.map(() => 'TR4091')],
    [
      [...bodies, fresh],
      [...names.map(() => 'TR4091'), 'TR4229'],
    ],
  ];
  for (const [transfers, codes] of refusals)
    expect([(await repeated(transfers)).items.map(codeIn), transfers]).toEqual([codes, transfers]);
}

/** A request that repeats another one finds its order; one that says something else with its bizId is refused. */
async function repeat(group: Group): Promise<void> {
  const [name, { path, body }] = pick(group.random, [...group.sent]);
  const again = await untilAnswered<OrderData>(group.workspace, 'POST', path, { body });
  expect([again.status, again.envelope!.data.transferId, again.envelope!.data.batchId]).toEqual([
    200,
    group.ids.get(name),
    group.batchIds.get(name),
  ]);
  const other = await untilAnswered(group.workspace, 'POST', path, { body: { ...body, amount: '77777.77' } });
  expect(other.envelope!.code).toBe('TR4091');
}

/** What of these events the service does something about by itself by then. */
function dueOf(events: readonly Event[], byMs: number): string[] {
  return events.flatMap(({ operation, name, outcome }) => {
    if (!('ended' in outcome)) return [];
    if (operation.command === 'hold')
      return outcome.ended === 'COMPLETED' && operation.expiresAtMs <= byMs ? [name] : [];
    return operation.command === 'create' && (operation.executeAtMs ?? Infinity) <= byMs ? [name] : [];
  });
}

/** What the service has done at an order's time, or before; undefined if nothing yet. */
function doneOf(order: OrderData): string | undefined {
  if (order.type === 'HOLD') return order.hold!.state === 'HELD' ? undefined : 'EXPIRED';
  return order.status === 'SCHEDULED' || order.status === 'PENDING' ? undefined : endOf(order);
}

/** Waits until the service has done what it does at an order's time. */
async function untilDone({ workspace, ids }: Group, name: string): Promise<Outcome> {
  const order = await untilOrder(workspace, ids.get(name) ?? '', (each) => doneOf(each) !== undefined);
  return { ended: doneOf(order)! };
}

/** Nothing is done before its time. By this clock, because an order's own times do not say when it was posted. */
async function expectNoneEarly(group: Group): Promise<void> {
  for (const name of group.model.due(Date.now() + soonMs)) {
    const ended = doneOf(await find(group, name));
    const { dueMs } = group.model.orders.get(name)!;
    if (ended !== undefined && Date.now() < dueMs) throw new Error(`${name} was ${ended} before its time`);
  }
}

/** Does what is asked for at once, and what came due; the model must know an order of all that in which it ends as it did. */
async function step(group: Group, asked: readonly { readonly request: Request; readonly name: string }[]) {
  const events = (await Promise.all(asked.map(({ request, name }) => ask(group, request, name)))).flat();
  const done = new Set<string>();
  // What comes due while this waits may come before what it waits for.
  for (;;) {
    const nowMs = Date.now();
    const due = [...group.model.due(nowMs), ...dueOf(events, nowMs)].filter((name) => !done.has(name));
    if (due.length === 0) break;
    for (const order of due) {
      done.add(order);
      events.push({ operation: { command: 'due', order }, name: order, outcome: await untilDone(group, order) });
    }
  }
  const after = group.model.explain(events);
  if (after === undefined) {
    const wallets = show(Object.fromEntries(group.model.wallets));
    throw new Error(`${group.name}: of ${wallets} cannot come ${events.map(show).join('\n')}`);
  }
  group.model = after;
  await expectNoneEarly(group);
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
}

export async function runGroup(group: Group, operations: number): Promise<void> {
  for (let done = 0; done < operations;) {
    const count = group.random() < 0.2 ? 2 + Math.floor(group.random() * 2) : 1;
    const asked = Array.from({ length: count }, (_, index) => {
      const name = `${group.name}-${done + index}`;
      const request = draw(group, name);
      // Of several at once, what is left is known to none.
      const isOpen = count > 1 && 'isFinal' in request && request.amount === undefined;
      return { request: isOpen ? { ...request, amount: 1n } : request, name };
    });
    await step(group, asked);
    done += count;
    if (group.random() < 0.03 && group.sent.size > 0) await repeat(group);
  }
  while (group.model.due(Date.now() + hourMs).length > 0) {
    await step(group, []);
    await sleep(pollMs);
  }
}

export const cents = (text: string): bigint => BigInt(text.replace('.', ''));
