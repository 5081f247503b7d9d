import { Option, type Command } from 'commander';
import { budgetUse, type Budget } from '../domain/budgets.ts';
import { calendarUnits } from '../domain/limits.ts';
import { Money } from '../domain/money.ts';
import { ServiceError } from '../errors.ts';
import { limitRefusal } from '../http/wallets/manage.ts';
import type { AuditedChange } from '../storage/audit.ts';
import type { ApiKey } from '../storage/keys/api-keys.ts';
import { TooManyBudgetsError, type NewBudget } from '../storage/keys/budgets.ts';
import { CommandError, orFail, UsageError } from './failures.ts';
import { findKey } from './lookup.ts';
import type { Printed } from './output.ts';
import { parseBudgetName, parseMost, parseMostOrders, parseTimeZone } from './parameters.ts';
import { withSession, type Session } from './session.ts';
import { checkCurrency } from './wallet.ts';

interface BudgetOptions {
  readonly key: string;
  readonly set?: string;
  readonly remove?: string;
  readonly currency?: string;
  readonly amount?: string;
  readonly count?: number;
  readonly window?: (typeof windows)[number];
  readonly timeZone?: string;
}

const windows = [...calendarUnits, 'total'] as const;

export function addBudgetVerb(verb: Command): void {
  const ofSet = (flags: string, description: string): Option => new Option(flags, description).conflicts('remove');
  verb
    .addOption(
      ofSet('--set <name>', 'sets the budget of this name; one that is there is replaced').argParser(parseBudgetName),
    )
    .addOption(ofSet('--currency <code>', 'with --set: of which orders'))
    .addOption(
      ofSet('--amount <amount>', 'with --set: the most that they may take; 0 forbids them').argParser(parseMost),
    )
    .addOption(ofSet('--count <n>', 'with --set: the most orders (default: any number)').argParser(parseMostOrders))
    .addOption(ofSet('--window <window>', 'with --set: of each day, week or month, or in total').choices(windows))
    .addOption(
      ofSet('--time-zone <name>', 'with --set: by whose clocks that begins (default: UTC)').argParser(parseTimeZone),
    )
    .option('--remove <name>', 'removes the budget of this name')
    .action(
      withSession<BudgetOptions>(
        (options, session) =>
          options.remove === undefined ? setBudget(options, session) : removeBudget(options, session),
        {
          check: (options) => {
            if (options.remove === undefined) wantedBudget(options);
          },
        },
      ),
    );
}

/** @throws UsageError the options name no budget. */
function wantedBudget({ set: name, currency, amount, count, window, timeZone }: BudgetOptions): NewBudget {
  if (name === undefined || currency === undefined || amount === undefined || window === undefined)
    throw new UsageError('give --set with --currency, --amount and --window, or --remove');
  if (window === 'total' && timeZone !== undefined) throw new UsageError('a budget in total has no --time-zone');
  return {
    ...{ name, currency, amount: new Money(amount) },
    ...(count !== undefined && { count }),
    window: window === 'total' ? window : { calendar: window, timeZone: timeZone ?? 'UTC' },
  };
}

async function setBudget(options: BudgetOptions, session: Session): Promise<Printed[]> {
  const { collections, currencies, recordCurrencies } = session;
  const wanted = wantedBudget(options);
  checkCurrency(wanted.currency, session);
  const refusal = limitRefusal(options.amount ?? '', currencies.get(wanted.currency) ?? 0);
  if (refusal !== undefined) throw new ServiceError(refusal.reason, { field: '--amount', value: refusal.value });
  return changeBudgets(options.key, textsOf(wanted), session, async (key) => {
    await recordCurrencies();
    const now = (await collections.testClocks.clockOf(key.workspaceId))();
    return collections.keyBudgets.set(key, wanted, now).catch((error: unknown) => {
      throw error instanceof TooManyBudgetsError ? new CommandError(`${error.message}: --remove one first`) : error;
    });
  });
}

function removeBudget({ key: id, remove: budget = '' }: BudgetOptions, session: Session): Promise<Printed[]> {
  return changeBudgets(id, { budget, remove: true }, session, async (key) =>
    orFail(
      await session.collections.keyBudgets.remove(key, budget),
      `key ${key.apiKey} has no budget ${budget}; see: key list`,
    ),
  );
}

/** @param values for the audit. @param make returns the budget as it was before. @returns the budgets of the key, as it leaves them. */
async function changeBudgets(
  id: string,
  values: AuditedChange['subject'],
  session: Session,
  make: (key: { readonly apiKey: string; readonly workspaceId: string }) => Promise<Budget | undefined>,
): Promise<Printed[]> {
  const key = await findKey(session.collections, id);
  const { id: apiKey, workspaceId } = key;
  const change = { action: 'key budget', workspaceId, subject: { key: apiKey, ...values } };
  await session.audited(
    change,
    () => make({ apiKey, workspaceId }),
    (before): AuditedChange['subject'] => (before === undefined ? {} : { before: JSON.stringify(textsOf(before)) }),
  );
  return (await budgetsOf([key], session)).get(apiKey) ?? [];
}

/** The budgets of keys with their use now, by key; absent of one that never had any. */
export async function budgetsOf(
  keys: readonly ApiKey[],
  { collections: { keyBudgets, testClocks }, present }: Session,
): Promise<Map<string, Printed[]>> {
  const workspaceIds = [...new Set(keys.map(({ workspaceId }) => workspaceId))];
  const found = keyBudgets.find(
    keys.map(({ id }) => id),
    workspaceIds,
  );
  const shown = [...(await found).values()].map(async ({ apiKey, workspaceId, budgets }) => {
    const now = (await testClocks.clockOf(workspaceId))();
    return [apiKey, budgets.map((budget) => present.budget(budgetUse(budget, now)))] as const;
  });
  return new Map(await Promise.all(shown));
}

/** A budget for the audit. */
function textsOf({ name, currency, amount, count, window }: NewBudget) {
  const by = window === 'total' ? { window } : { window: window.calendar, timeZone: window.timeZone };
  return { budget: name, currency, amount: amount.toFixed(), ...(count !== undefined && { count }), ...by };
}
