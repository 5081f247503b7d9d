import { isTestWorkspace } from '../../domain/ids.ts';
import { countedMax } from '../../storage/lookups.ts';
import { operatorMaxMs } from '../../storage/shared/commands.ts';
import type { WebhookEndpoint } from '../../storage/webhooks/endpoints.ts';
import { html, type Html } from './html.ts';
import { facts, idTitle, ordersLink, section, statusMark, table } from './parts.ts';
import type { PageContext } from './serving.ts';
import { count, countTo, duration, time } from './words.ts';

const recentSeconds = 60;

/** A workspace: how many orders wait, how fast they come, its lists of orders and its webhooks; undefined if there is none. */
export async function workspacePage(id: string, { collections }: PageContext): Promise<Html | undefined> {
  const { backlog, lookups, testClocks, webhookEndpoints, workspaces } = collections;
  const workspace = await workspaces.findAny(id);
  if (workspace === undefined) return undefined;
  const at = (await testClocks.clockOf(id))();
  const [pending, oldest, accepted, webhooks] = await Promise.all([
    backlog.countOf(id, countedMax),
    backlog.oldestOf(id),
    lookups.accepted(id, new Date(at.getTime() - recentSeconds * 1_000)),
    webhookEndpoints.list(id, { maxTimeMS: operatorMaxMs }),
  ]);
  return html`<section>
      ${idTitle('Workspace', id)}
      ${facts({
        name: workspace.name,
        ...(isTestWorkspace(id) && { 'a test workspace': `its clock shows ${time(at)}` }),
        made: time(workspace.createdAt),
        ...(workspace.deletedAt && { deleted: time(workspace.deletedAt) }),
        backlog: `${countTo(pending, pending >= countedMax)} orders wait`,
        oldest: oldest === undefined ? 'none waits' : `waits for ${duration(at.getTime() - oldest.getTime())}`,
        accepted: `${countTo(accepted, accepted >= countedMax)} in the last minute, ${count(accepted / recentSeconds)} a second`,
        orders: html`${ordersLink('failed', { workspace: id })}
        ${ordersLink('set aside', { workspace: id, status: 'SET_ASIDE' })}`,
      })}
    </section>
    ${webhooks.length === 0 ? '' : section('Webhooks', webhooksTable(webhooks))}`;
}

/** Only the host of a URL is shown, because paths of receivers may be secret. */
function webhooksTable(webhooks: readonly WebhookEndpoint[]): Html {
  return table<WebhookEndpoint>({
    id: 'webhooks',
    columns: {
      webhook: ({ id }) => html`<code>${id}</code>`,
      receiver: ({ url }) => URL.parse(url)?.host ?? '',
      status: ({ status, disabledReason }) => statusMark(status, disabledReason),
      'events waiting': ({ waiting }) => count(waiting),
      'failures in a row': ({ failures }) => count(failures),
    },
    rows: webhooks,
  });
}
