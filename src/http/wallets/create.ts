import { z } from 'zod';
import { Money } from '../../domain/money.ts';
import type { Wallet } from '../../domain/wallet.ts';
import { ServiceError } from '../../errors.ts';
import {
  anyDecimals,
  currencyGiven,
  metadataGiven,
  referenceGiven,
  moneyCheck,
  type DecimalsOf,
} from '../../orders/body.ts';
import type { RouteParts } from '../parts.ts';
import { parseRepeatable } from '../parse.ts';
import { replayedHeader, type ApiAnswer, type ChangingRoute } from '../route.ts';
import { refuseOtherCurrency } from './audited-changes.ts';
import { changeCost, creditScope, limitErrors, limitField, limitGiven, limitRefusal, nameGiven } from './manage.ts';
import { post, Wallet as WalletAnswer } from './wallet.ts';

function createBody(decimalsOf: DecimalsOf) {
  return z
    .strictObject({
      currency: currencyGiven,
      name: nameGiven.exactOptional().meta({
        description: 'For people; no control characters. The currency, if it is left out.',
      }),
      reference: referenceGiven.exactOptional().meta({
        description: 'Your own, unique in the workspace: repeating the request with it is safe. It is never freed.',
      }),
      metadata: metadataGiven.exactOptional(),
      creditLimit: limitGiven.exactOptional(),
    })
    .check(moneyCheck(decimalsOf, limitField, limitRefusal))
    .meta({
      id: 'CreateWallet',
      description: 'The wallet to make.',
      examples: [{ currency: 'USD', name: 'Alice', reference: 'user-7', metadata: { plan: 'basic' } }],
    })
    .transform(({ creditLimit = '0', ...values }) => ({ ...values, creditLimit: new Money(creditLimit) }));
}

export function createWalletRoute({ findReferred, changes, currencies, present }: RouteParts): ChangingRoute {
  const body = createBody((currency) => currencies.get(currency));
  const anyBody = createBody(anyDecimals);
  const answer = (wallet: Wallet, isNew: boolean): ApiAnswer => ({
    data: present.wallet(wallet),
    headers: replayedHeader(!isNew),
  });

  return post(
    '',
    {
      id: 'createWallet',
      summary: 'Make a wallet',
      description: [
        `Makes a wallet of one currency, ACTIVE and empty. With a \`creditLimit\` above zero the key needs \`${creditScope}\` too.`,
        '',
        '**Repetition.** Safe with a `reference` of your own, which is unique in the workspace and never freed: the same reference',
        'and currency again answer that wallet as it stands, with `Idempotent-Replayed: true`; name, metadata and limit are not',
        'compared. With another currency it is refused as `WALLET_REFERENCE_CONFLICT`. Without a reference each request makes a',
        'wallet.',
      ].join('\n'),
      body,
      answer: WalletAnswer,
      answerHeaders: {
        'Idempotent-Replayed':
          '`true` where the reference was known with the same currency: the wallet as it stands now.',
      },
      errors: [...limitErrors, 'WALLET_REFERENCE_CONFLICT'],
    },
    async (request) => {
      const { workspaceId, scopes, timeLeftMs } = request;
      const { values: input, refusal } = parseRepeatable(
        body,
        anyBody,
        request.body as object,
        (values) => values.reference !== undefined,
      );
      const { currency, reference } = input;
      if (!input.creditLimit.isZero() && !scopes.has(creditScope))
        throw new ServiceError('SCOPE_MISSING', { value: creditScope });
      const existing = reference === undefined ? undefined : await findReferred({ workspaceId, reference }, timeLeftMs);
      if (existing !== undefined) {
        refuseOtherCurrency(existing, currency);
        return () => Promise.resolve(answer(existing, false));
      }
      if (refusal !== undefined) throw refusal;
      await request.chargeRate(changeCost);
      const values = { name: currency, ...input, workspaceId };
      return async () => {
        const { wallet, isNew } = await changes.make(request, values);
        return answer(wallet, isNew);
      };
    },
  );
}
