import { Money } from '../../../src/domain/money.ts';
import type { WalletChange } from '../../../src/domain/wallet-change.ts';
import { openCollections, type Collections } from '../../../src/storage/collections.ts';
import type { AskedAlert, AskedLimit, Guards } from '../checker/guards.ts';
import type { PreparedBooks } from './books.ts';
import type { Choices } from './choices.ts';
import type { Stack } from './stack.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];
const limitsMax = 3;

/**
 * Gives some wallets of some workspaces limits and alerts, and some keys budgets, which the orders of a run come up against: instead of
 * those that they had. The first workspace has none, because the orders that faults make by hand are to complete.
 */
export async function setGuards({ books, guards, mongodb }: Stack, choices: Choices): Promise<void> {
  const collections = openCollections(mongodb.client.db());
  for (const prepared of books.slice(1)) {
    if (choices.chance(30)) continue;
    for (const [currency, ids] of prepared.wallets) {
      for (const [place, id] of ids.entries()) {
        if (choices.chance(place === 0 ? 70 : 25)) await setOfWallet(guards, collections, { prepared, id }, choices);
      }
      if (choices.chance(20)) await setBudget(guards, collections, { prepared, currency }, choices);
    }
  }
}

async function setOfWallet(
  guards: Guards,
  collections: Collections,
  { prepared: { workspaceId }, id }: { prepared: PreparedBooks; id: string },
  choices: Choices,
): Promise<void> {
  const wallet = await collections.wallets.findAnywhere(id);
  if (wallet === undefined) throw new Error(`there is no wallet ${id}`);
  const more = (base: Money, min: number, max: number): string => base.plus(choices.whole(min, max)).toFixed(2);
  const limits = chooseLimits(choices, (min, max) => more(wallet.debits, min, max));
  const made = async (change: WalletChange) => {
    const startedAtMs = Date.now();
    const after = (await collections.wallets.change({ workspaceId, id, change }))?.wallet;
    if (after === undefined) throw new Error(`there is no wallet ${id}`);
    return { startedAtMs, endedAtMs: Date.now(), walletId: id, since: after.sequence };
  };
  const asMoney = limits.map(({ amount, ...limit }) => ({
    ...limit,
    ...(amount === undefined ? {} : { amount: new Money(amount) }),
  }));
  guards.limits.push({ ...(await made({ limits: asMoney })), limits });
  const count = guards.alerts.length;
  const windowed = limits.filter(({ window }) => window !== 'order');
  const alerts: AskedAlert[] = [
    { name: `below-${count}`, availableBelow: more(Money.max(wallet.balance.minus(20), 0), 0, 40) },
    { name: `above-${count}`, availableAbove: more(Money.max(wallet.balance.minus(20), 0), 0, 40) },
    ...windowed.map(({ name: limit }) => ({ name: `${limit}-${count}`, limitUsed: { limit, share: '0.75' } })),
  ];
  const change = alerts.map(({ availableBelow: below, availableAbove: above, ...alert }) => ({
    ...alert,
    ...(below === undefined ? {} : { availableBelow: new Money(below) }),
    ...(above === undefined ? {} : { availableAbove: new Money(above) }),
  }));
  guards.alerts.push({ ...(await made({ alerts: change })), alerts });
}

/** @param given an amount that the wallet has given already, and so much more: all that it gave is of this day. */
function chooseLimits(choices: Choices, given: (min: number, max: number) => string): AskedLimit[] {
  const timeZone = choices.pick(zones);
  const count = () => (choices.chance(40) ? { count: choices.whole(1, 6) } : {});
  const all: AskedLimit[] = [
    { name: 'order', amount: `${choices.whole(3, 18)}.50`, window: 'order' },
    { name: 'minute', amount: `${choices.whole(10, 80)}.25`, ...count(), window: { rolling: 'PT1M' } },
    { name: 'two', amount: `${choices.whole(20, 120)}`, ...count(), window: { rolling: 'PT2M' } },
    { name: 'rolling', amount: given(10, 60), window: { rolling: 'P1D' } },
    { name: 'day', amount: given(10, 60), window: { calendar: 'day', timeZone } },
    { name: 'week', amount: given(10, 60), window: { calendar: 'week', timeZone } },
    { name: 'month', amount: given(10, 60), window: { calendar: 'month', timeZone } },
  ];
  const chosen = new Set(Array.from({ length: choices.whole(1, limitsMax) }, () => choices.pick(all)));
  return all.filter((limit) => chosen.has(limit));
}

async function setBudget(
  guards: Guards,
  { keyBudgets }: Collections,
  { prepared: { apiKey, workspaceId }, currency }: { prepared: PreparedBooks; currency: string },
  choices: Choices,
): Promise<void> {
  const key = { apiKey, workspaceId };
  const name = `of-${currency.toLowerCase()}`;
  if (choices.chance(30)) await keyBudgets.remove(key, name);
  const before = (await keyBudgets.find([apiKey], [workspaceId])).get(apiKey)?.budgets.find((one) => one.name === name);
  // More than may be used until it is set.
  const amount = new Money(before?.used ?? 0).plus(choices.whole(30, 200)).toFixed(2);
  const startedAtMs = Date.now();
  await keyBudgets.set(key, { name, currency, amount: new Money(amount), window: 'total' }, new Date());
  guards.budgets.push({ startedAtMs, endedAtMs: Date.now(), apiKey, name, currency, amount });
}
