/* Limits, alerts and budgets as a run set them. */

/** A limit or an alert as it was set: amounts as text. */
export interface AskedLimit {
  name: string;
  amount?: string;
  count?: number;
  window: 'order' | { rolling: string } | { calendar: 'day' | 'week' | 'month'; timeZone: string };
}
export interface AskedAlert {
  /** Of no other alert of the stack's life, so its events begin with `raised`, and take turns. */
  name: string;
  availableBelow?: string;
  availableAbove?: string;
  limitUsed?: { limit: string; share: string };
}

interface SetAt {
  startedAtMs: number;
  endedAtMs: number;
}
/** Limits of a wallet, for all that is posted after its flow `since`, until it is given others. */
export interface SetLimits extends SetAt {
  walletId: string;
  since: number;
  limits: readonly AskedLimit[];
}
export interface SetAlerts extends SetAt {
  walletId: string;
  alerts: readonly AskedAlert[];
}
export interface SetBudget extends SetAt {
  apiKey: string;
  name: string;
  currency: string;
  amount: string;
}

/** Whatever was set in a stack's life, in the order in which it was. */
export interface Guards {
  limits: SetLimits[];
  alerts: SetAlerts[];
  budgets: SetBudget[];
}
