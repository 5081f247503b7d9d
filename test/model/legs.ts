/*
 * What orders do that have legs, said once more and on its own: the oracle of journals.test.ts. It imports nothing of the service.
 * Amounts are whole units of the last decimal of their currency.
 */

export interface Leg {
  readonly source: string;
  readonly target: string;
  readonly amount: bigint;
  readonly currency: string;
  /** The leg of the order that it refers to; absent if it refers to none, or to the whole of it. */
  readonly parentLeg?: number;
}

/** What a client asks for. A wallet of the world outside has a name too. */
export type Asked =
  | { readonly type: 'JOURNAL'; readonly legs: readonly Leg[] }
  | { readonly type: 'TRANSFER' | 'DEPOSIT' | 'WITHDRAWAL' | 'HOLD'; readonly leg: Leg }
  | { readonly type: 'RELEASE'; readonly of: string; readonly amount?: bigint }
  | ({ readonly type: 'CAPTURE'; readonly of: string; readonly isFinal: boolean } & (
      { readonly amount?: bigint } | { readonly legs: readonly { readonly target?: string; readonly amount: bigint }[] }
    ))
  | ({ readonly type: 'REVERSAL'; readonly of: string } & (
      { readonly amount?: bigint } | { readonly legs: readonly { readonly leg: number; readonly amount?: bigint }[] }
    ));

export interface Order {
  readonly type: Asked['type'];
  readonly legs: readonly Leg[];
  /** Whether its answer has `legs`, and its failure a leg. */
  readonly hasLegs: boolean;
  readonly of?: string;
  readonly isFinal?: boolean;
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  readonly failure: string | null;
  readonly failureLeg?: number;
  /** Of each leg. */
  readonly reversed: readonly bigint[];
  readonly captured: bigint;
  readonly released: bigint;
}

export interface Wallet {
  readonly currency: string;
  readonly balance: bigint;
  readonly held: bigint;
  readonly sequence: number;
  readonly kind: 'OUTSIDE' | 'USUAL' | 'FROZEN';
}

export interface Flow {
  readonly wallet: string;
  readonly sequence: number;
  readonly direction: 'DEBIT' | 'CREDIT';
  readonly amount: bigint;
  readonly currency: string;
  readonly before: bigint;
  readonly after: bigint;
  readonly order: string;
  readonly leg: number;
  readonly counterparty: string;
}

interface Fault {
  readonly name: string;
  readonly leg?: number;
}

/** The first balance that has too many digits. */
const beyond = 10n ** 34n;

export class LegModel {
  readonly wallets = new Map<string, Wallet>();
  readonly orders = new Map<string, Order>();
  /** Those of the last group. */
  flows: Flow[] = [];
  /** What takes back what was changed since the unit began. */
  #undo: (() => void)[] = [];

  /** @returns the order that is made of what is asked, or why it is refused. */
  accept(asked: Asked): Order | string {
    const made = { status: 'PENDING', failure: null, captured: 0n, released: 0n } as const;
    const make = (legs: readonly Leg[], hasLegs: boolean, more: Partial<Order> = {}): Order => ({
      ...{ type: asked.type, legs, hasLegs, ...made, reversed: legs.map(() => 0n), ...more },
    });
    if ('leg' in asked) return make([asked.leg], false);
    if (!('of' in asked)) return make(asked.legs, true);
    const { of } = asked;
    const parent = this.order(of);
    if (asked.type === 'REVERSAL') {
      const legs = this.#legsBack(parent, asked);
      return typeof legs === 'string' ? legs : make(legs, parent.hasLegs, { of });
    }
    const rest = heldBy(parent);
    const { source, target, currency } = parent.legs[0]!;
    const several = 'legs' in asked ? asked.legs : [];
    const amount = 'legs' in asked ? several.reduce((sum, leg) => sum + leg.amount, 0n) : (asked.amount ?? rest);
    if (rest === 0n) return 'HOLD_CLOSED';
    if (amount > rest) return 'EXCEEDS_REMAINING';
    const more = { of, isFinal: asked.type === 'CAPTURE' && asked.isFinal };
    if (several.length === 0) return make([{ source, target, amount, currency }], false, more);
    return make(
      several.map((leg) => ({ source, currency, target: leg.target ?? target, amount: leg.amount })),
      true,
      more,
    );
  }

