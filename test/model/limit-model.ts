/*
 * Limits, budgets and alerts as the specification has them, and nothing of the service: every window is a sum over the debits that a
 * wallet has had, and what day, week or month a moment is of is asked of `Intl`. Amounts are cents.
 */

export type Window =
  | 'order'
  | 'total'
  | { readonly rollingMs: number }
  | { readonly calendar: 'day' | 'week' | 'month'; readonly timeZone: string };

export interface Limit {
  readonly name: string;
  readonly amount?: bigint;
  readonly count?: number;
  readonly window: Window;
}

export interface Budget extends Limit {
  readonly amount: bigint;
}

export interface Alert {
  readonly name: string;
  readonly below?: bigint;
  readonly above?: bigint;
  /** In ten thousandths. */
  readonly share?: { readonly limit: string; readonly of: bigint };
}

export interface Leg {
  /** Undefined is the world outside. */
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  readonly amount: bigint;
}

export interface Asked {
  readonly id: string;
  readonly type: 'TRANSFER' | 'WITHDRAWAL' | 'JOURNAL' | 'HOLD' | 'CAPTURE' | 'RELEASE' | 'REVERSAL' | 'DEPOSIT';
  readonly legs: readonly Leg[];
  readonly of?: string | undefined;
  /** Of a capture: whether the rest is released. */
  readonly isFinal?: boolean;
  readonly isOverLimits?: boolean;
  readonly key?: string | undefined;
}

export interface End {
  readonly failure: string | null;
  readonly leg?: number;
  /** The limit, its use and its number. */
  readonly limit?: readonly [name: string, used: bigint, usedCount: number];
}

interface Debit {
  readonly at: number;
  readonly amount: bigint;
  readonly order: string;
  /** The day, week or month that it is of, by calendar and zone, as far as that was asked. */
  readonly periods: Map<string, string>;
}

interface Wallet {
  balance: bigint;
  /** How often something moved on it. */
  moves: number;
  lastAt: number;
  limits: readonly Limit[];
  alerts: { readonly alert: Alert; isRaised: boolean }[];
  alertEvents: number;
  debits: Debit[];
  readonly holds: Map<string, bigint>;
}

interface KeyBudget {
  readonly budget: Budget;
  takes: Debit[];
}

/** An alert event: wallet, alert, whether it was raised, its number. */
export type Told = readonly [wallet: string, alert: string, isRaised: boolean, number: number];

/** A little more than the longest window. */
const keptMs = 32 * 24 * 3_600_000;

const formats = new Map<string, Intl.DateTimeFormat>();
function dateIn(timeZone: string, at: number): string {
  const options = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', options);
  formats.set(timeZone, format);
  return format.format(at);
}

