import { readFileSync } from 'node:fs';
import { describedRoutes } from './api-description.ts';
import { anyScope } from '../../src/auth/pipeline.ts';

const [begin, end] = ['<!-- endpoints: written by script/write-docs.ts -->', '<!-- end of endpoints -->'];

/** docs/api.md, with the table of all endpoints as the routes are now; the rest as it stands. */
export function apiPage(): string {
  const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const [before = '', after] = page.split(begin);
  const [, rest] = after?.split(end) ?? [];
  if (rest === undefined) throw new Error(`docs/api.md lacks ${begin} or ${end}`);
  return `${before}${begin}\n\n${endpointsTable()}\n${end}${rest}`;
}

function endpointsTable(): string {
  const rows = describedRoutes().map(({ method, path, scope, alsoNeeds, operation: { summary } }) => {
    const scopes = [scope, alsoNeeds ?? []].flat().map((each) => `\`${each}\``);
    return `| ${method} | \`${path}\` | ${scope === anyScope ? 'any' : scopes.join(', ')} | ${summary} |`;
  });
  return ['| | path | scope | what it does |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}
