import { z } from 'zod';
import { exampleOf } from '../../orders/examples.ts';
import { exactly } from '../../storage/shared/page.ts';
import { amount, currency, decimal, Direction, id, pageOf, time, transferId } from '../fields.ts';
import { answerList, readListRequest } from '../lists/list.ts';
import { createdBetween, paging, timeOf } from '../lists/queries.ts';
import type { RouteParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { refuseOtherIds } from './find.ts';
import { get, walletId } from './wallet.ts';

export const flowExample = {
  id: `fl_${exampleOf.alice}.000000000002`,
  walletId: exampleOf.alice,
  sequence: 2,
  direction: 'DEBIT',
  amount: '1.10',
  currency: 'USD',
  balanceBefore: '100.00',
  balanceAfter: '98.90',
  transferId: exampleOf.transferId,
  leg: 0,
  counterpartyWalletId: exampleOf.bob,
  createdAt: exampleOf.postedAt,
} as const;

export const Flow = z
  .strictObject({
    id: id.meta({ description: 'The flow.' }),
    walletId,
    sequence: z.int().positive().meta({ description: 'Runs 1, 2, 3 … for each wallet, without a gap.' }),
    direction: Direction,
    amount,
    currency,
    balanceBefore: decimal.meta({ description: 'The `balanceAfter` of the flow before.' }),
    balanceAfter: decimal.meta({ description: 'The balance with this flow.' }),
    transferId,
    leg: z.int().nonnegative().meta({ description: 'Which leg of its order it is a side of, from 0.' }),
    counterpartyWalletId: id.meta({ description: 'The other wallet, or `EXTERNAL`.' }),
    createdAt: time.meta({ description: 'When it was posted.' }),
  })
  .meta({ id: 'Flow', description: 'What a leg of a completed order moved on one wallet.', examples: [flowExample] });

export const FlowPage = pageOf(Flow, 'FlowPage');

const flowsQuery = z.object({
  ...paging,
  direction: Direction.optional().meta({ description: 'Only flows of this direction.' }),
  ...createdBetween,
});

export function flowListRoute({ findWallet, flowLists, limiter, present }: RouteParts): Route {
  return get(
    '/{id}/flows',
    {
      id: 'listFlows',
      summary: 'List wallet flows',
      description: [
        'What COMPLETED orders moved on the wallet, each with the balance before and after. Flows never change, and their',
        '`sequence` has no gap: what you have read can be kept.',
      ].join('\n'),
      query: flowsQuery,
      answer: FlowPage,
      errors: ['WALLET_NOT_FOUND', 'TOO_MANY_LISTS'],
    },
    async (apiRequest) => {
      const { workspaceId, params, query } = apiRequest;
      const { id = '' } = params;
      const request = readListRequest(flowsQuery, `flows ${id}`, query);
      refuseOtherIds(id, 'id');
      const { direction, from, to } = request.values;
      const findIt = () => findWallet(apiRequest, id, 'id');
      // A row of a direction's index shows that the wallet belongs to the workspace. Without a direction, a forged cursor
      // would read all flows of another workspace's wallet, and the time taken would show that there are some.
      const needsWallet =
        direction === undefined || request.after === undefined || from !== undefined || to !== undefined;
      const wallet = needsWallet ? await findIt() : { workspaceId, id };
      const wanted = { wallet, direction, from: timeOf(from), to: timeOf(to) };
      return answerList(limiter, apiRequest, request, (timeLeftMs) => ({
        page: (place) => flowLists.page({ ...wanted, timeLeftMs }, place),
        count: async () => exactly(await flowLists.count({ ...wanted, timeLeftMs })),
        present: present.flow,
        ...(needsWallet ? {} : { ifEmpty: findIt }),
      }));
    },
  );
}
