import { Decimal128 } from 'mongodb';
import { Money } from '../domain/money.ts';

/** Exact both ways: money never passes through a floating-point number. */
export function toDecimal128(money: Money): Decimal128 {
  return Decimal128.fromString(money.toFixed());
}

export function fromDecimal128(stored: Decimal128): Money {
  return new Money(stored.toString());
}
