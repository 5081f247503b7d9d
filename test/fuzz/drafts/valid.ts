import fc from 'fast-check';
import type { World } from '../world.ts';
import { contentTypeLine, createPath, draftOf, journalPath, type Draft } from './draft.ts';

/** How many bizIds the creates of a run share: some are replays, some contradict an earlier create. */
const bizIdsShared = 40;
const locales = ['en-US', 'fr', 'zh-Hant-TW', 'xx', 'de-DE-u-co-phonebk'];

/** The fields of a create that may be made; a few of them fail for want of money, or are refused by their bizId. */
export function transferOf(world: World): fc.Arbitrary<Record<string, string>> {
  const wallet = fc.constantFrom(...world.wallets);
  return fc
    .record({
      source: fc.oneof(
        { weight: 20, arbitrary: wallet },
        { weight: 1, arbitrary: fc.constantFrom(...world.refusedWallets) },
      ),
      target: wallet,
      amount: fc.constantFrom('0.01', '0.1', '1', '1.50', '99999999'),
      bizId: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(bizIdsShared - 1) }),
    })
    .map(({ source, target, amount, bizId }) => ({
      ...{ sourceWalletId: source, targetWalletId: target, amount, currency: 'USD' },
      ...(bizId === null ? {} : { bizId: `fuzz-${bizId}` }),
    }));
}

const legsMax = 5;

/** The fields of a journal that may be made: of its legs some come from the world outside, or go there. */
export function journalOf(world: World): fc.Arbitrary<Record<string, unknown>> {
  const leg = fc
    .record({ fields: transferOf(world), outside: fc.constantFrom('sourceWalletId', 'targetWalletId', '', '', '', '') })
    .map(({ fields: { bizId: _, ...fields }, outside }) =>
      Object.fromEntries(Object.entries(fields).filter(([name]) => name !== outside)),
    );
  return fc
    .record({ legs: fc.array(leg, { minLength: 1, maxLength: legsMax }), fields: transferOf(world) })
    .map(({ legs, fields: { bizId } }) => ({ legs, ...(bizId === undefined ? {} : { bizId }) }));
}

/** Reads, creates and journals by a key that may do everything. */
export function validDrafts(world: World): fc.Arbitrary<Draft> {
  const key = world.keys[0]!;
  const wallet = fc.constantFrom(...world.wallets, ...world.refusedWallets);
  const order = fc.oneof(
    fc.constantFrom(...world.orders),
    fc.nat(bizIdsShared).map((index) => `fuzz-${index}`),
  );
  const extra = fc.constantFrom(
    ...[[], ['Prefer: wait=1'], ['X-Request-Id: a'], ['Accept: */*', 'Accept-Encoding: gzip']],
    ...locales.map((locale) => [`X-LOCALE: ${locale}`]),
  );
  const path = fc.oneof(
    fc.constantFrom('/api/v1/wallets', '/api/v1/transfer/query/orders'),
    wallet.map((id) => `/api/v1/wallets/${id}`),
    wallet.map((id) => `/api/v1/wallets/${id}/balance`),
    wallet.map((id) => `/api/v1/wallets/${id}/flows`),
    wallet.map((id) => `/api/v1/transfer/query/orders/wallet/${id}`),
    order.map((id) => `/api/v1/transfer/query/orders/${id}`),
    order.map((id) => `/api/v1/transfer/query/orders/${id}/completed`),
  );
  const ofPast = wallet.chain((id) =>
    fc.constantFrom(
      { path: `/api/v1/wallets/${id}/balance`, query: '?at=2026-01-01T00:00:00Z' },
      { path: `/api/v1/wallets/${id}/statement`, query: '?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z' },
    ),
  );
  const target = fc.oneof({ weight: 7, arbitrary: path.map((whole) => ({ path: whole })) }, ofPast);
  const read = fc
    .record({ target, headers: extra })
    .map(({ target: from, headers }) => draftOf({ kind: 'valid', method: 'GET', key, headers, ...from }));
  const asked = (made: string, fields: fc.Arbitrary<object>) =>
    fc.record({ fields, extra }).map(({ fields: body, extra: headers }) =>
      draftOf({
        ...{ kind: 'valid', method: 'POST', path: made, key },
        headers: [contentTypeLine, ...headers],
        body: Buffer.from(JSON.stringify(body)),
      }),
    );
  const create = asked(createPath, transferOf(world));
  const journal = asked(journalPath, journalOf(world));
  return fc.oneof({ weight: 4, arbitrary: read }, { weight: 3, arbitrary: create }, { weight: 1, arbitrary: journal });
}
