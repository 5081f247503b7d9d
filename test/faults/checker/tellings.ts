import type { Command, Told } from '../harness/sent.ts';

/** What was told of one order. */
export interface Telling extends Pick<Told, 'workspaceId' | 'askedAtMs' | 'toldAtMs'> {
  /** The id or bizId that was asked for. */
  key?: string | undefined;
  /** Of the answer to a command: what was asked, and whether the answer says that it had been before. */
  created?: { command: Command; isReplay: boolean | undefined };
  order: Readonly<Record<string, unknown>>;
}

/** Of what is told of orders: of one, or a list of them. */
export const ordersPath =
  /^\/api\/v1\/transfer\/query\/orders(?:\/wallet\/(?<walletId>[^/]+)|\/(?<key>[^/]+?)(?:\/completed)?)?$/;
/** Of what is told of wallets. */
export const walletPath = /^\/api\/v1\/wallets(?:\/(?<id>[^/]+)(?:\/(?<what>balance|statement|flows))?)?$/;
const ends: ReadonlySet<unknown> = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

export function isEnd(status: unknown): boolean {
  return ends.has(status);
}

/** What an answer or a webhook told of orders; nothing if it is about a wallet. @throws of a path that is not known. */
export function tellingsOf(told: Told): Telling[] {
  const { workspaceId, askedAtMs, toldAtMs, method, path, command, lines, isReplay } = told;
  const telling = { workspaceId, askedAtMs, toldAtMs };
  const data = told.data as Telling['order'] & { items?: readonly Telling['order'][] };
  if (method === 'WEBHOOK') return [{ ...telling, order: data }];
  if (command !== undefined) return [{ ...telling, created: { command, isReplay }, order: data }];
  if (lines !== undefined)
    return lines.flatMap((line, index) => {
      const { order } = data.items?.[index] as { order?: Telling['order'] };
      // A batch of which one order is new does not say which.
      return order === undefined ? [] : [{ ...telling, created: { command: line, isReplay: undefined }, order }];
    });
  if (walletPath.test(path)) return [];
  const asked = ordersPath.exec(path)?.groups;
  if (asked === undefined && !ordersPath.test(path)) throw new Error(`what ${path} tells is not checked`);
  return (data.items ?? [data]).map((order) => ({ ...telling, key: asked?.['key'], order }));
}
