import type { Currencies } from '../domain/currency.ts';
import type { Acceptor } from '../accepting/accept.ts';
import type { Presenter } from '../domain/present.ts';
import { waitHeaders, type OrderWaits } from './order-waits.ts';
import { parse } from './parse.ts';
import type { ApiRequest, Route, Tag } from './routes.ts';
import { createTransferSchema, Order } from './transfer-resources.ts';

export interface TransferCommandTools {
  readonly acceptor: Acceptor;
  readonly waits: OrderWaits;
  readonly currencies: Currencies;
  readonly present: Presenter;
}

export const transfersTag: Tag = {
  name: 'Transfers',
  description: 'Moving money between wallets, and how far that is.',
};

/** What is wrong with an amount. */
const amountErrors = ['AMOUNT_MALFORMED', 'AMOUNT_ZERO', 'TOO_MANY_DECIMALS', 'TOO_MANY_DIGITS'] as const;
const walletErrors = ['SAME_WALLET', 'WALLET_NOT_FOUND', 'WALLET_NOT_ACTIVE', 'CURRENCY_MISMATCH'] as const;

/** The `transfer:create` endpoint. */
export function transferCommandRoutes(tools: TransferCommandTools): Route[] {
  const { acceptor, waits, present } = tools;
  const schema = createTransferSchema(tools.currencies);
  return [
    {
      scope: 'transfer:create',
      method: 'POST',
      path: '/api/v1/transfer/command/create',
      changes: 'orders',
      operation: {
        id: 'createTransfer',
        tag: transfersTag,
        summary: 'Create a transfer order between wallets of the workspace',
        body: schema,
        headers: waitHeaders.headers,
        answer: Order,
        answerHeaders: {
          'Idempotent-Replayed': '`true` where the bizId was known with the same values: the order as it stands now.',
          ...waitHeaders.answerHeaders,
        },
        errors: [...amountErrors, 'BIZ_ID_CONFLICT', ...walletErrors, 'BACKLOG_FULL', 'WORKSPACE_BACKLOG_FULL'],
      },
      handle: async (request: ApiRequest) => {
        const { workspaceId, signedRequest, body, timeLeftMs } = request;
        const values = parse(schema, body as object);
        const accepted = await acceptor.accept({ workspaceId, request: signedRequest, ...values }, timeLeftMs);
        const { order, headers } = await waits(accepted.order, request);
        const replayed = accepted.isReplay ? { 'Idempotent-Replayed': 'true' } : {};
        return { data: present.order(order), headers: { ...replayed, ...headers } };
      },
    },
  ];
}
