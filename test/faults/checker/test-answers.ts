import type { Command, MeantLeg, OrderData, Sent, Told } from '../harness/sent.ts';
import { at, find, soundBooks } from './test-documents.ts';

/* What clients sent, and were told, of the books of test-documents.ts; the checker's tests make histories of it. */

const { orders } = soundBooks();

export const seen = (id: string, more: Partial<OrderData> = {}): OrderData => {
  const { sourceWalletId, targetWalletId, amount, currency, status, bizId } = find(orders, id) as unknown as OrderData;
  const completedAt = status === 'COMPLETED' ? at.toISOString() : null;
  const failure = status === 'FAILED' ? { code: 'TR4223', message: 'INSUFFICIENT_BALANCE', leg: null } : null;
  const data = { transferId: id, bizId, sourceWalletId, targetWalletId, amount, currency, legs: null, status };
  return { ...data, failure, completedAt, ...more };
};
export const sent = (id: string, more: Partial<Sent> = {}): Sent => {
  const { type, bizId } = find(orders, id);
  return {
    workspaceId: 'ws',
    command: commandOf(type, seen(id), { bizId: String(bizId) }),
    acknowledged: seen(id),
    ...more,
  };
};
/** That asks for an order of one leg. */
export const commandOf = (type: unknown, leg: object, body: Command['body']): Command => {
  const { sourceWalletId, targetWalletId, amount, currency } = leg as MeantLeg;
  const means = { type: String(type), legs: [{ sourceWalletId, targetWalletId, amount, currency }] };
  return { name: 'create', body, means };
};
export const altered = (id: string, amount: string): Command => {
  const { command } = sent(id);
  return commandOf(command.means.type, { ...command.means.legs[0], amount }, command.body);
};

export const ordersPath = '/api/v1/transfer/query/orders';
export const askedOf = (more: Partial<Told>): Told => ({
  ...{
    workspaceId: 'ws',
    method: 'GET',
    path: ordersPath,
    query: {},
    isReplay: false,
    askedAtMs: 0,
    toldAtMs: 1,
    data: null,
  },
  ...more,
});
export const created = (id: string, data: Partial<OrderData> = {}, more: Partial<Told> = {}): Told => {
  const { command } = sent(id);
  return askedOf({ method: 'POST', path: '/api/v1/transfer/command/create', command, data: seen(id, data), ...more });
};
export const read = (id: string, data: Partial<OrderData> = {}, more: Partial<Told> = {}): Told =>
  askedOf({ path: `${ordersPath}/${id}`, data: seen(id, data), ...more });
export const waiting = { status: 'PENDING', failure: null, completedAt: null };
export const ofWallet = (what: string, data: object, query = {}): Told =>
  askedOf({ path: `/api/v1/wallets/a/${what}`, query, data: { walletId: 'a', currency: 'USD', ...data } });
export const balance = (text: string, sequence: number, more: object = {}): Told =>
  ofWallet('balance', { balance: text, held: '0', available: text, sequence, ...more });
export const second = (ms: number): string => new Date(at.getTime() + ms).toISOString();
export const past = (text: string, sequence: number, settledUntil: string): Told =>
  ofWallet('balance', { balance: text, sequence, settledUntil, asOf: second(0) }, { at: second(0) });
export const shownFlow = (sequence: number, more: object = {}, walletId = 'a'): Record<string, unknown> => {
  const stored = find(soundBooks().flows, `${walletId}.${sequence}`);
  const money = ['amount', 'balanceBefore', 'balanceAfter'].map((name) => [name, String(stored[name])] as const);
  const { _id: id, debits: _, createdAt, ...rest } = stored as Record<string, unknown>;
  return { id, leg: 0, ...rest, createdAt: (createdAt as Date).toISOString(), ...Object.fromEntries(money), ...more };
};
export const statement = (more: object = {}): Told => {
  const figures = { openingBalance: '0', closingBalance: '6.00', debits: '4', credits: '10', count: 2 };
  const items = [shownFlow(1), shownFlow(2)];
  const data = { ...figures, settledUntil: second(5), items, nextCursor: null, ...more };
  return ofWallet('statement', data, { from: second(0), to: second(1), size: '100' });
};

/** A page of a list of all orders, or of what a query asks for. */
export const listed = (ids: readonly string[], nextCursor: string | null = null, more: Partial<Told> = {}): Told =>
  askedOf({ data: { items: ids.map((id) => seen(id)), nextCursor }, ...more });
/** The same of a's flows. */
export const flowsListed = (
  sequences: readonly number[],
  nextCursor: string | null = null,
  more: Partial<Told> = {},
): Told => ({
  ...ofWallet('flows', { items: sequences.map((sequence) => shownFlow(sequence)), nextCursor }),
  ...more,
});
/** Asked after everything else had been told. */
export const later = (told: Told): Told => ({ ...told, askedAtMs: 2, toldAtMs: 3 });
