import type { Alert } from '../../domain/alerts.ts';
import type { Flow } from '../../domain/wallet.ts';
import { numberIn } from '../../domain/order-counts.ts';
import { showLimits } from '../../http/wallets/limits.ts';
import type { Presenter } from '../../orders/present.ts';
import { operatorMaxMs } from '../../storage/shared/commands.ts';
import { checkLastFlows } from '../../verify/chain.ts';
import { html, type Html } from './html.ts';
import { facts, idLink, idTitle, moment, ordersLink, section, table, workspaceLink } from './parts.ts';
import type { PageContext } from './serving.ts';
import { count, time, unknown, windowOf } from './words.ts';

const flowsShownMax = 20;
/** Checking more would keep the process, which answers the API too, from its work. */
const flowsCheckedMax = 1_000;

/** A wallet with its last flows, and whether they follow from each other; undefined if there is none. */
export async function walletPage(id: string, { collections, present }: PageContext): Promise<Html | undefined> {
  const { lookups, wallets, testClocks } = collections;
  const wallet = await wallets.findAnywhere(id);
  if (wallet === undefined) return undefined;
  const now = (await testClocks.clockOf(wallet.workspaceId))();
  const { limits } = await showLimits(wallet, now, { ...collections, present, timeLeftMs: () => operatorMaxMs });
  const flows = await lookups.lastFlows(wallet, flowsCheckedMax);
  const checked = checkLastFlows(wallet, flows, wallet.sequence <= flowsCheckedMax);
  const { currency, alerts = [], metadata = {} } = wallet;
  const notes = Object.entries(metadata).map(([name, value]) => `${name}: ${value}`);
  const money = (amount: Flow['amount']): string => present.money(amount, currency);
  const shown = present.wallet(wallet);
  return html`<section>
      ${idTitle('Wallet', id)}
      ${facts({
        name: wallet.name,
        ...(wallet.reference !== undefined && { reference: html`<code>${wallet.reference}</code>` }),
        ...(wallet.metadata !== undefined && { metadata: notes.join(', ') }),
        status: wallet.kind === 'EXTERNAL' ? 'EXTERNAL: the world outside' : wallet.status,
        balance: `${shown.balance} ${currency}`,
        held: `${shown.held} ${currency}`,
        'credit limit': `${shown.creditLimit} ${currency}`,
        available: `${shown.available} ${currency}`,
        workspace: workspaceLink(wallet.workspaceId),
        flows: count(wallet.sequence),
        'failed orders': count(numberIn(wallet.orders, 'FAILED')),
        orders: html`${ordersLink('failed', { wallet: id })}
        ${ordersLink('set aside', { wallet: id, status: 'SET_ASIDE' })}`,
        made: time(wallet.createdAt),
        chain: chainMark(checked),
      })}
    </section>
    ${limits.length === 0 ? '' : section('Its limits', limitsTable(limits))}
    ${alerts.length === 0 ? '' : section('Its alerts', alertsTable(alerts, currency, present))}
    <section>
      <h2>Its last flows</h2>
      ${table<Flow>({
        id: 'flows',
        columns: {
          number: ({ sequence }) => sequence,
          time: ({ createdAt }) => moment(createdAt),
          order: ({ transferId }) => idLink(transferId),
          'other side': ({ counterpartyWalletId }) => idLink(counterpartyWalletId),
          amount: ({ direction, amount }) => `${direction === 'DEBIT' ? '−' : '+'}${money(amount)}`,
          'balance after': ({ balanceAfter }) => money(balanceAfter),
        },
        rows: flows.slice(-flowsShownMax).reverse(),
      })}
    </section>`;
}

function limitsTable(limits: readonly ReturnType<Presenter['limitUse']>[]): Html {
  return table({
    id: 'limits',
    columns: {
      name: ({ name }) => name,
      of: ({ window }) => windowOf(window),
      amount: ({ amount }) => amount ?? unknown,
      used: ({ used }) => used,
      remaining: ({ remaining }) => remaining ?? unknown,
      orders: ({ count: most }) => count(most ?? undefined),
      'orders used': ({ usedCount }) => count(usedCount),
      'begins anew': ({ resetsAt }) => (resetsAt === null ? '' : moment(new Date(resetsAt))),
    },
    rows: limits,
  });
}

function alertsTable(alerts: readonly Alert[], currency: string, present: Presenter): Html {
  return table<Alert>({
    id: 'alerts',
    columns: {
      name: ({ name }) => name,
      state: ({ state }) => state,
      since: ({ since }) => moment(since),
      when: (alert) => conditionOf(present.alert(alert, currency)),
    },
    rows: alerts,
  });
}

function conditionOf({ availableBelow, availableAbove, limitUsed }: ReturnType<Presenter['alert']>): string {
  if (limitUsed !== null) return `${limitUsed.share} of the limit ${limitUsed.limit} is used`;
  return availableBelow === null ? `available above ${availableAbove ?? ''}` : `available below ${availableBelow}`;
}

function chainMark({ count: checked, areAll, breaches }: ReturnType<typeof checkLastFlows>): Html {
  const flows = areAll ? `all ${count(checked)} flows` : `the last ${count(checked)} flows`;
  if (breaches.length === 0) return html`<b class="status COMPLETED">verifies</b>, ${flows}`;
  const list = breaches
    .slice(0, 10)
    .map(({ kind, id, message }) => html`<li>${kind} <code>${id}</code>: ${message}</li>`);
  return html`<b class="status FAILED">does not verify</b>: of ${flows}, ${count(breaches.length)} breaches
    <ul>
      ${list}
    </ul>`;
}
