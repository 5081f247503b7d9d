import { join, relative } from 'node:path';
import type { DataFolder } from './data-folder.ts';
import { STACK_FILE } from './process-list.ts';
import type { Started } from './stack.ts';

/** What someone who has just started the stack wants to know. */
export function bannerOf({ addresses, mongodb, ownRedis, demo }: Started, folder: DataFolder): string {
  const inside = relative(process.cwd(), folder.path) || '.';
  const shownFolder = inside.startsWith('..') ? folder.path : inside;
  // A stack with another folder than the usual one is found only if the folder is named.
  const dataOption = inside === '.data' ? '' : ` --data ${shellWord(shownFolder)}`;
  const asksForToken = (process.env['OPS_TOKEN'] ?? process.env['OPS_TOKEN_FILE'] ?? '') !== '';
  const rows: [string, string][] = [
    ['API', addresses.apiUrl],
    ['Reference', `${addresses.apiUrl}/docs (with forms that sign; for machines /openapi.json)`],
    [
      'Operations',
      `${addresses.opsUrl} (page, metrics; queue at /queues${asksForToken ? '; asks for OPS_TOKEN' : ''})`,
    ],
    ['MongoDB', mongodb.why],
    ['Redis', ownRedis ? `${addresses.redisUrl}, of its own` : 'the server that REDIS_URL names'],
    ['Data', `${shownFolder} (script/start${dataOption} --fresh begins anew)`],
  ];
  const exports: [string, string][] = [
    ['BASE_URL', addresses.apiUrl],
    ['API_KEY', demo.apiKey],
    ['API_SECRET', demo.apiSecret],
    ['SOURCE', demo.wallets.alice],
    ['TARGET', demo.wallets.bob],
    // The command line looks in the usual folder by itself.
    ...(dataOption === '' ? [] : [['LOCAL_STACK_FILE', shellWord(join(folder.path, STACK_FILE))] as [string, string]]),
  ];
  const line = '-'.repeat(72);
  return [
    '',
    line,
    ...rows.map(([name, value]) => `  ${name.padEnd(12)}${value}`),
    '',
    '  A signed transfer, from request to COMPLETED (in another shell):',
    '',
    `      script/demo${dataOption}`,
    '',
    `  For the programs of docs/api.md, and for your own (the wallets of alice and bob, in ${demo.currency}):`,
    '',
    ...exports.map(([name, value]) => `      export ${name}=${value}`),
    '',
    '  Ctrl-C stops everything.',
    line,
    '',
  ].join('\n');
}

/** A path as a shell takes it for one word. */
function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
