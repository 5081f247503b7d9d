/*
 * What orders of every type do, said once more and on its own: the oracle of model.long.test.ts. It imports nothing of the
 * service. Amounts are cents.
 */

export interface WalletState {
  balance: bigint;
  held: bigint;
}

export interface OrderState {
  readonly type: string;
  readonly source: string;
  readonly target: string;
  readonly amount: bigint;
  status: 'SCHEDULED' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  reversed: bigint;
  captured: bigint;
  released: bigint;
  /** When the service does something about it by itself, in milliseconds; infinite if it does not. */
  readonly dueMs: number;
}

/** A transfer, its wallets by their names here. */
export interface Transfer extends Later {
  readonly source: string;
  readonly target: string;
  readonly amount: bigint;
}

interface Later {
  /** In milliseconds; absent: at once. */
  readonly executeAtMs?: number;
}

/** What refers to an order, by its name here. */
interface Use {
  readonly command: 'capture' | 'release' | 'reverse';
  readonly order: string;
  readonly amount: bigint | undefined;
  readonly isFinal: boolean;
}

export type Operation =
  | ({ readonly command: 'deposit'; readonly target: string; readonly amount: bigint } & Later)
  | ({ readonly command: 'withdraw'; readonly source: string; readonly amount: bigint } & Later)
  | ({ readonly command: 'create' | 'preview' } & Transfer)
  | ({ readonly command: 'hold'; readonly expiresAtMs: number } & Transfer)
  | Use
  | { readonly command: 'cancel'; readonly order: string }
  | { readonly command: 'atomic batch'; readonly lines: readonly Transfer[] }
  /** What the service does by itself when an order's time comes. */
  | { readonly command: 'due'; readonly order: string };

/** The code of a refusal; or else the state that it ended in, a failure's code, what a preview shows. */
export type Outcome = { readonly refused: string } | { readonly ended: string };

/** Something that was done, and what came of it. */
export interface Event {
  readonly operation: Operation;
  /** Of the order that it makes. */
  readonly name: string;
  readonly outcome: Outcome;
}

/** The wallet of the world outside, which may always pay. */
export const world = 'EXTERNAL';

const balanceOfWorld = 10n ** 30n;

export class Model {
  readonly wallets = new Map<string, WalletState>();
  readonly orders = new Map<string, OrderState>();
  /** The holds that their expiry released something of, by an order that no client sent. */
  readonly expired = new Set<string>();

  wallet(name: string): WalletState {
    const wallet = this.wallets.get(name);
    if (wallet === undefined) throw new Error(`no wallet ${name}`);
    return wallet;
  }

  /** The orders that the service does something about by itself by then. */
  due(byMs: number): string[] {
    const waits = (order: OrderState): boolean =>
      order.status === 'SCHEDULED' || (order.type === 'HOLD' && order.status === 'COMPLETED' && left(order) > 0n);
    return [...this.orders].flatMap(([name, order]) => (order.dueMs <= byMs && waits(order) ? [name] : []));
  }

  /**
   * Whether there is an order of events in which each of them comes of what was before.
   * @returns the model after them, if there is.
   */
  explain(events: readonly Event[]): Model | undefined {
    // What is left does not depend on the order of what was done, because how it ended is known.
    const hopeless = new Set<number>();
    const all = 2 ** events.length - 1;
    const from = (model: Model, done: number): Model | undefined => {
      if (done === all) return model;
      if (hopeless.has(done)) return undefined;
      for (const [index, event] of events.entries()) {
        const bit = 2 ** index;
        if ((done & bit) !== 0) continue;
        const next = model.clone();
        const after = next.happens(event, events.length === 1) ? from(next, done | bit) : undefined;
        if (after !== undefined) return after;
      }
      hopeless.add(done);
      return undefined;
    };
    return from(this, 0);
  }

