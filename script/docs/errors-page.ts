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
    '`code` says what kind of failure it is, `error` why, with its `reason`, `field` and `value` ([Every answer](api.md#every-answer)).',
    'Codes and reasons never change. Branch on either, and treat one that you do not know by the HTTP status: more may come. The first',
    'check that fails decides. `INSUFFICIENT_BALANCE` and `BALANCE_LIMIT` are no answers: like `WALLET_NOT_ACTIVE` they stand in the',
    '`failure` of an order that could not be posted ([After FAILED](api.md#after-failed)).',
    '',
    '| reason | code | HTTP | message | field | value | when |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
