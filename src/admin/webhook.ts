import { Option, type Command } from 'commander';
import { ServiceError } from '../errors.ts';
import { presentWebhook } from '../http/webhooks/webhook.ts';
import type { Delivery } from '../storage/webhooks/deliveries.ts';
import type { WebhookEndpoint } from '../storage/webhooks/endpoints.ts';
import { Endpoints } from '../webhooks/endpoints.ts';
import { CommandError, UsageError } from './failures.ts';
import type { Printed } from './output.ts';
import { parseLimit, parseTime } from './parameters.ts';
import { withSession, type Session } from './session.ts';

interface WebhookOptions {
  readonly workspace: string;
  readonly webhook: string;
}

/** For where a receiver fails. The owners of webhooks make and change them by the API. Sending begins within a second or two. */
export function addWebhookCommands(program: Command): void {
  const noun = program.command('webhook').description('webhooks: where the events of a workspace are sent');
  const verb = (name: string, description: string): Command =>
    noun
      .command(name)
      .description(description)
      .requiredOption('--workspace <id>', 'the workspace it belongs to')
      .requiredOption('--webhook <id>', 'its id');

  noun
    .command('list')
    .description('list webhooks and whether their events arrive, oldest first')
    .option('--workspace <id>', 'of this workspace alone')
    .action(
      withSession<{ workspace?: string }>(async ({ workspace }, { collections }) =>
        (await collections.webhookEndpoints.list(workspace)).map(toPrinted),
      ),
    );

  for (const action of ['enable', 'disable'] as const) {
    verb(action, action === 'enable' ? 'send it events again' : 'send it nothing').action(
      withSession<WebhookOptions>(async (one, session) =>
        toPrinted(
          await changeOne(session, action, one, async (endpoints, ...ids) =>
            endpoints[action](await endpoints.find(...ids)),
          ),
        ),
      ),
    );
  }

  verb('test', 'send it an event that tells of nothing').action(
    withSession<WebhookOptions>((one, session) =>
      changeOne(session, 'test', one, async (endpoints, ...ids) => (await endpoints.prepareTest(...ids))()),
    ),
  );

  verb('replay', 'send one event again, or all that was settled since a time')
    .option('--since <time>', 'a day, or a time with zone: 2026-01-31T12:00:00Z', parseTime)
    .addOption(new Option('--event <id>', 'the id of an event').conflicts('since'))
    .action(
      withSession<WebhookOptions & { since?: Date; event?: string }>(
        async ({ since, event, ...one }, session) =>
          changeOne(session, 'replay', one, async (endpoints, ...ids): Promise<Printed> => {
            if (since === undefined) return (await endpoints.prepareReplayOfEvent(...ids, event ?? ''))();
            return toPrinted(await (await endpoints.prepareReplaySince(...ids, since))());
          }),
        {
          check: ({ since, event }) => {
            if (since === undefined && event === undefined)
              throw new UsageError('give --since with a time, or --event');
          },
        },
      ),
    );

  verb('deliveries', 'what became of its events, those of the newest orders first')
    .option('--limit <n>', 'how many at the most', parseLimit, 100)
    .action(
      withSession<WebhookOptions & { limit: number }>(async ({ workspace, webhook, limit }, session) => {
        const deliveries = await refused(endpointsOf(session).deliveries(workspace, webhook, limit));
        return deliveries.map(printedDelivery);
      }),
    );
}

function endpointsOf({ collections, masterKeys, settings, clock }: Session): Endpoints {
  return new Endpoints({ collections, masterKeys, allowsLocal: settings.WEBHOOK_ALLOW_LOCAL, clock });
}

/** Changes one webhook, with an event in the audit. */
function changeOne<T>(
  session: Session,
  verb: string,
  { workspace, webhook }: WebhookOptions,
  make: (endpoints: Endpoints, workspaceId: string, id: string) => Promise<T>,
): Promise<T> {
  const event = { action: `webhook ${verb}`, workspaceId: workspace, subject: { webhook } };
  return session.audited(event, () => refused(make(endpointsOf(session), workspace, webhook)));
}

/** Turns a refusal into the sentence that a client would get. */
async function refused<T>(made: Promise<T>): Promise<T> {
  return made.catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    const detail = error.value === undefined ? '' : ` (${error.value})`;
    throw new CommandError(`${error.message}${detail}`, { cause: error });
  });
}

/** A webhook as the API shows it, and since when it is disabled. Has `webhookId` too, because a table has no column `id`. */
function toPrinted(endpoint: WebhookEndpoint): Printed {
  const { id, ...shown } = presentWebhook(endpoint);
  return { id, webhookId: id, ...shown, disabledAt: endpoint.disabledAt };
}

function printedDelivery({ eventId, type, state, attempts, status, error, durationMs, updatedAt }: Delivery): Printed {
  return { eventId, type, state, attempts, status, error, durationMs, updatedAt };
}