  #legsBack(parent: Order, asked: Extract<Asked, { type: 'REVERSAL' }>): readonly Leg[] | string {
    const left = parent.legs.map(({ amount }, place) => amount - parent.reversed[place]!);
    const back = (place: number, amount: bigint): Leg => {
      const { source, target, currency } = parent.legs[place]!;
      return { source: target, target: source, amount, currency, ...(parent.hasLegs ? { parentLeg: place } : {}) };
    };
    if (!('legs' in asked)) {
      const amount = asked.amount ?? left[0]!;
      if (left.every((each) => each === 0n) || (!parent.hasLegs && amount > left[0]!)) return 'EXCEEDS_REMAINING';
      if (!parent.hasLegs) return [back(0, amount)];
    }
    const named = 'legs' in asked ? asked.legs : left.flatMap((each, leg) => (each > 0n ? [{ leg }] : []));
    const legs = named.map(({ leg, amount = left[leg]! }: { leg: number; amount?: bigint }) => back(leg, amount));
    if (legs.some(({ parentLeg = 0, amount }) => amount === 0n || amount > left[parentLeg]!))
      return 'EXCEEDS_REMAINING';
    return legs.toSorted((a, b) => b.parentLeg! - a.parentLeg!);
  }

  /** Posts units in their order; those that lack money are tried once more behind all. @param units ids of accepted orders. */
  post(units: readonly (readonly string[])[]): void {
    this.flows = [];
    const again = units.filter((unit) => {
      const fault = this.#try(unit);
      if (fault?.name === 'INSUFFICIENT_BALANCE') return true;
      if (fault !== undefined) this.#fail(unit, fault);
      return false;
    });
    for (const unit of again) {
      const fault = this.#try(unit);
      if (fault !== undefined) this.#fail(unit, fault);
    }
  }

  /** All orders of a unit, or nothing. */
  #try(unit: readonly string[]): (Fault & { readonly at: string }) | undefined {
    this.#undo = [];
    const flowsBefore = this.flows.length;
    for (const id of unit) {
      const fault = this.#apply(id);
      if (fault === undefined) {
        this.#set(this.orders, id, { ...this.order(id), status: 'COMPLETED' });
        continue;
      }
      for (const undo of this.#undo.toReversed()) undo();
      this.flows.length = flowsBefore;
      return { ...fault, at: id };
    }
    return undefined;
  }

  #fail(unit: readonly string[], { name, leg, at }: Fault & { readonly at: string }): void {
    for (const id of unit) {
      const order = this.order(id);
      const place = id === at && order.hasLegs && leg !== undefined ? { failureLeg: leg } : {};
      this.orders.set(id, { ...order, status: 'FAILED', failure: id === at ? name : 'BATCH_FAILED', ...place });
    }
  }

  #apply(id: string): Fault | undefined {
    const order = this.order(id);
    const amount = order.legs.reduce((sum, leg) => sum + leg.amount, 0n);
    const [first] = order.legs;
    if (order.type === 'HOLD') return this.#hold(first!);
    if (order.of === undefined) return this.#moveAll(id, order.legs);
    const parent = this.order(order.of);
    if (order.type === 'REVERSAL') {
      const reversed = [...parent.reversed];
      for (const [place, leg] of order.legs.entries()) {
        const at = leg.parentLeg ?? 0;
        reversed[at]! += leg.amount;
        if (reversed[at]! > parent.legs[at]!.amount) return { name: 'EXCEEDS_REMAINING', leg: place };
      }
      this.#set(this.orders, order.of, { ...parent, reversed });
      return this.#moveAll(id, order.legs);
    }
    const rest = heldBy(parent);
    if (rest === 0n) return { name: 'HOLD_CLOSED' };
    if (amount > rest) return { name: 'EXCEEDS_REMAINING' };
    const isCapture = order.type === 'CAPTURE';
    const released = isCapture ? (order.isFinal === true ? rest - amount : 0n) : amount;
    const captured = isCapture ? amount : 0n;
    this.#set(this.orders, order.of, {
      ...parent,
      captured: parent.captured + captured,
      released: parent.released + released,
    });
    this.#free(first!.source, amount);
    const fault = isCapture ? this.#moveAll(id, order.legs) : undefined;
    if (isCapture) this.#free(first!.source, released);
    return fault;
  }

  #free(name: string, amount: bigint): void {
    const wallet = this.wallet(name);
    this.#set(this.wallets, name, { ...wallet, held: wallet.held - amount });
  }

  #hold({ source: name, target, amount }: Leg): Fault | undefined {
    const source = this.wallet(name);
    if (source.kind === 'FROZEN' || this.wallet(target).kind === 'FROZEN') return { name: 'WALLET_NOT_ACTIVE' };
    if (source.balance - source.held < amount) return { name: 'INSUFFICIENT_BALANCE' };
    this.#set(this.wallets, name, { ...source, held: source.held + amount });
    return undefined;
  }

  #moveAll(order: string, legs: readonly Leg[]): Fault | undefined {
    for (const [leg, each] of legs.entries()) {
      const name = this.#move(order, leg, each);
      if (name !== undefined) return { name, leg };
    }
    return undefined;
  }

  #move(order: string, leg: number, { source, target, amount }: Leg): string | undefined {
    const [from, to] = [this.wallet(source), this.wallet(target)];
    if (from.kind === 'FROZEN' || to.kind === 'FROZEN') return 'WALLET_NOT_ACTIVE';
    if (from.kind === 'USUAL' && from.balance - from.held < amount) return 'INSUFFICIENT_BALANCE';
    const [less, more] = [from.balance - amount, to.balance + amount];
    if (less <= -beyond || more >= beyond) return 'BALANCE_LIMIT';
    const flow = { amount, currency: from.currency, order, leg };
    this.#book(source, { ...flow, direction: 'DEBIT', after: less, counterparty: target });
    this.#book(target, { ...flow, direction: 'CREDIT', after: more, counterparty: source });
    return undefined;
  }

  #book(name: string, flow: Omit<Flow, 'wallet' | 'sequence' | 'before'>): void {
    const wallet = this.wallet(name);
    const sequence = wallet.sequence + 1;
    this.flows.push({ ...flow, wallet: name, sequence, before: wallet.balance });
    this.#set(this.wallets, name, { ...wallet, balance: flow.after, sequence });
  }

  #set<Value>(map: Map<string, Value>, key: string, value: Value): void {
    const before = map.get(key)!;
    this.#undo.push(() => map.set(key, before));
    map.set(key, value);
  }

  wallet(name: string): Wallet {
    const wallet = this.wallets.get(name);
    if (wallet === undefined) throw new Error(`no wallet ${name}`);
    return wallet;
  }

  order(id: string): Order {
    const order = this.orders.get(id);
    if (order === undefined) throw new Error(`no order ${id}`);
    return order;
  }
}

/** What a hold reserves still. */
export function heldBy({ legs, captured, released }: Order): bigint {
  return legs[0]!.amount - captured - released;
}
