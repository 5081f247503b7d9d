import type { DeliveryFilters, NewWebhook, Webhook, WebhookDelivery, WebhookReplay, WebhookWithSecret } from './api.ts';
import { checkMembers, checkText } from './check.ts';
import type { Send } from './connection.ts';
import { UsageError } from './errors.ts';
import { callOptionNames, itemsOf, type CallOptions } from './lists.ts';

/**
 * Where the workspace's events are sent. Scope: webhook:manage. All but `rotate` and `test` is safe to repeat, and is sent again
 * as reads are. An id that the workspace has not is WEBHOOK_NOT_FOUND.
 */
export interface Webhooks {
  /**
   * The answer comes about a second later, once orders created from then on are told of. Keep `secret`: it is shown this once.
   * @throws ApiError WEBHOOK_EXISTS where the workspace has one of this url, also where an earlier try made it and its answer was
   * lost: find it in the list, and rotate it for a secret. WEBHOOK_URL_REFUSED, WEBHOOK_LIMIT.
   */
  create(webhook: NewWebhook, options?: CallOptions): Promise<WebhookWithSecret>;
  /** All of the workspace, ten at most, oldest first. */
  list(options?: CallOptions): Promise<Webhook[]>;
  /** One, and whether its events arrive. */
  get(id: string, options?: CallOptions): Promise<Webhook>;
  /** What has been waiting since it was disabled is sent. The answer comes about a second later, as that of a create. */
  enable(id: string, options?: CallOptions): Promise<Webhook>;
  disable(id: string, options?: CallOptions): Promise<Webhook>;
  /**
   * A new secret; for 24 h messages are signed with the one before, too. Not repeated: a second rotation ends the one before
   * at once. Where the answer was lost, rotate again, and give the receiver the secret right away; what it refuses until then
   * is sent again.
   */
  rotate(id: string, options?: CallOptions): Promise<WebhookWithSecret>;
  /** Forgets it and its deliveries. WEBHOOK_NOT_FOUND after a repetition says that it is gone. */
  delete(id: string, options?: CallOptions): Promise<void>;
  /**
   * Sends an event of type webhook.test. Not repeated: it would be another event. @returns its id.
   * @throws ApiError WEBHOOK_DISABLED, WEBHOOK_RATE_EXCEEDED, WEBHOOK_PENDING_LIMIT.
   */
  test(id: string, options?: CallOptions): Promise<{ eventId: string }>;
  /**
   * Sends one event again, or all since a time. Each has the id that it had: a receiver that keeps ids passes over it.
   * @throws ApiError WEBHOOK_EVENT_NOT_FOUND, WEBHOOK_REPLAY_UNDER_WAY where one since another time has not ended,
   * WEBHOOK_RATE_EXCEEDED, WEBHOOK_PENDING_LIMIT.
   */
  replay(id: string, what: WebhookReplay, options?: CallOptions): Promise<Webhook>;
  /** What became of events, those of the newest orders first. */
  deliveries(id: string, filters?: DeliveryFilters, options?: CallOptions): AsyncIterable<WebhookDelivery>;
}

const listPath = '/api/v1/webhooks';
const onePath = `${listPath}/{id}`;

interface Call {
  readonly id?: string;
  readonly body?: object;
  readonly isRepeatable?: boolean;
}

export function webhooksOf(send: Send): Webhooks {
  async function call<Data>(method: string, template: string, options: CallOptions, request: Call = {}): Promise<Data> {
    checkMembers('The options of a call', options, callOptionNames);
    const { id, body, isRepeatable = true } = request;
    const { data } = await send(method, template, {
      ...(template === listPath ? {} : { path: { id: id as string } }),
      ...(body === undefined ? {} : { body }),
      ...{ signal: options.signal, isRepeatable },
    });
    return data as Data;
  }

  return {
    async create(webhook, options = {}) {
      checkWebhook(webhook);
      return call('POST', listPath, options, { body: webhook });
    },
    list: async (options = {}) => (await call<{ items: Webhook[] }>('GET', listPath, options)).items,
    get: (id, options = {}) => call('GET', onePath, options, { id }),
    enable: (id, options = {}) => call('POST', `${onePath}/enable`, options, { id }),
    disable: (id, options = {}) => call('POST', `${onePath}/disable`, options, { id }),
    rotate: (id, options = {}) => call('POST', `${onePath}/rotate`, options, { id, isRepeatable: false }),
    async delete(id, options = {}) {
      await call('POST', `${onePath}/delete`, options, { id });
    },
    test: (id, options = {}) => call('POST', `${onePath}/test`, options, { id, isRepeatable: false }),
    async replay(id, what, options = {}) {
      checkMembers('A replay', what, ['eventId', 'since']);
      return call('POST', `${onePath}/replay`, options, { id, body: what });
    },
    deliveries: (id, filters = {}, options = {}) =>
      itemsOf(send, { template: `${onePath}/deliveries`, path: { id }, ...{ filters, known: [], options } }),
  };
}

function checkWebhook(webhook: NewWebhook): void {
  checkMembers('A webhook', webhook, ['url', 'events', 'description']);
  checkText('url', webhook.url);
  if (!Array.isArray(webhook.events)) throw new UsageError('events must be a list, such as ["transfer.completed"].');
}
