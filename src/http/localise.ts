import { catalogue } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import deDE from './locales/de-DE.json' with { type: 'json' };
import enUS from './locales/en-US.json' with { type: 'json' };
import esES from './locales/es-ES.json' with { type: 'json' };
import frFR from './locales/fr-FR.json' with { type: 'json' };
import jaJP from './locales/ja-JP.json' with { type: 'json' };
import ptBR from './locales/pt-BR.json' with { type: 'json' };
import zhCN from './locales/zh-CN.json' with { type: 'json' };
import zhTW from './locales/zh-TW.json' with { type: 'json' };

type Sentences = Readonly<Record<ErrorName, string>>;

/** Every locale with its sentences; of one language and script the first is the one for regions that are not listed. */
export const locales: Readonly<Record<string, Sentences>> = {
  'en-US': enUS,
  'zh-CN': zhCN,
  'zh-TW': zhTW,
  'ja-JP': jaJP,
  'es-ES': esES,
  'fr-FR': frFR,
  'de-DE': deDE,
  'pt-BR': ptBR,
};

const supported = Object.keys(locales).map((tag) => new Intl.Locale(tag).maximize());

/**
 * What the envelope's `message` says of an error: its symbolic name, or, where `X-LOCALE` names a locale that is known, a
 * sentence. A locale is matched to the letter, in any case; else by language and script; else by language.
 */
export function localise(errorName: ErrorName, requested: string | undefined, field?: string): string {
  const tag = requested === undefined ? undefined : matchLocale(requested);
  const sentence = tag === undefined ? undefined : locales[tag]?.[errorName];
  if (sentence === undefined) return catalogue[errorName].message;
  return sentence.replace('{field}', () => field ?? '–');
}

function matchLocale(requested: string): string | undefined {
  let wanted: Intl.Locale;
  try {
    // A language that is undetermined would be maximised into a likely one.
    if (/^und(-|$)/i.test(requested)) return undefined;
    wanted = new Intl.Locale(requested).maximize();
  } catch {
    return undefined;
  }
  const sameLanguage = supported.filter(({ language }) => language === wanted.language);
  const sameScript = sameLanguage.filter(({ script }) => script === wanted.script);
  const best = sameScript.find(({ region }) => region === wanted.region) ?? sameScript[0] ?? sameLanguage[0];
  return best === undefined ? undefined : `${best.language}-${best.region ?? ''}`;
}
