import fc from 'fast-check';
import type { World } from '../world.ts';
import { bodyDrafts } from './bodies.ts';
import { draftOf, type Draft } from './draft.ts';
import { withFraming } from './framing.ts';
import { withHeaders } from './headers.ts';
import { withMethod } from './methods.ts';
import { withMutatedBytes, withMutation, withoutHttp } from './mutations.ts';
import { withSigning } from './signing.ts';
import { withQuery, withTarget } from './targets.ts';
import { validDrafts } from './valid.ts';

export interface Drafts {
  /** Every kind. */
  any: fc.Arbitrary<Draft>;
  /** Requests with large answers, for clients that do not read them. */
  large: fc.Arbitrary<Draft>;
}

const pages = [
  '/openapi.json',
  '/docs',
  '/docs/sign.js',
  '/docs/page.js',
  '/docs/swagger-ui.css',
  '/docs/x',
  '/',
  '/metrics',
  '/apis',
];
const unsigned = () => ({ key: [], timestamp: [], nonce: [], signature: [] });

export function createDrafts(world: World): Drafts {
  const valid = validDrafts(world);
  const [key] = world.keys;
  // Refused before their signature is looked at: what is odd in them is seen by other code.
  const stranger = valid.map((draft) => ({ ...draft, sign: unsigned }));
  const either = fc.oneof({ weight: 3, arbitrary: valid }, { weight: 1, arbitrary: stranger });
  const pageOf = (path: string): Draft => ({
    ...draftOf({ kind: 'pages', method: 'GET', path, key: key! }),
    sign: unsigned,
  });
  const page = fc.constantFrom(...pages).map(pageOf);
  const list = fc
    .constantFrom(...['/api/v1/transfer/query/orders', `/api/v1/wallets/${world.wallets[0]!}/flows`])
    .map((path) => draftOf({ kind: 'valid', method: 'GET', path, query: '?size=100', key: key! }));
  return {
    any: fc.oneof(
      { weight: 24, arbitrary: valid },
      { weight: 10, arbitrary: withTarget(world, either) },
      { weight: 10, arbitrary: withQuery(world, valid) },
      { weight: 4, arbitrary: withMethod(either) },
      {
        weight: 12,
        arbitrary: withHeaders(fc.oneof({ weight: 5, arbitrary: either }, { weight: 1, arbitrary: page })),
      },
      { weight: 12, arbitrary: withSigning(world, valid) },
      { weight: 14, arbitrary: bodyDrafts(world) },
      { weight: 6, arbitrary: withFraming(fc.oneof(valid, bodyDrafts(world))) },
      { weight: 18, arbitrary: withMutation(either) },
      { weight: 12, arbitrary: withMutatedBytes(either) },
      { weight: 2, arbitrary: withoutHttp(valid) },
      { weight: 2, arbitrary: page },
    ),
    large: fc.oneof(
      page.map((draft) => ({ ...draft, path: '/openapi.json' })),
      list,
    ),
  };
}