  /** Does an operation; its order gets this name. */
  run(operation: Operation, name: string): Outcome {
    switch (operation.command) {
      case 'deposit':
        return this.moveThen(this.make(name, 'DEPOSIT', { ...operation, source: world }, operation.executeAtMs));
      case 'withdraw':
        return this.moveThen(this.make(name, 'WITHDRAWAL', { ...operation, target: world }, operation.executeAtMs));
      case 'create':
        return this.moveThen(this.make(name, 'TRANSFER', operation, operation.executeAtMs));
      case 'hold':
        return this.hold(this.make(name, 'HOLD', operation, operation.expiresAtMs));
      case 'cancel':
        return this.cancel(operation.order);
      case 'due':
        return this.comesDue(operation.order);
      case 'atomic batch':
        return this.moveTogether(operation.lines, name);
      case 'preview':
        return this.preview(operation);
      default:
        return this.use(operation, name);
    }
  }

  /** Whether an event can have ended as it did; if so, it is done. @param isAlone whether no other was under way. */
  private happens({ operation, name, outcome }: Event, isAlone: boolean): boolean {
    // Whoever sends it has seen that it came too late.
    if (operation.command === 'hold' && codeOf(outcome) === 'TR4225') {
      this.make(name, 'HOLD', operation);
      return true;
    }
    if ('executeAtMs' in operation && 'refused' in outcome) return outcome.refused === 'RQ4001';
    const expected = this.run(operation, name);
    if (codeOf(expected) !== codeOf(outcome)) return false;
    // With another one under way, what is refused may be found out only when it is posted.
    if ('refused' in expected !== 'refused' in outcome) {
      if (isAlone) return false;
      if ('refused' in outcome) this.orders.delete(name);
      else if (isUse(operation)) this.fail(operation, name);
      else return false;
    }
    return true;
  }

  private clone(): Model {
    const copy = new Model();
    for (const name of this.expired) copy.expired.add(name);
    for (const [name, wallet] of this.wallets) copy.wallets.set(name, { ...wallet });
    for (const [name, order] of this.orders) copy.orders.set(name, { ...order });
    return copy;
  }

  /** A new order, FAILED until it is said to be something else. */
  private make(name: string, type: string, { source, target, amount }: Transfer, dueMs = Infinity): OrderState {
    const progress = { reversed: 0n, captured: 0n, released: 0n };
    const order: OrderState = { type, source, target, amount, status: 'FAILED', ...progress, dueMs };
    this.orders.set(name, order);
    return order;
  }

  /** An operation on an order that was accepted, and failed when it was posted: another one at the same time had come first. */
  private fail({ command, order: name, amount }: Use, as: string): void {
    const { source, target, amount: whole } = this.order(name);
    const sides = command === 'reverse' ? { source: target, target: source } : { source, target };
    const type = { capture: 'CAPTURE', release: 'RELEASE', reverse: 'REVERSAL' }[command];
    this.make(as, type, { ...sides, amount: amount ?? whole });
  }

  private comesDue(name: string): Outcome {
    const order = this.orders.get(name);
    if (order === undefined) return { refused: 'it is not made yet' };
    if (order.status === 'CANCELLED') return { ended: order.status };
    if (order.type !== 'HOLD') return this.move(order);
    if (left(order) > 0n) this.expired.add(name);
    this.releaseRest(order);
    return { ended: 'EXPIRED' };
  }

  private cancel(name: string): Outcome {
    const order = this.order(name);
    if (order.status !== 'SCHEDULED' && order.status !== 'CANCELLED') return { refused: 'TR4092' };
    order.status = 'CANCELLED';
    return { ended: order.status };
  }

  private hold(order: OrderState): Outcome {
    if (this.available(order.source) < order.amount) return { ended: 'TR4223' };
    this.wallet(order.source).held += order.amount;
    return complete(order);
  }

  private releaseRest(order: OrderState): void {
    const rest = left(order);
    order.released += rest;
    this.wallet(order.source).held -= rest;
  }

