import type { Currencies } from '../domain/currency.ts';
import type { Accepted, Acceptor, TransferRequest } from '../accepting/accept.ts';
import type { Presenter } from '../domain/present.ts';
import { ServiceError, type ErrorName } from '../errors.ts';
import { waitHeaders, type OrderWaits } from './order-waits.ts';
import { parse } from './parse.ts';
import type { ApiRequest, Route, Tag } from './routes.ts';
import { anyTransferSchema, createTransferSchema, Order } from './transfer-resources.ts';

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
/** Those that depend on which currencies there are, and with how many decimals. */
const currencyErrors: ReadonlySet<ErrorName> = new Set(['CURRENCY_UNKNOWN', 'TOO_MANY_DECIMALS', 'TOO_MANY_DIGITS']);
const walletErrors = ['SAME_WALLET', 'WALLET_NOT_FOUND', 'WALLET_NOT_ACTIVE', 'CURRENCY_MISMATCH'] as const;

/** The `transfer:create` endpoint. */
export function transferCommandRoutes(tools: TransferCommandTools): Route[] {
  const { acceptor, waits, present } = tools;
  const schema = createTransferSchema(tools.currencies);

  /** A refusal that depends on the currency comes with the values, because an order may have been made with them before. */
  function readBody(body: object) {
    try {
      return { values: parse(schema, body), refusal: undefined };
    } catch (refusal) {
      if (!(refusal instanceof ServiceError) || !currencyErrors.has(refusal.errorName)) throw refusal;
      const { data: values } = anyTransferSchema.safeParse(body);
      if (values?.bizId === undefined) throw refusal;
      return { values, refusal };
    }
  }

  /** @throws ServiceError as the acceptor does; the refusal, if there is one and no order is repeated. */
  async function accept(asked: TransferRequest, timeLeftMs: () => number, refusal?: ServiceError): Promise<Accepted> {
    if (refusal === undefined) return acceptor.accept(asked, timeLeftMs);
    const repeated = await acceptor.findRepeated(asked, timeLeftMs);
    if (repeated === undefined) throw refusal;
    return repeated;
  }
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
        const read = readBody(body as object);
        const asked = { workspaceId, type: 'TRANSFER', request: signedRequest, ...read.values } as const;
        const accepted = await accept(asked, timeLeftMs, read.refusal);
        const { order, headers } = await waits(accepted.order, request);
        const replayed = accepted.isReplay ? { 'Idempotent-Replayed': 'true' } : {};
        return { data: present.order(order), headers: { ...replayed, ...headers } };
      },
    },
  ];
}
