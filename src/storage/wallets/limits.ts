import type { Alert, AlertEvent } from '../../domain/alerts.ts';
import type { Limit, LimitUse } from '../../domain/limits.ts';
import { Money } from '../../domain/money.ts';
import type { Wallet } from '../../domain/wallet.ts';

/*
 * How limits, budgets and alerts are stored: as they are, but for their money, which is text in plain notation, because a sum of
 * debits may have more digits than a Decimal128.
 */

export type MoneyAsText<T> = { readonly [Field in keyof T]: T[Field] extends Money | undefined ? string : T[Field] };

export type LimitDocument = MoneyAsText<Limit>;
export type LimitUseDocument = MoneyAsText<LimitUse>;
export type AlertDocument = MoneyAsText<Alert>;
export type AlertEventDocument = MoneyAsText<Omit<AlertEvent, 'limit'>> & { readonly limit: LimitUseDocument | null };

/** The fields that have money, wherever they are. */
const ofMoney = new Set(['amount', 'used', 'availableBelow', 'availableAbove', 'available', 'balance', 'held']);

export function moneyAsText<T extends object>(value: T): MoneyAsText<T> {
  const asText = ([name, field]: [string, unknown]) => [name, Money.isDecimal(field) ? field.toFixed() : field];
  return Object.fromEntries(Object.entries(value).map(asText)) as MoneyAsText<T>;
}

/** @param toMoney what makes money of a text. */
export function moneyFromText<T extends object>(
  stored: MoneyAsText<T>,
  toMoney = (text: unknown) => new Money(text as string),
): T {
  const fromText = ([name, field]: [string, unknown]) => [name, ofMoney.has(name) ? toMoney(field) : field];
  return Object.fromEntries(Object.entries(stored).map(fromText)) as T;
}

export function toLimitUseDocument(use: LimitUse): LimitUseDocument {
  return moneyAsText(use);
}

export function toAlertEventDocument({ limit, ...event }: AlertEvent): AlertEventDocument {
  return { ...moneyAsText(event), limit: limit && moneyAsText(limit) };
}

export function toAlertEvent({ limit, ...event }: AlertEventDocument): AlertEvent {
  return { ...moneyFromText<Omit<AlertEvent, 'limit'>>(event), limit: limit && moneyFromText<LimitUse>(limit) };
}

/** What a wallet's document says of its alerts. */
export function alertsOf({ alerts = [], alertEvents = 0 }: Pick<Wallet, 'alerts' | 'alertEvents'>) {
  return { alerts: alerts.map(moneyAsText), alertEvents };
}
