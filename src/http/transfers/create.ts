import type { ErrorName } from '../../errors.ts';
import type { Command, OrderType } from '../../orders/type.ts';
import { waitHeaders } from './waits.ts';
import type { RouteParts } from '../parts.ts';
import { legsBodyBytesMax, replayedHeader, type ApiRequest, type Route, type Tag } from '../route.ts';
import { Order } from './order.ts';

export const transfersTag: Tag = {
  name: 'Transfers',
  description: 'Moving money between wallets, in, out and back, reserving it, and how far that is.',
};

/** What holds for orders of every type. */
const orderRules = [
  '**Repetition.** With a `bizId` of your own it is safe for as long as the order is kept: the same values answer the order as',
  'it stands, with `Idempotent-Replayed: true`; other values are refused as `BIZ_ID_CONFLICT`. After a time-out repeat it with',
  'the same `bizId` and a new nonce.',
  '',
  '**End.** The answer is HTTP 200 once the order is recorded, usually PENDING, and also when it has FAILED: look at `status`. It',
  'ends COMPLETED or FAILED for good; FAILED tells why in `failure`, and nothing moved. Wait with `Prefer`, ask',
  '`…/orders/{bizId}/completed`, or have a webhook told.',
].join('\n');

const walletErrors = ['WALLET_NOT_FOUND', 'WALLET_NOT_ACTIVE', 'CURRENCY_MISMATCH'] as const;
const parentErrors = ['TRANSFER_NOT_FOUND', 'ORDER_STATE_CONFLICT'] as const;
export const loadErrors = ['BACKLOG_FULL', 'WORKSPACE_BACKLOG_FULL'] as const;

/** What can be wrong with the orders and wallets that an order names. */
function namedErrors({ parent, checksWallets, external }: OrderType): readonly ErrorName[] {
  if (parent !== undefined) return checksWallets === false ? parentErrors : [...parentErrors, 'WALLET_NOT_ACTIVE'];
  const hasOneWallet = external?.source === 'always' || external?.target === 'always';
  return hasOneWallet ? walletErrors : ['SAME_WALLET', ...walletErrors];
}

/** Why an order of a type is refused, whatever the load. */
export function orderErrors(type: OrderType, command: Command): readonly ErrorName[] {
  return [...command.errors, 'VALUE_NOT_ALLOWED', 'BIZ_ID_CONFLICT', ...namedErrors(type)];
}

/** An endpoint for each type of order that clients make. */
export function commandRoutes(parts: RouteParts): Route[] {
  return parts.commandBodies.commands.map((command) => commandRoute(command, parts));
}

type CommandWithBody = RouteParts['commandBodies']['commands'][number];

function commandRoute({ type, command, schema, read }: CommandWithBody, parts: RouteParts): Route {
  const { acceptor, waits, simulations, present } = parts;
  return {
    scope: command.scope,
    method: 'POST',
    path: `/api/v1/transfer/command/${command.name}`,
    changes: 'orders',
    ...(type.legs !== undefined ? { bodyBytesMax: legsBodyBytesMax } : {}),
    operation: {
      id: command.operationId,
      tag: transfersTag,
      summary: command.summary,
      description: `${command.description}\n\n${orderRules}`,
      body: schema,
      headers: waitHeaders.headers,
      answer: Order,
      answerHeaders: {
        'Idempotent-Replayed': '`true` where the bizId was known with the same values: the order as it stands now.',
        ...waitHeaders.answerHeaders,
      },
      errors: [...orderErrors(type, command), ...loadErrors],
    },
    handle: async (request: ApiRequest) => {
      const { workspaceId, scopes, signedRequest, timeLeftMs } = request;
      const { input, refusal } = read(request.body as object, request);
      const orderRequest = { ...input, workspaceId, scopes, request: signedRequest, apiKey: signedRequest.keyId };
      await simulations.refuse(workspaceId, [input]);
      const accepted = await acceptor.accept(orderRequest, timeLeftMs, refusal);
      if (simulations.isAnswerLost([accepted])) return { data: null, isLost: true };
      const { orders, headers } = await waits([accepted.order], request);
      const [order = accepted.order] = orders;
      return { data: present.order(order), headers: { ...replayedHeader(accepted.isReplay), ...headers } };
    },
  };
}
