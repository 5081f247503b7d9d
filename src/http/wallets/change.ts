import { z } from 'zod';
import type { Currencies } from '../../domain/currency.ts';
import { freeText } from '../../domain/free-text.ts';
import { amountFault, amountForm, amountLengthMax, formatMoney, Money } from '../../domain/money.ts';
import { changeWallet, type ChangeRefusal, type WalletChange } from '../../domain/wallet-change.ts';
import type { Wallet, WalletStatus } from '../../domain/wallet.ts';
import { ServiceError, type ErrorName } from '../../errors.ts';
import {
  anyDecimals,
  besidesOthers,
  currencyGiven,
  metadataGiven,
  referenceGiven,
  refuseMoney,
  type DecimalsOf,
} from '../../orders/body.ts';
import type { Presenter } from '../../orders/present.ts';
import type { WalletOutcome } from '../../storage/wallets/change.ts';
import type { WalletByReference } from '../../storage/wallets/wallets.ts';
import { noFields, parse, parseRepeatable } from '../parse.ts';
import { replayedHeader, type ApiAnswer, type ApiRequest, type ChangingRoute, type Operation } from '../route.ts';
import type { WalletChanges } from './audited-changes.ts';
import { Wallet as WalletAnswer, walletsTag } from './wallet.ts';
import type { FindWallet } from './find.ts';

const scope = 'wallet:manage';
/** What giving credit needs beside it. */
const creditScope = 'transfer:fund';
const nameLengthMax = 100;
/**
 * As how many requests a change counts that leaves something: a wallet, and rows in the audit, are kept for good, and only the
 * rate of the key bounds how many there can be.
 */
const changeCost = 10;

const limitField = 'creditLimit';
const limitErrors = ['AMOUNT_MALFORMED', 'TOO_MANY_DECIMALS', 'TOO_MANY_DIGITS'] as const;

/** Its faults have their own reasons: see {@link limitFault}. */
const limitGiven = z.string().meta({
  description:
    'How far the balance may be below zero: a plain decimal, or `0`, with no more decimals than the currency has.',
  pattern: amountForm.source,
  maxLength: amountLengthMax,
});

/** What is wrong with a credit limit, which is an amount or zero. */
function limitFault(text: string, decimals: number): ErrorName | undefined {
  const fault = amountFault(text, decimals);
  return fault === 'AMOUNT_ZERO' ? undefined : fault;
}

function limitRefusal(text: string, decimals: number) {
  const reason = limitFault(text, decimals);
  return reason && { reason, value: reason === 'TOO_MANY_DECIMALS' ? String(decimals) : undefined };
}

function createBody(decimalsOf: DecimalsOf) {
  const refuse = (body: unknown, context: z.RefinementCtx): void => {
    refuseMoney(body, context, decimalsOf, limitField, limitRefusal);
  };
  return z
    .strictObject({
      currency: currencyGiven,
      name: freeText({ max: nameLengthMax }).exactOptional().meta({
        description: 'For people; no control characters. The currency, if it is left out.',
      }),
      reference: referenceGiven.exactOptional().meta({
        description: 'Your own, unique in the workspace: repeating the request with it is safe. It is never freed.',
      }),
      metadata: metadataGiven.exactOptional(),
      creditLimit: limitGiven.exactOptional(),
    })
    .check(besidesOthers(refuse))
    .meta({
      id: 'CreateWallet',
      description: 'The wallet to make.',
      examples: [{ currency: 'USD', name: 'Alice', reference: 'user-7', metadata: { plan: 'basic' } }],
    })
    .transform(({ creditLimit = '0', ...values }, context) => {
      refuse({ ...values, creditLimit }, context);
      return context.issues.length > 0 ? z.NEVER : { ...values, creditLimit: new Money(creditLimit) };
    });
}

const limitBody = z
  .strictObject({ creditLimit: limitGiven })
  .superRefine(({ creditLimit }, context) => {
    // Its currency's decimals are not known yet.
    refuseMoney({ creditLimit }, context, anyDecimals, limitField, limitRefusal);
  })
  .meta({ id: 'LimitWallet', description: 'The credit limit to set.', examples: [{ creditLimit: '50.00' }] });

