import type { Acceptor } from '../accepting/accept.ts';
import type { Currencies } from '../domain/currency.ts';
import { ServiceError, type ErrorName } from '../errors.ts';
import { anyDecimals, currencyErrors } from '../orders/body.ts';
import type { Presenter } from '../orders/present.ts';
import type { Command, OrderType } from '../orders/type.ts';
import { orderTypes } from '../orders/types.ts';
import { waitHeaders, type OrderWaits } from './order-waits.ts';
import { parse } from './parse.ts';
import type { ApiRequest, Route, Tag } from './routes.ts';
import { Order } from './transfer-resources.ts';

export const transfersTag: Tag = {
  name: 'Transfers',
  description: 'Moving money between wallets, in, out and back, reserving it, and how far that is.',
};

const walletErrors = ['WALLET_NOT_FOUND', 'WALLET_NOT_ACTIVE', 'CURRENCY_MISMATCH'] as const;
const parentErrors = ['TRANSFER_NOT_FOUND', 'ORDER_STATE_CONFLICT'] as const;
const loadErrors = ['BACKLOG_FULL', 'WORKSPACE_BACKLOG_FULL'] as const;

/** What can be wrong with the orders and wallets that an order names. */
function namedErrors({ parent, checksWallets, external }: OrderType): readonly ErrorName[] {
  if (parent !== undefined) return checksWallets === false ? parentErrors : [...parentErrors, 'WALLET_NOT_ACTIVE'];
  const hasOneWallet = external?.source === 'always' || external?.target === 'always';
  return hasOneWallet ? walletErrors : ['SAME_WALLET', ...walletErrors];
}

/** An endpoint for each type of order that clients make. */
export function transferCommandRoutes(
  acceptor: Pick<Acceptor, 'accept'>,
  waits: OrderWaits,
  currencies: Currencies,
  present: Presenter,
): Route[] {
  return orderTypes.flatMap((type) =>
    type.command === undefined ? [] : [commandRoute(type, type.command, acceptor, waits, currencies, present)],
  );
}

function commandRoute(
  type: OrderType,
  command: Command,
  acceptor: Pick<Acceptor, 'accept'>,
  waits: OrderWaits,
  currencies: Currencies,
  present: Presenter,
): Route {
  const schema = command.body((currency) => currencies.get(currency));
  const anySchema = command.body(anyDecimals);

  /** A refusal that depends on the currency comes with the values, because an order may have been made with them before. */
  function readBody(body: object) {
    try {
      return { values: parse(schema, body) };
    } catch (refusal) {
      if (!(refusal instanceof ServiceError) || !currencyErrors.has(refusal.errorName)) throw refusal;
      const { data: values } = anySchema.safeParse(body);
      if (values?.bizId === undefined) throw refusal;
      return { values, refusal };
    }
  }

  return {
    scope: command.scope,
    method: 'POST',
    path: `/api/v1/transfer/command/${command.name}`,
    changes: 'orders',
    operation: {
      id: command.operationId,
      tag: transfersTag,
      summary: command.summary,
      body: schema,
      headers: waitHeaders.headers,
      answer: Order,
      answerHeaders: {
        'Idempotent-Replayed': '`true` where the bizId was known with the same values: the order as it stands now.',
        ...waitHeaders.answerHeaders,
      },
      errors: [...command.errors, 'BIZ_ID_CONFLICT', ...namedErrors(type), ...loadErrors],
    },
    handle: async (request: ApiRequest) => {
      const { workspaceId, signedRequest, body, timeLeftMs } = request;
      const { values, refusal } = readBody(body as object);
      const asked = { ...values, type: type.name, workspaceId, request: signedRequest };
      const scope = command.alsoNeeds?.(asked);
      if (scope !== undefined && !request.caller().scopes.has(scope))
        throw new ServiceError('SCOPE_MISSING', { value: scope });
      const accepted = await acceptor.accept(asked, timeLeftMs, refusal);
      const { order, headers } = await waits(accepted.order, request);
      const replayed = accepted.isReplay ? { 'Idempotent-Replayed': 'true' } : {};
      return { data: present.order(order), headers: { ...replayed, ...headers } };
    },
  };
}
