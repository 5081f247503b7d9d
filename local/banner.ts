import { relative } from 'node:path';
import type { DataFolder } from './data-folder.ts';
import { environmentOf, shellWord } from './environment.ts';
import type { Started } from './stack.ts';

/** What someone who has just started the stack wants to know. */
export function bannerOf({ addresses, mongodb, ownRedis, demo }: Started, folder: DataFolder): string {
  const { shownFolder, dataOption } = namesOf(folder.path);
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
  // The command line looks in the usual folder by itself.
  const exports = environmentOf(addresses.apiUrl, demo, folder).slice(0, dataOption === '' ? -1 : undefined);
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
    ...exports.map((each) => `      ${each}`),
    '',
    '  Ctrl-C stops everything.',
    line,
    '',
  ].join('\n');
}

/** How a data folder is named to people. A stack with another one than the usual is found only if the folder is named. */
export function namesOf(dataDir: string): { shownFolder: string; dataOption: string } {
  const inside = relative(process.cwd(), dataDir) || '.';
  const shownFolder = inside.startsWith('..') ? dataDir : inside;
  return { shownFolder, dataOption: inside === '.data' ? '' : ` --data ${shellWord(shownFolder)}` };
}