/** @param findReferred by the client's own reference. */
export function createWalletRoute(
  findReferred: (named: WalletByReference, timeLeftMs: () => number) => Promise<Wallet | undefined>,
  changes: Pick<WalletChanges, 'make'>,
  currencies: Currencies,
  present: Presenter,
): ChangingRoute {
  const body = createBody((currency) => currencies.get(currency));
  const anyBody = createBody(anyDecimals);
  const answer = (wallet: Wallet, isNew: boolean): ApiAnswer => ({
    data: present.wallet(wallet),
    headers: replayedHeader(!isNew),
  });

  return {
    scope,
    method: 'POST',
    path: '/api/v1/wallets',
    operation: {
      id: 'createWallet',
      tag: walletsTag,
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
    prepare: async (request) => {
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
      const refuse = (wallet: Wallet): void => {
        if (wallet.currency !== currency)
          throw new ServiceError('WALLET_REFERENCE_CONFLICT', { field: 'reference', value: wallet.id });
      };
      const existing = reference === undefined ? undefined : await findReferred({ workspaceId, reference }, timeLeftMs);
      if (existing !== undefined) {
        refuse(existing);
        return () => Promise.resolve(answer(existing, false));
      }
      if (refusal !== undefined) throw refusal;
      await request.chargeRate(changeCost);
      const values = { name: currency, ...input, workspaceId };
      return async () => {
        const { wallet, isNew } = await changes.make(request, values, (made) => {
          refuse(made.wallet);
        });
        return answer(wallet, isNew);
      };
    },
  };
}

const verbs = [
  {
    verb: 'freeze',
    status: 'FROZEN',
    summary: 'Stop a wallet from paying and being paid',
    description:
      'It takes part in no new order, and orders that wait for it end FAILED; a hold on it can still be released. Safe to repeat.',
  },
  {
    verb: 'unfreeze',
    status: 'ACTIVE',
    summary: 'Make a frozen wallet active again',
    description: 'It takes part in orders again; what ended FAILED meanwhile stays so. Safe to repeat.',
  },
  {
    verb: 'close',
    status: 'CLOSED',
    summary: 'Close an empty wallet for good',
    description: [
      'ACTIVE or frozen, with no balance and nothing held; its flows stay. Holds for its benefit can then only be released. Safe',
      'to repeat: a closed wallet is answered as it stands.',
    ].join('\n'),
  },
] as const satisfies readonly { verb: string; status: WalletStatus; summary: string; description: string }[];

/** What changes a wallet that is there. */
export function walletChangeRoutes(
  find: FindWallet,
  changes: Pick<WalletChanges, 'change'>,
  currencies: Currencies,
  present: Presenter,
): ChangingRoute[] {
  /** @throws ServiceError why a wallet of clients may not be changed so. */
  function refuse({ wallet, outcome }: WalletOutcome): Wallet {
    if (outcome === 'changed' || outcome === 'unchanged') return wallet;
    throw refusals[outcome](wallet, currencies.get(wallet.currency) ?? 0);
  }

  const post = (
    verb: string,
    operation: Omit<Operation, 'tag' | 'answer'>,
    read: (body: object) => { readonly of: (wallet: Wallet) => WalletChange; readonly values?: Record<string, string> },
  ): ChangingRoute => ({
    scope,
    method: 'POST',
    path: `/api/v1/wallets/{id}/${verb}`,
    operation: { tag: walletsTag, answer: WalletAnswer, ...operation },
    prepare: async (request: ApiRequest) => {
      const { of, values } = read(request.body as object);
      const wallet = await find(request, request.params['id'], 'id');
      const change = of(wallet);
      const changed = changeWallet(wallet, change);
      if (typeof changed === 'string') refuse({ wallet, outcome: changed });
      if (changed === wallet) return () => Promise.resolve({ data: present.wallet(wallet) });
      await request.chargeRate(changeCost);
      const what = {
        verb,
        change,
        ...(values === undefined ? {} : { values: { ...values, currency: wallet.currency } }),
      };
      return async () => ({
        data: present.wallet(
          await changes.change(request, wallet, what, (outcome) => {
            if (outcome === undefined) throw new ServiceError('WALLET_NOT_FOUND', { field: 'id' });
            return refuse(outcome);
          }),
        ),
      });
    },
  });

  return [
    {
      ...post(
        'limit',
        {
          id: 'limitWallet',
          summary: 'Set how far the balance of a wallet may be below zero',
          description:
            'A plain decimal, zero too: `available` becomes `balance` less `held`, plus this. Not below what the wallet uses. Safe to repeat.',
          body: limitBody,
          errors: [
            ...limitErrors,
            'CURRENCY_UNKNOWN',
            'WALLET_NOT_FOUND',
            'WALLET_STATE_CONFLICT',
            'CREDIT_LIMIT_IN_USE',
          ],
        },
        (body) => {
          const { creditLimit } = parse(limitBody, body);
          const of = ({ currency }: Wallet): WalletChange => {
            const decimals = currencies.get(currency);
            if (decimals === undefined) throw new ServiceError('CURRENCY_UNKNOWN', { field: limitField });
            const refusal = limitRefusal(creditLimit, decimals);
            if (refusal !== undefined)
              throw new ServiceError(refusal.reason, { field: limitField, value: refusal.value });
            return { creditLimit: new Money(creditLimit), decimals };
          };
          return { of, values: { creditLimit } };
        },
      ),
      alsoNeeds: creditScope,
    },
    ...verbs.map(({ verb, status, summary, description }) =>
      post(
        verb,
        {
          id: `${verb}Wallet`,
          summary,
          description,
          body: noFields,
          isBodyOptional: true,
          errors: ['WALLET_NOT_FOUND', status === 'CLOSED' ? 'WALLET_NOT_EMPTY' : 'WALLET_STATE_CONFLICT'],
        },
        (body) => {
          parse(noFields, body);
          return { of: () => ({ status }) };
        },
      ),
    ),
  ];
}

const refusals: Readonly<Record<ChangeRefusal, (wallet: Wallet, decimals: number) => ServiceError>> = {
  CLOSED: () => new ServiceError('WALLET_STATE_CONFLICT'),
  NOT_EMPTY: () => new ServiceError('WALLET_NOT_EMPTY'),
  LIMIT_IN_USE: ({ held, balance }, decimals) =>
    new ServiceError('CREDIT_LIMIT_IN_USE', { field: limitField, value: formatMoney(held.minus(balance), decimals) }),
  TOO_MANY_DIGITS: () => new ServiceError('TOO_MANY_DIGITS', { field: limitField }),
};
