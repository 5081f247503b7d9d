import { expect, it } from 'vitest';
import { patient } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { allScopes, createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const service = await serviceForTests({ env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
const [wallets, commands, orders] = ['/wallets', '/transfer/command', '/transfer/query/orders'];
const move = { sourceWalletId: '$alice', targetWalletId: '$bob', amount: '2', currency: 'USD' };
const { targetWalletId: _target, ...out } = move;
const { sourceWalletId: _source, ...into } = move;
const [ahead, passed] = [3_600_000, -3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());

/** A request, and by which name those after it know the id in its answer. `$name` stands for that id. */
type Step = readonly [request: string, body?: object, name?: string];

/** All endpoints but the clock's, and refusals of each kind. */
const steps: readonly Step[] = [
  [`POST ${wallets}`, { currency: 'USD', reference: 'alice', creditLimit: '10' }, 'alice'],
  [`POST ${wallets}`, { currency: 'USD', name: 'Bob', metadata: { simulate: 'TR4223' } }, 'bob'],
  [`POST ${wallets}`, { currency: 'USD', reference: 'alice' }],
  [`POST ${wallets}`, { currency: 'EUR', reference: 'alice' }],
  [`POST ${wallets}`, { currency: 'XXX' }],
  [`POST ${wallets}/$bob/update`, { name: 'Robert' }],
  [`POST ${wallets}/$bob/limit`, { creditLimit: '5' }],
  [`POST ${commands}/deposit`, { ...into, targetWalletId: '$alice', amount: '100', bizId: 'deposit' }, 'deposit'],
  [`POST ${commands}/create`, { ...move, bizId: 'b-1', reference: 'r', metadata: { k: 'v' } }, 'transfer'],
  [`POST ${commands}/create`, { ...move, bizId: 'b-1' }],
  [`POST ${commands}/create`, { ...move, bizId: 'b-1', amount: '3' }],
  [`POST ${commands}/create`, { ...move, amount: '1.234' }],
  [`POST ${commands}/create`, { ...move, targetWalletId: 'wa_unknown' }],
  [`POST ${commands}/create`, { ...move, targetWalletId: '$alice' }],
  [`POST ${commands}/create`, { ...move, amount: '10000' }],
  [`POST ${commands}/create`, { ...move, executeAt: passed }],
  [`POST ${commands}/create`, { ...move, executeAt: ahead, bizId: 'later' }, 'later'],
  [`POST ${commands}/cancel`, { transferId: 'later' }],
  [`POST ${commands}/cancel`, { transferId: 'b-1' }],
  [`POST ${commands}/withdraw`, { ...out, bizId: 'withdrawal' }],
  [`POST ${commands}/journal`, { legs: [move, { ...move, amount: '1', description: 'Fee' }], bizId: 'sale' }, 'sale'],
  [`POST ${commands}/journal`, { legs: [move, { ...move, amount: '10000' }], bizId: 'too-much' }],
  [`POST ${commands}/reverse`, { transferId: '$sale', legs: [{ leg: 0, amount: '0.5' }] }],
  [`POST ${commands}/reverse`, { transferId: 'b-1', amount: '5' }],
  [`POST ${commands}/hold`, { ...move, amount: '8', bizId: 'hold' }, 'hold'],
  [`POST ${commands}/capture`, { transferId: '$hold', amount: '3', final: false }],
  [`POST ${commands}/release`, { transferId: '$hold', amount: '1' }],
  [`POST ${commands}/capture`, { transferId: '$hold', amount: '9' }],
  [`POST ${commands}/release`, { transferId: '$hold' }],
  [`POST ${commands}/release`, { transferId: '$hold' }],
  [`POST ${commands}/hold`, { ...move, expiresAt: passed }],
  [
    `POST ${commands}/batch`,
    {
      transfers: [
        { ...move, bizId: 'l-1' },
        { ...move, amount: '0' },
      ],
    },
  ],
  [`POST ${commands}/batch`, { atomic: true, transfers: [move, { ...move, amount: '10000' }] }],
  [`POST ${commands}/preview`, move],
  [`POST ${commands}/preview`, { type: 'HOLD', ...move, amount: '10000' }],
  [`POST ${wallets}/$bob/freeze`],
  [`POST ${commands}/create`, move],
  [`POST ${wallets}/$bob/close`],
  [`POST ${wallets}/$bob/unfreeze`],
  [`GET ${orders}/$transfer`],
  [`GET ${orders}/b-1/completed`],
  [`GET ${orders}/unknown`],
  [`GET ${orders}?size=3&type=TRANSFER`],
  [`GET ${orders}?parentId=$hold`],
  [`GET ${orders}?from=${passed}&to=${ahead}&size=1`],
  [`GET ${orders}?curency=USD`],
  [`GET ${orders}/wallet/$bob?status=FAILED`],
  [`GET ${wallets}?reference=alice`],
  [`GET ${wallets}/$alice`],
  [`GET ${wallets}/$alice/balance`],
  [`GET ${wallets}/$alice/balance?at=${passed}`],
  [`GET ${wallets}/$alice/balance?at=${ahead}`],
  [`GET ${wallets}/$alice/flows?direction=DEBIT`],
  [`GET ${wallets}/$alice/statement?from=${passed}&to=${passed}`],
  ['POST /webhooks', { url: 'http://127.0.0.1:9/', events: ['transfer.completed'] }, 'webhook'],
  ['POST /webhooks', { url: 'http://127.0.0.1:9/', events: ['transfer.completed'] }],
  ['POST /webhooks/$webhook/disable'],
  ['POST /webhooks/$webhook/test'],
  ['GET /webhooks/$webhook'],
  ['GET /webhooks/$webhook/deliveries'],
  ['GET /webhooks'],
  ['POST /webhooks/$webhook/delete'],
  ['GET /key'],
  ['GET /nothing'],
];

/** Ids, times and what is measured are left with their kind alone; `test` says which kind of workspace it is. */
const comparable = (text: string): string =>
  text
    .replaceAll(/"(now|timestamp|serverTime|remaining)":("[^"]*"|\d+)/g, '"$1":0')
    .replaceAll(/\b(?:ts|ws)_[0-9A-Z]{26}/g, 'ws_')
    .replaceAll(/\bak_(?:test_)?[0-9A-Z]{26}/g, 'ak_')
    .replaceAll(/([a-z]{2}_)[0-9A-HJKMNP-TV-Z]{26}/g, '$1')
    .replaceAll(/whsec_[\w+/]+=*/g, 'whsec_')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/"nextCursor":"[\w-]+"/g, '"nextCursor":"cursor"')
    .replace(/"test":(?:true|false)/, '"test":0');

async function answersOf({ client }: TestWorkspace): Promise<string[]> {
  const ids = new Map<string, string>();
  const filled = (text: string): string => text.replaceAll(/\$(\w+)/g, (_, name: string) => ids.get(name) ?? '');
  const answers: string[] = [];
  for (const [request, body, name] of steps) {
    const [method = '', target = ''] = filled(request).split(' ');
    const [path = '', query] = target.split('?');
    const answer = await client.request<{ id?: string; transferId?: string } | null>(method, `/api/v1${path}`, {
      headers: path.startsWith(commands) ? patient : {},
      ...(query === undefined ? {} : { query: Object.fromEntries(new URLSearchParams(query)) }),
      ...(body === undefined ? {} : { body: filled(JSON.stringify(body)) }),
    });
    const { status, headers, envelope, text } = answer;
    if (name !== undefined) ids.set(name, envelope?.data?.transferId ?? envelope?.data?.id ?? '');
    const replayed = headers['idempotent-replayed']?.toString() ?? '';
    answers.push(`${request}: ${status} ${replayed} ${comparable(text)}`);
  }
  return answers;
}

it('a test workspace answers as any other, but for its kind, and for ids and times', async () => {
  const [real, test] = await Promise.all([createWorkspace(service), createWorkspace(service, allScopes, '--test')]);
  const [answers, ofTest] = await Promise.all([answersOf(real), answersOf(test)]);
  expect(ofTest).toEqual(answers);
  // Both are of many kinds, and none of them is for want of an id.
  const statuses = new Set(answers.map((answer) => /: (\d{3}) /.exec(answer)?.[1]));
  expect([...statuses].sort()).toEqual(['200', '400', '403', '404', '409', '422']);
});
