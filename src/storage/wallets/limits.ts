import type { Alert, AlertEvent } from '../../domain/alerts.ts';
import type { Limit, LimitUse } from '../../domain/limits.ts';
import { Money } from '../../domain/money.ts';
import type { Wallet } from '../../domain/wallet.ts';

/* How limits and alerts are stored. Their money is text in plain notation: a sum of debits may have more digits than a Decimal128. */

type AsText<T> = { readonly [Field in keyof T]: T[Field] extends Money | undefined ? string : T[Field] };

export type LimitDocument = AsText<Limit>;
export type LimitUseDocument = AsText<LimitUse>;
export type AlertDocument = AsText<Alert>;
export type AlertEventDocument = AsText<Omit<AlertEvent, 'limit'>> & { readonly limit: LimitUseDocument | null };

function textOf<Name extends string>(name: Name, money: Money | undefined): { readonly [Field in Name]?: string } {
  return money === undefined ? {} : ({ [name]: money.toFixed() } as { readonly [Field in Name]: string });
}

function moneyIn<Name extends string>(name: Name, text: string | undefined): { readonly [Field in Name]?: Money } {
  return text === undefined ? {} : ({ [name]: new Money(text) } as { readonly [Field in Name]: Money });
}

export function toLimitDocument({ amount, ...limit }: Limit): LimitDocument {
  return { ...limit, ...textOf('amount', amount) };
}

export function toLimit({ amount, ...limit }: LimitDocument): Limit {
  return { ...limit, ...moneyIn('amount', amount) };
}

export function toLimitUseDocument({ amount, used, ...use }: LimitUse): LimitUseDocument {
  return { ...use, ...textOf('amount', amount), used: used.toFixed() };
}

export function toLimitUse({ amount, used, ...use }: LimitUseDocument): LimitUse {
  return { ...use, ...moneyIn('amount', amount), used: new Money(used) };
}

export function toAlertDocument({ availableBelow, availableAbove, ...alert }: Alert): AlertDocument {
  return { ...alert, ...textOf('availableBelow', availableBelow), ...textOf('availableAbove', availableAbove) };
}

export function toAlert({ availableBelow, availableAbove, ...alert }: AlertDocument): Alert {
  return { ...alert, ...moneyIn('availableBelow', availableBelow), ...moneyIn('availableAbove', availableAbove) };
}

export function toAlertEventDocument({ available, balance, held, limit, ...event }: AlertEvent): AlertEventDocument {
  const money = { available: available.toFixed(), balance: balance.toFixed(), held: held.toFixed() };
  return { ...event, ...money, limit: limit && toLimitUseDocument(limit) };
}

export function toAlertEvent({ available, balance, held, limit, ...event }: AlertEventDocument): AlertEvent {
  const money = { available: new Money(available), balance: new Money(balance), held: new Money(held) };
  return { ...event, ...money, limit: limit && toLimitUse(limit) };
}

/** What a wallet's document says of its alerts. */
export function alertsOf({ alerts = [], alertEvents = 0 }: Pick<Wallet, 'alerts' | 'alertEvents'>) {
  return { alerts: alerts.map(toAlertDocument), alertEvents };
}