  private use(operation: Use, as: string): Outcome {
    const { command, order: name, amount, isFinal } = operation;
    const parent = this.order(name);
    const isReversal = command === 'reverse';
    if (isReversal && ['HOLD', 'RELEASE', 'REVERSAL'].includes(parent.type)) return { refused: 'TR4227' };
    if (!isReversal && parent.type !== 'HOLD') return { refused: 'TR4228' };
    if (parent.status !== 'COMPLETED') return { refused: 'TR4092' };
    const rest = isReversal ? parent.amount - parent.reversed : left(parent);
    if (!isReversal && rest === 0n) return { refused: 'TR4225' };
    if (rest === 0n || (amount ?? rest) > rest) return { refused: 'TR4226' };
    const moved = amount ?? rest;
    const { source, target } = parent;
    if (command === 'reverse') {
      const outcome = this.move(this.make(as, 'REVERSAL', { source: target, target: source, amount: moved }));
      if (outcome.ended === 'COMPLETED') parent.reversed += moved;
      return outcome;
    }
    this.wallet(source).held -= moved;
    if (command === 'release') {
      parent.released += moved;
      return complete(this.make(as, 'RELEASE', { source, target, amount: moved }));
    }
    parent.captured += moved;
    const outcome = this.move(this.make(as, 'CAPTURE', { source, target, amount: moved }));
    if (isFinal) this.releaseRest(parent);
    return outcome;
  }

  /** All lines, or none: then the first that cannot be moved fails for its own reason, and the others because of it. */
  private moveTogether(lines: readonly Transfer[], name: string): Outcome {
    const trial = this.clone();
    const make = (model: Model, index: number) => model.make(`${name}.${index}`, 'TRANSFER', lines[index]!);
    const fault = lines.findIndex((_, index) => trial.move(make(trial, index)).ended !== 'COMPLETED');
    const codes = lines.map((_, index) => {
      const order = make(this, index);
      if (fault === -1) return this.move(order).ended;
      return index === fault ? 'TR4223' : 'TR4229';
    });
    return { ended: codes.join(' ') };
  }

  private preview({ source, target, amount }: Transfer): Outcome {
    const trial = this.clone();
    const { ended } = trial.move(trial.make('preview', 'TRANSFER', { source, target, amount }));
    const shown = (name: string): string => `${trial.wallet(name).balance} ${trial.available(name)}`;
    return { ended: `${ended}: ${shown(source)}, ${shown(target)}` };
  }

  /** At once, or when its time comes. */
  private moveThen(order: OrderState): Outcome {
    if (order.dueMs === Infinity) return this.move(order);
    order.status = 'SCHEDULED';
    return { ended: order.status };
  }

  private move(order: OrderState): { readonly ended: string } {
    const { source, target, amount } = order;
    if (this.available(source) < amount) {
      order.status = 'FAILED';
      return { ended: 'TR4223' };
    }
    if (source !== world) this.wallet(source).balance -= amount;
    if (target !== world) this.wallet(target).balance += amount;
    return complete(order);
  }

  private available(name: string): bigint {
    if (name === world) return balanceOfWorld;
    const { balance, held } = this.wallet(name);
    return balance - held;
  }

  private order(name: string): OrderState {
    const order = this.orders.get(name);
    if (order === undefined) throw new Error(`no order ${name}`);
    return order;
  }
}

/** What of a hold is still reserved. */
export function left({ amount, captured, released }: OrderState): bigint {
  return amount - captured - released;
}

function complete(order: OrderState): { readonly ended: string } {
  order.status = 'COMPLETED';
  return { ended: order.status };
}

function codeOf(outcome: Outcome): string {
  return 'refused' in outcome ? outcome.refused : outcome.ended;
}

function isUse(operation: Operation): operation is Use {
  return operation.command === 'capture' || operation.command === 'release' || operation.command === 'reverse';
}
