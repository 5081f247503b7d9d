import { catalogue } from '../../src/errors.ts';

/** docs/errors.md, from the catalogue. */
export function errorsPage(): string {
  const rows = Object.values(catalogue).map(
    ({ code, status, message, when }) =>
      `| \`${code}\` | ${status} | \`${message}\` | ${when.replaceAll('|', '\\|')} |`,
  );
  return [
    '# Codes',
    '',
    'Every answer under `/api/` is the envelope; a failure has `success: false`, one of these codes, and `data: null`.',
    'Branch on `code`, which never changes. `message` is the symbolic name, or a sentence where `X-LOCALE` names a language',
    'that is known. Success is always HTTP 200, code `2000`, message `SUCCESS`. The first check that fails decides.',
    '',
    'This page is written by `script/node script/write-docs.ts` from `src/errors.ts`.',
    '',
    '| code | HTTP | message | when |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
