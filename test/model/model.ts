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
  status: 'COMPLETED' | 'FAILED';
  reversed: bigint;
  captured: bigint;
  released: bigint;
  /** In milliseconds; infinite for what does not expire while the test runs. */
  expiresAtMs: number;
}

/** An operation: a command with its body, the wallets and the order by their names here. */
export type Operation =
  | { readonly command: 'deposit'; readonly target: string; readonly amount: bigint }
  | { readonly command: 'withdraw'; readonly source: string; readonly amount: bigint }
  | { readonly command: 'create'; readonly source: string; readonly target: string; readonly amount: bigint }
  | {
      readonly command: 'hold';
      readonly source: string;
      readonly target: string;
      readonly amount: bigint;
      readonly expiresAtMs: number;
    }
  | {
      readonly command: 'capture' | 'release' | 'reverse';
      readonly order: string;
      readonly amount: bigint | undefined;
      readonly isFinal: boolean;
    };

/** The code of a refusal, or of a failure; undefined if it is COMPLETED. */
export type Outcome = { readonly refused: string } | { readonly failed: string | undefined };

/** The wallet of the world outside, which may always pay. */
export const world = 'EXTERNAL';

export class Model {
  readonly wallets = new Map<string, WalletState>();
  readonly orders = new Map<string, OrderState>();

  wallet(name: string): WalletState {
    const wallet = this.wallets.get(name);
    if (wallet === undefined) throw new Error(`no wallet ${name}`);
    return wallet;
  }

  clone(): Model {
    const copy = new Model();
    for (const [name, wallet] of this.wallets) copy.wallets.set(name, { ...wallet });
    for (const [name, order] of this.orders) copy.orders.set(name, { ...order });
    return copy;
  }

  /**
   * Does an operation; its order gets this name. @param nowMs when it is asked for. @param isPostedLate whether it is a hold
   * that is posted only after it has expired.
   */
  run(operation: Operation, name: string, nowMs: number, isPostedLate = false): Outcome {
    const made = (source: string, target: string, amount: bigint, type: string, expiresAtMs = Infinity): OrderState => {
      const progress = { reversed: 0n, captured: 0n, released: 0n };
      const order: OrderState = { type, source, target, amount, status: 'FAILED', ...progress, expiresAtMs };
      this.orders.set(name, order);
      return order;
    };
    switch (operation.command) {
      case 'deposit':
        return this.move(made(world, operation.target, operation.amount, 'DEPOSIT'));
      case 'withdraw':
        return this.move(made(operation.source, world, operation.amount, 'WITHDRAWAL'));
      case 'create':
        return this.move(made(operation.source, operation.target, operation.amount, 'TRANSFER'));
      case 'hold': {
        const { source, target, amount, expiresAtMs } = operation;
        const order = made(source, target, amount, 'HOLD', expiresAtMs);
        if (isPostedLate) return { failed: 'TR4225' };
        if (this.available(source) < amount) return { failed: 'TR4223' };
        this.wallet(source).held += amount;
        return this.complete(order);
      }
      default:
        return this.use(operation, made, nowMs);
    }
  }

  /** An operation on an order that was accepted, and failed when it was posted: another one at the same time had come first. */
  fail({ command, order: name, amount }: Extract<Operation, { order: string }>, as: string): void {
    const { source, target, amount: whole } = this.order(name);
    const [from, to] = command === 'reverse' ? [target, source] : [source, target];
    const type = { capture: 'CAPTURE', release: 'RELEASE', reverse: 'REVERSAL' }[command];
    const progress = { reversed: 0n, captured: 0n, released: 0n };
    const order = { type, source: from, target: to, amount: amount ?? whole, ...progress, expiresAtMs: Infinity };
    this.orders.set(as, { ...order, status: 'FAILED' });
  }

  /** What its expiry does to a hold, once it is due. */
  expire(name: string): void {
    const order = this.order(name);
    const rest = left(order);
    order.released += rest;
    this.wallet(order.source).held -= rest;
  }

  private use(
    { command, order: name, amount, isFinal }: Extract<Operation, { order: string }>,
    made: (source: string, target: string, amount: bigint, type: string) => OrderState,
    nowMs: number,
  ): Outcome {
    const parent = this.order(name);
    const isReversal = command === 'reverse';
    if (isReversal && parent.type !== 'TRANSFER' && parent.type !== 'CAPTURE') return { refused: 'TR4227' };
    if (!isReversal && parent.type !== 'HOLD') return { refused: 'TR4228' };
    if (parent.status !== 'COMPLETED') return { refused: 'TR4092' };
    const rest = isReversal ? parent.amount - parent.reversed : left(parent);
    if (!isReversal && (rest === 0n || nowMs >= parent.expiresAtMs)) return { refused: 'TR4225' };
    if (rest === 0n || (amount ?? rest) > rest) return { refused: 'TR4226' };
    const moved = amount ?? rest;
    const { source, target } = parent;
    if (command === 'reverse') {
      const outcome = this.move(made(target, source, moved, 'REVERSAL'));
      if (outcome.failed === undefined) parent.reversed += moved;
      return outcome;
    }
    this.wallet(source).held -= moved;
    if (command === 'release') {
      parent.released += moved;
      return this.complete(made(source, target, moved, 'RELEASE'));
    }
    parent.captured += moved;
    const outcome = this.move(made(source, target, moved, 'CAPTURE'));
    if (isFinal) this.expire(name);
    return outcome;
  }

  private move(order: OrderState): { readonly failed: string | undefined } {
    const { source, target, amount } = order;
    if (this.available(source) < amount) return { failed: 'TR4223' };
    if (source !== world) this.wallet(source).balance -= amount;
    if (target !== world) this.wallet(target).balance += amount;
    return this.complete(order);
  }

  private complete(order: OrderState): { readonly failed: undefined } {
    order.status = 'COMPLETED';
    return { failed: undefined };
  }

  private available(name: string): bigint {
    if (name === world) return 10n ** 30n;
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
