import type { AskedAlert, Guards } from './guards.ts';
import { shown, unitsOf, type Units } from './amount.ts';
import type { RawBooks, RawDocument } from './books.ts';

/** What a webhook told of an alert. */
export interface AlertTold {
  workspaceId: string;
  data: Readonly<Record<string, unknown>>;
}

/** Every alert is as its wallet's last change left it. Of those of limits `admin verify` says so. @returns a sentence for each breach. */
export function checkAlertStates({ wallets }: RawBooks): string[] {
  return wallets.flatMap((wallet) => {
    const available = unitsOf(wallet['balance']) - unitsOf(wallet['held'] ?? '0');
    return ((wallet['alerts'] ?? []) as (AskedAlert & { state: string })[])
      .filter((alert) => isWrong(alert, alert.state, available))
      .map(({ name, state }) => `alert ${name} of ${wallet._id} is ${state}, with ${shown(available)} available`);
  });
}

function isWrong({ availableBelow, availableAbove }: AskedAlert, state: unknown, available: Units): boolean {
  if (availableBelow !== undefined) return available < unitsOf(availableBelow) !== (state === 'raised');
  if (availableAbove !== undefined) return available > unitsOf(availableAbove) !== (state === 'raised');
  return false;
}

/**
 * Each wallet's alert events were told by numbers without a gap, each with what the wallet had then; those of an alert take turns,
 * beginning with `raised`, and the last one is its state. @param told each event once.
 * @returns a sentence for each breach.
 */
export function checkAlertEvents(
  { wallets, flows }: Pick<RawBooks, 'wallets' | 'flows'>,
  told: readonly AlertTold[],
  { alerts }: Pick<Guards, 'alerts'>,
): string[] {
  const conditions = new Map(
    alerts.flatMap((set) => set.alerts.map((alert) => [`${set.walletId} ${alert.name}`, alert] as const)),
  );
  const byWallet = Map.groupBy(told, ({ data }) => String(data['walletId']));
  const balances = new Map(
    flows.map(({ _id, walletId, sequence, balanceAfter }) => [
      `${String(walletId)} ${String(sequence)}`,
      { _id, balanceAfter: balanceAfter as unknown },
    ]),
  );
  const known = new Set(wallets.map(({ _id }) => _id));
  const strangers = [...byWallet.keys()]
    .filter((id) => !known.has(id))
    .map((id) => `alerts of no wallet ${id} were told`);
  const ofWallet = (wallet: RawDocument): string[] => {
    const events = (byWallet.get(wallet._id) ?? []).toSorted(
      (a, b) => Number(a.data['number']) - Number(b.data['number']),
    );
    const breaches: string[] = [];
    const numbers = events.map(({ data }) => Number(data['number']));
    const count = Number(wallet['alertEvents'] ?? 0);
    if (numbers.length !== count || numbers.some((number, place) => number !== place + 1))
      breaches.push(`wallet ${wallet._id} has ${count} alert events, told were the numbers ${numbers.join()}`);
    const states = new Map<string, unknown>();
    for (const { workspaceId, data } of events) {
      const { name, state, balance, held, available, sequence } = data;
      const what = `alert event ${String(data['number'])} of ${wallet._id}, ${String(name)} ${String(state)},`;
      if (workspaceId !== wallet['workspaceId']) breaches.push(`${what} was told to ${workspaceId}`);
      if ((states.get(String(name)) ?? 'cleared') === state) breaches.push(`${what} is not its alert's turn`);
      states.set(String(name), state);
      const has = unitsOf(balance) - unitsOf(held);
      const flow = balances.get(`${wallet._id} ${String(sequence)}`);
      if (unitsOf(flow?.balanceAfter ?? '0') !== unitsOf(balance) || has !== unitsOf(available))
        breaches.push(`${what} tells figures that the wallet had not: ${JSON.stringify(data)}`);
      const condition = conditions.get(`${wallet._id} ${String(name)}`);
      if (condition === undefined || isWrong(condition, state, has))
        breaches.push(`${what} is not so: ${JSON.stringify({ condition, data })}`);
    }
    for (const { name, state } of (wallet['alerts'] ?? []) as { name: string; state: unknown }[])
      if ((states.get(name) ?? 'cleared') !== state)
        breaches.push(`alert ${name} of ${wallet._id} is ${String(state)}, and that was not told`);
    return breaches;
  };
  return [...strangers, ...wallets.flatMap(ofWallet)];
}