/** What day, week or month a moment is of. */
function periodOf(
  { calendar, timeZone }: { calendar: 'day' | 'week' | 'month'; timeZone: string },
  at: number,
): string {
  const date = dateIn(timeZone, at);
  if (calendar === 'day') return date;
  if (calendar === 'month') return date.slice(0, 7);
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

/** Those of some debits that a window counts which ends at a moment. */
function within(window: Window, debits: readonly Debit[], at: number): readonly Debit[] {
  if (window === 'order') return [];
  if (window === 'total') return debits;
  if ('rollingMs' in window) return debits.filter((debit) => at - debit.at < window.rollingMs);
  const key = `${window.calendar} ${window.timeZone}`;
  const now = periodOf(window, at);
  return debits.filter((debit) => {
    const period = debit.periods.get(key) ?? periodOf(window, debit.at);
    debit.periods.set(key, period);
    return period === now;
  });
}

function sum(debits: readonly Debit[]): bigint {
  return debits.reduce((total, { amount }) => total + amount, 0n);
}

export class LimitModel {
  readonly wallets = new Map<string, Wallet>();
  readonly keys = new Map<string, KeyBudget[]>();
  readonly told: Told[] = [];
  /** What is left of what an order moved, by order. */
  readonly reversible = new Map<string, bigint>();

  add(id: string): void {
    const none = { limits: [], alerts: [], alertEvents: 0, debits: [], holds: new Map<string, bigint>() };
    this.wallets.set(id, { balance: 0n, moves: 0, lastAt: 0, ...none });
  }

  wallet(id: string): Wallet {
    return this.wallets.get(id)!;
  }

  held(id: string): bigint {
    return [...this.wallet(id).holds.values()].reduce((total, amount) => total + amount, 0n);
  }

  /** What counts towards a limit of a wallet at a moment, beside an order. */
  used(id: string, { window }: Limit, at: number): [bigint, number] {
    if (window === 'order') return [0n, 0];
    const { debits, holds } = this.wallet(id);
    const inside = within(window, debits, at);
    return [sum(inside) + this.held(id), new Set(inside.map(({ order }) => order)).size + holds.size];
  }

  setLimits(id: string, limits: readonly Limit[], at: number): void {
    this.wallet(id).limits = limits;
    this.judgeAlerts(id, Math.max(at, this.wallet(id).lastAt));
  }

  setAlerts(id: string, alerts: readonly Alert[], at: number): void {
    const before = this.wallet(id).alerts;
    const isSame = (a: Alert, b: Alert): boolean => inspect(a) === inspect(b);
    this.wallet(id).alerts = alerts.map(
      (alert) => before.find((each) => isSame(each.alert, alert)) ?? { alert, isRaised: false },
    );
    this.judgeAlerts(id, Math.max(at, this.wallet(id).lastAt));
  }

  judgeAlerts(id: string, at: number): void {
    const wallet = this.wallet(id);
    const available = wallet.balance - this.held(id);
    for (const each of wallet.alerts) {
      const isRaised = this.#isTrue(id, each.alert, available, at);
      if (isRaised === each.isRaised) continue;
      each.isRaised = isRaised;
      wallet.alertEvents += 1;
      this.told.push([id, each.alert.name, isRaised, wallet.alertEvents]);
    }
  }

  #isTrue(id: string, { below, above, share }: Alert, available: bigint, at: number): boolean {
    if (below !== undefined) return available < below;
    if (above !== undefined) return available > above;
    const limit = this.wallet(id).limits.find(({ name }) => name === share!.limit);
    if (limit === undefined) return false;
    const [used, usedCount] = this.used(id, limit, at);
    return (
      (limit.amount !== undefined && used * 10_000n >= share!.of * limit.amount) ||
      (limit.count !== undefined && BigInt(usedCount) * 10_000n >= share!.of * BigInt(limit.count))
    );
  }

  /** Posts a group at a moment. Whoever has too little is tried once more behind all others. */
  post(group: readonly Asked[], at: number): Map<string, End> {
    const ends = new Map<string, End>();
    const before = new Map([...this.wallets].map(([id, { moves }]) => [id, [moves, this.held(id)] as const]));
    const lacking = group.filter((asked) => {
      const end = this.#postOne(asked, at);
      ends.set(asked.id, end);
      return end.failure === 'INSUFFICIENT_BALANCE';
    });
    for (const asked of lacking) ends.set(asked.id, this.#postOne(asked, at));
    for (const [id, wallet] of this.wallets) {
      const [moves, held] = before.get(id)!;
      if (moves !== wallet.moves || held !== this.held(id)) this.judgeAlerts(id, Math.max(at, wallet.lastAt));
      wallet.debits = wallet.debits.filter((debit) => at - debit.at < keptMs);
    }
    return ends;
  }

  #postOne(asked: Asked, at: number): End {
    const named = new Set(asked.legs.flatMap(({ source = '', target = '' }) => [source, target]));
    const saved = [...named].flatMap((id) => {
      const wallet = this.wallets.get(id);
      return wallet === undefined ? [] : [{ wallet, ...wallet, count: wallet.debits.length, holds: [...wallet.holds] }];
    });
    const end = this.#apply(asked, at);
    if (end.failure !== null) {
      for (const { wallet, balance, moves, lastAt, count, holds } of saved) {
        Object.assign(wallet, { balance, moves, lastAt });
        wallet.debits.length = count;
        wallet.holds.clear();
        for (const [id, amount] of holds) wallet.holds.set(id, amount);
      }
      return end;
    }
    for (const budget of (asked.key === undefined ? undefined : this.keys.get(asked.key)) ?? []) {
      const amount = this.#takes(asked).reduce((total, leg) => total + leg.amount, 0n);
      if (amount > 0n) budget.takes.push({ at, amount, order: asked.id, periods: new Map() });
    }
    if (asked.type === 'REVERSAL')
      this.reversible.set(asked.of!, this.reversible.get(asked.of!)! - asked.legs[0]!.amount);
    if (asked.type === 'TRANSFER') this.reversible.set(asked.id, asked.legs[0]!.amount);
    return end;
  }

  #takes({ type, legs }: Asked): readonly Leg[] {
    return ['TRANSFER', 'WITHDRAWAL', 'JOURNAL', 'HOLD'].includes(type)
      ? legs.filter(({ source }) => source !== undefined)
      : [];
  }

  #apply(asked: Asked, at: number): End {
    const { type, legs, of, id } = asked;
    const [first] = legs;
    let passed: End | undefined;
    if (type === 'RELEASE' || type === 'CAPTURE') {
      const holds = this.wallet(first!.source!).holds;
      const left = holds.get(of!) ?? 0n;
      if (left === 0n) return { failure: 'HOLD_CLOSED' };
      if (first!.amount > left) return { failure: 'EXCEEDS_REMAINING' };
      const rest = type === 'CAPTURE' && asked.isFinal === true ? 0n : left - first!.amount;
      if (rest === 0n) holds.delete(of!);
      else holds.set(of!, rest);
      if (type === 'RELEASE') return { failure: null };
    }
    if (type === 'REVERSAL') {
      const left = this.reversible.get(of!) ?? 0n;
      if (first!.amount > left) return { failure: 'EXCEEDS_REMAINING' };
    }
    const isJudged = type !== 'CAPTURE' && type !== 'DEPOSIT' && asked.isOverLimits !== true;
    for (const [leg, { source, target, amount }] of legs.entries()) {
      if (source !== undefined) {
        const wallet = this.wallet(source);
        if (wallet.balance - this.held(source) < amount) return { failure: 'INSUFFICIENT_BALANCE', leg };
        const date = Math.max(at, wallet.lastAt);
        if (isJudged) passed ??= this.#passedLimit(source, asked, leg, date);
      }
      passed ??= this.#passedBudget(asked, leg, at);
      if (type === 'HOLD') {
        this.wallet(source!).holds.set(id, amount);
        continue;
      }
      this.#move(id, { source, target, amount }, at);
    }
    return passed ?? { failure: null };
  }

  #move(order: string, { source, target, amount }: Leg, at: number): void {
    for (const id of [source, target]) {
      if (id === undefined) continue;
      const wallet = this.wallet(id);
      wallet.lastAt = Math.max(wallet.lastAt, at);
      wallet.moves += 1;
      wallet.balance += id === source ? -amount : amount;
      if (id === source) wallet.debits.push({ at: wallet.lastAt, amount, order, periods: new Map() });
    }
  }

  /** The first limit of a source that a leg would pass. */
  #passedLimit(source: string, { id, legs }: Asked, leg: number, at: number): End | undefined {
    const earlier = legs.slice(0, leg).filter((each) => each.source === source);
    const taken = earlier.reduce((total, { amount }) => total + amount, 0n);
    for (const limit of this.wallet(source).limits) {
      const [used, usedCount] = limit.window === 'order' ? [taken, 0] : this.used(source, limit, at);
      const more = this.wallet(source).debits.at(-1)?.order === id ? 0 : 1;
      const isOver =
        (limit.amount !== undefined && used + legs[leg]!.amount > limit.amount) ||
        (limit.count !== undefined && usedCount + more > limit.count);
      if (isOver) return { failure: 'LIMIT_EXCEEDED', leg, limit: [limit.name, used, usedCount] };
    }
    return undefined;
  }

  /** The first budget, by name, that a leg would pass. */
  #passedBudget(asked: Asked, leg: number, at: number): End | undefined {
    const takes = this.#takes(asked);
    const taking = asked.legs[leg]!;
    if (!takes.includes(taking)) return undefined;
    const earlier = takes.slice(0, takes.indexOf(taking)).reduce((total, { amount }) => total + amount, 0n);
    const budgets = (asked.key === undefined ? undefined : this.keys.get(asked.key)) ?? [];
    for (const { budget, takes: before } of budgets.toSorted((a, b) => (a.budget.name < b.budget.name ? -1 : 1))) {
      const inside = within(budget.window, before, at);
      const used = sum(inside) + earlier;
      const usedCount = inside.length + (earlier > 0n ? 1 : 0);
      const isOver =
        used + taking.amount > budget.amount ||
        (budget.count !== undefined && usedCount + (earlier > 0n ? 0 : 1) > budget.count);
      if (isOver) return { failure: 'KEY_BUDGET_EXCEEDED', leg, limit: [budget.name, used, usedCount] };
    }
    return undefined;
  }
}

function inspect(alert: Alert): string {
  return JSON.stringify(alert, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
