import { catalogue, namedField } from '../../src/errors.ts';

/** docs/errors.md, from the catalogue. */
export function errorsPage(): string {
  const rows = Object.entries(catalogue).map(([reason, { code, status, message, when, ...more }]) => {
    const field = 'field' in more ? more.field : '';
    const shownField = field === namedField || field === '' ? field : `\`${field}\``;
    const cells = [`\`${reason}\``, `\`${code}\``, String(status), `\`${message}\``, shownField];
    return `| ${[...cells, 'value' in more ? more.value : '', when].join(' | ')} |`;
  });
  return [
    '<!-- Written by script/write-docs.ts from src/error-catalogue.ts. -->',
    '',
    '# Codes and reasons',
    '',
    'Every answer under `/api/` is the envelope; a failure has `success: false`, one of these codes, and `data: null`.',
    'Success is always HTTP 200, code `2000`, message `SUCCESS`. The first check that fails decides.',
    '',
    '`code` says what kind of failure it is, and never changes. Why, `error` says: `reason` is a symbol that never changes either,',
    '`field` the field, part of the path, query parameter or header at fault, `value` what helps to mend it, and where several',
    'fields are wrong `fields` has each with its reason ([Every answer](api.md#every-answer)). Branch on code or reason, and treat one that',
    'you do not know by the HTTP status: more may come. `message` is the symbolic name, or, where `X-LOCALE` names a',
    'language that is known, a sentence for the reason.',
    '',
    '`INSUFFICIENT_BALANCE` and `BALANCE_LIMIT` are no answers: like `WALLET_NOT_ACTIVE` they',
    'stand in the `failure` of an order that could not be posted.',
    '',
    '| reason | code | HTTP | message | field | value | when |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
