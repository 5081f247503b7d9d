import type { Currencies } from '../domain/currency.ts';
import { formatMoney } from '../domain/money.ts';
import type { Money } from '../domain/money.ts';

/** Money as the API shows it; as it is stored where its currency is no longer configured. */
export function showMoney(money: Money, currency: string, currencies: Currencies): string {
  const decimals = currencies.get(currency);
  return decimals === undefined ? money.toFixed() : formatMoney(money, decimals);
}
