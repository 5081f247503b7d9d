import { describe, expect, it } from 'vitest';
import { catalogue, namedField, type ErrorName } from '../../src/errors.ts';
import { localise } from '../../src/http/localise.ts';
import written from '../../src/http/sentences.json' with { type: 'json' };

const names = Object.keys(catalogue) as ErrorName[];
/** The sentences by locale. */
const locales: Record<string, Record<string, string>> = {};
for (const [name, byTag] of Object.entries(written))
  for (const [tag, sentence] of Object.entries(byTag)) (locales[tag] ??= {})[name] = sentence;
const sentenceOf = (requested: string | undefined) => localise('SAME_WALLET', requested);

describe.each(Object.entries(locales))('the locale %s', (tag, sentences) => {
  it('has one sentence for each error, and no more', () => {
    expect(Object.keys(sentences).toSorted()).toEqual(names.toSorted());
    for (const sentence of Object.values(sentences)) expect(sentence).toMatch(/^\S.{4,}[.。]$/);
    expect(new Set(Object.values(sentences)).size).toBe(names.length);
  });

  it('tells the value where the English sentence does, in a part that is left out where there is none', () => {
    const telling = names.filter((name) => sentences[name]?.includes('{value}'));
    expect(telling).toEqual(names.filter((name) => locales['en-US']?.[name]?.includes('{value}')));
    for (const name of telling) {
      expect('value' in catalogue[name], name).toBe(true);
      expect(localise(name, tag, { field: 'a[{value}]', value: '$&[1] {field}' })).toContain('$&[1] {field}');
      expect(localise(name, tag)).toMatch(/^[^[\]{}]{4,}[.。]$/);
    }
  });

  it('names the field where the English sentence does, and nowhere else', () => {
    const naming = names.filter((name) => sentences[name]?.includes('{field}'));
    expect(naming).toEqual(names.filter((name) => locales['en-US']?.[name]?.includes('{field}')));
    expect(naming).toContain('FIELD_MALFORMED');
    expect(localise('FIELD_MALFORMED', tag, { field: 'amount' })).toContain('amount');
    expect(localise('FIELD_MALFORMED', tag, { field: '$&{field}' })).toContain('$&{field}');
  });
});

it('where any field may be at fault, a sentence names it, but for what concerns one parameter alone', () => {
  const ofOne = ['PAGE_TOO_DEEP', 'CURSOR_MALFORMED', 'WEBHOOK_URL_REFUSED'];
  for (const name of names) {
    const { code, ...more } = catalogue[name];
    const mayBeAny = code === 'RQ4001' && 'field' in more && more.field === namedField && !ofOne.includes(name);
    const isNamed = locales['en-US']?.[name]?.includes('{field}');
    expect(isNamed, name).toBe(mayBeAny || name === 'KEY_REPEATED');
  }
});

it('there are at least the eight locales of the contract', () => {
  const contract = ['en-US', 'zh-CN', 'zh-TW', 'ja-JP', 'es-ES', 'fr-FR', 'de-DE', 'pt-BR'];
  expect(Object.keys(locales)).toEqual(expect.arrayContaining(contract));
});

describe('a requested locale', () => {
  it.each([
    ['en-US', 'en-US'],
    ['en-GB', 'en-US'],
    ['fr-CA', 'fr-FR'],
    ['es-419', 'es-ES'],
    ['pt-PT', 'pt-BR'],
    ['zh', 'zh-CN'],
    ['zh_CN', 'zh-CN'],
    ['ZH_hant_mo', 'zh-TW'],
    ['zh-Hans', 'zh-CN'],
    ['zh-TW', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['zh-Hant-MO', 'zh-TW'],
    ['en-US-u-nu-latn', 'en-US'],
  ])('%s is answered in %s', (requested, tag) => {
    expect(sentenceOf(requested)).toBe(locales[tag]?.['SAME_WALLET']);
  });

  it.each([[undefined], ['und'], ['und_CN'], ['xx-YY'], ['en-US,fr'], ['*'], ['../en-US'], ['__proto__']])(
    '%j is not known: the symbolic name',
    (requested) => {
      expect(sentenceOf(requested)).toBe('SAME_WALLET');
    },
  );
});
