import type { Currencies } from '../domain/currency.ts';
import type { PostedNotices } from '../queue/notices.ts';
import type { Orders } from '../storage/orders.ts';
import type { Acceptor } from '../accepting/accept.ts';
import { waitForTerminal } from '../accepting/wait-for-terminal.ts';
import type { Presenter } from '../domain/present.ts';
import { parse } from './parse.ts';
import { Order } from './resources.ts';
import type { ApiRequest, Route, Tag } from './routes.ts';
import { createTransferSchema } from './schemas.ts';

export interface TransferCommandTools {
  readonly acceptor: Acceptor;
  readonly orders: Orders;
  readonly notices: PostedNotices;
  readonly currencies: Currencies;
  readonly present: Presenter;
}

/** How long a client may ask the answer to wait for the order's terminal state. */
const waitSecondsMax = 10;
/** What is left after that to read the order, and to answer. */
const answerMarginMs = 1_500;

export const transfersTag: Tag = {
  name: 'Transfers',
  description: 'Moving money between wallets, and how far that is.',
};

/** What is wrong with an amount. */
const amountErrors = ['AMOUNT_MALFORMED', 'AMOUNT_ZERO', 'TOO_MANY_DECIMALS', 'TOO_MANY_DIGITS'] as const;
const walletErrors = ['SAME_WALLET', 'WALLET_NOT_FOUND', 'WALLET_NOT_ACTIVE', 'CURRENCY_MISMATCH'] as const;

/** The `transfer:create` endpoint. */
export function transferCommandRoutes(tools: TransferCommandTools): Route[] {
  const { acceptor, orders, notices, present } = tools;
  const schema = createTransferSchema(tools.currencies);
  return [
    {
      scope: 'transfer:create',
      method: 'POST',
      path: '/api/v1/transfer/command/create',
      operation: {
        id: 'createTransfer',
        tag: transfersTag,
        summary: 'Create a transfer order between wallets of the workspace',
        body: schema,
        headers: {
          Prefer: `\`wait=N\`: answer with the terminal state if it comes within N seconds, ${waitSecondsMax} at most.`,
        },
        answer: Order,
        answerHeaders: {
          'Idempotent-Replayed': '`true` where the bizId was known with the same values: the order as it stands now.',
          'Preference-Applied': 'The wait that was applied, where one was asked for.',
        },
        errors: [...amountErrors, 'BIZ_ID_CONFLICT', ...walletErrors, 'BACKLOG_FULL', 'WORKSPACE_BACKLOG_FULL'],
      },
      handle: async ({ workspaceId, signedRequest, body, prefer, timeLeftMs }: ApiRequest) => {
        const values = parse(schema, body as object);
        const { order, isReplay } = await acceptor.accept(
          { workspaceId, request: signedRequest, ...values },
          timeLeftMs,
        );
        const waitSeconds = parseWait(prefer);
        const waitMs = Math.min(waitSeconds * 1000, timeLeftMs() - answerMarginMs);
        const current = waitMs > 0 ? await waitForTerminal(order, waitMs, orders, notices) : order;
        return {
          data: present.order(current),
          headers: {
            ...(isReplay ? { 'Idempotent-Replayed': 'true' } : {}),
            ...(waitSeconds === 0 ? {} : { 'Preference-Applied': `wait=${waitSeconds}` }),
          },
        };
      },
    },
  ];
}

/** Seconds of the first `wait` preference, capped; 0 where there is none, or it is malformed. Source: RFC 7240, part 4.3. */
export function parseWait(prefer: string | undefined): number {
  if (prefer === undefined) return 0;
  const preferences = prefer.split(',').map((preference) => preference.split(';')[0]?.trim() ?? '');
  for (const preference of preferences) {
    const seconds = /^wait\s*=\s*"?(\d{1,9})"?$/i.exec(preference)?.[1];
    if (seconds !== undefined) return Math.min(Number(seconds), waitSecondsMax);
  }
  return 0;
}
