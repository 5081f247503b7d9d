import { relative } from 'node:path';
import type { DataFolder } from './data-folder.ts';
import type { Started } from './stack.ts';

/** What someone who just started the stack wants to know. */
export function bannerOf({ addresses, mongodb, ownRedis, demo }: Started, folder: DataFolder): string {
  const shownFolder = relative(process.cwd(), folder.path) || '.';
  const rows: [string, string][] = [
    ['API', addresses.apiUrl],
    ['Operations', `${addresses.opsUrl} (page, metrics; queue at /queues)`],
    ['MongoDB', mongodb.why],
    ['Redis', ownRedis ? `${addresses.redisUrl}, of its own` : 'the server that REDIS_URL names'],
    ['Data', `${shownFolder.startsWith('..') ? folder.path : shownFolder} (script/start --fresh begins anew)`],
    ['API key', demo.apiKey],
    ['API secret', demo.apiSecret],
    ['Wallets', `alice ${demo.wallets.alice}, bob ${demo.wallets.bob} (${demo.currency})`],
  ];
  const line = '-'.repeat(72);
  return [
    '',
    line,
    ...rows.map(([name, value]) => `  ${name.padEnd(12)}${value}`),
    '',
    '  A signed transfer, from request to COMPLETED (in another shell):',
    '',
    '      script/demo',
    '',
    '  Ctrl-C stops everything.',
    line,
    '',
  ].join('\n');
}
