import { z } from 'zod';
import { Money } from '../../domain/money.ts';
import { changeWallet, type WalletChange, type WalletNotes } from '../../domain/wallet-change.ts';
import type { Wallet, WalletStatus } from '../../domain/wallet.ts';
import { because } from '../../errors.ts';
import { metadataGiven } from '../../orders/body.ts';
import type { RouteParts } from '../parts.ts';
import { noFields, parse } from '../parse.ts';
import type { ApiRequest, ChangingRoute, Operation } from '../route.ts';
import { changedOr, type WantedChange } from './audited-changes.ts';
import { anyLimitGiven, changeCost, creditScope, limitErrors, limitField, nameGiven, refuseAmounts } from './manage.ts';
import { post, Wallet as WalletAnswer } from './wallet.ts';

const limitBody = z
  .strictObject({ creditLimit: anyLimitGiven })
  .meta({ id: 'LimitWallet', description: 'The credit limit to set.', examples: [{ creditLimit: '50.00' }] });

const updateBody = z
  .strictObject({
    name: nameGiven.exactOptional().meta({ description: 'For people; no control characters.' }),
    metadata: metadataGiven.exactOptional(),
  })
  .refine(({ name, metadata }) => name !== undefined || metadata !== undefined, {
    ...because('FIELD_MISSING'),
    path: ['name'],
  })
  .meta({
    id: 'UpdateWallet',
    description: 'What to change: at least one. What is left out stays; metadata replaces all that there is.',
    examples: [{ name: 'Alice B.', metadata: { plan: 'premium' } }],
  });

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
      'ACTIVE or frozen, with no balance and nothing held; its flows stay. Holds for its benefit can then be released, or',
      'captured for other wallets. Safe to repeat: a closed wallet is answered as it stands.',
    ].join('\n'),
  },
] as const satisfies readonly { verb: string; status: WalletStatus; summary: string; description: string }[];

/** Makes routes that change a wallet that is there. */
export function changeRoutes({ findWallet, changes, currencies, present, clockOf }: RouteParts) {
  /** @param read throws where the body is wrong. @param show what is answered, if it is not the wallet. */
  return (
    verb: string,
    operation: Omit<Operation, 'tag' | 'answer'> & Partial<Pick<Operation, 'answer'>>,
    read: (body: object) => WantedChange,
    show: (wallet: Wallet, request: ApiRequest) => unknown = present.wallet,
  ): ChangingRoute =>
    post(`/{id}/${verb}`, { answer: WalletAnswer, ...operation }, async (request) => {
      const { of, ...audited } = read(request.body as object);
      const wallet = await findWallet(request, request.params['id'], 'id');
      const change = of(wallet);
      const changed = changeWallet(wallet, change, (await clockOf(wallet.workspaceId))());
      if (typeof changed === 'string') changedOr({ wallet, outcome: changed }, currencies);
      if (changed === wallet) return async () => ({ data: await show(wallet, request) });
      await request.chargeRate(changeCost);
      return async () => ({
        data: await show(await changes.change(request, wallet, { ...audited, verb, change }), request),
      });
    });
}

/** What changes a wallet that is there. */
export function walletChangeRoutes(parts: RouteParts): ChangingRoute[] {
  const { currencies } = parts;
  const change = changeRoutes(parts);
  return [
    {
      ...change(
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
        (body) => readLimit(body, currencies),
      ),
      alsoNeeds: creditScope,
    },
    change(
      'update',
      {
        id: 'updateWallet',
        summary: 'Change the name or the metadata of a wallet',
        description: 'Nothing else of it changes, and a frozen one may be updated too. Safe to repeat.',
        body: updateBody,
        errors: ['FIELD_MISSING', 'WALLET_NOT_FOUND', 'WALLET_STATE_CONFLICT'],
      },
      (body) => {
        const notes: WalletNotes = parse(updateBody, body);
        return {
          of: () => notes,
          values: () => textsOf(notes, ''),
          before: (wallet) => textsOf(notes, 'Before', wallet),
        };
      },
    ),
    ...verbs.map(({ verb, status, summary, description }) =>
      change(
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

/** @throws ServiceError where the limit is wrong; only its currency tells whether it has too many digits. */
function readLimit(body: object, currencies: RouteParts['currencies']) {
  const { creditLimit } = parse(limitBody, body);
  const of = ({ currency }: Wallet): WalletChange => {
    const decimals = currencies.get(currency);
    refuseAmounts([[limitField, creditLimit]], decimals);
    return { creditLimit: new Money(creditLimit), decimals: decimals ?? 0 };
  };
  return { of, values: ({ currency }: Wallet) => ({ creditLimit, currency }) };
}

/** The notes of a wallet that an update names, as texts for the audit. */
function textsOf(
  named: WalletNotes,
  suffix: string,
  { name, metadata = {} }: WalletNotes = named,
): Record<string, string> {
  return {
    ...(named.name === undefined || name === undefined ? {} : { [`name${suffix}`]: name }),
    ...(named.metadata === undefined ? {} : { [`metadata${suffix}`]: JSON.stringify(metadata) }),
  };
}
