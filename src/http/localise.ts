import { catalogue, type ErrorName } from '../errors.ts';
import written from './sentences.json' with { type: 'json' };

/** The first tag of a language and script also serves the regions that are not listed. */
const tags = ['en-US', 'zh-CN', 'zh-TW', 'ja-JP', 'es-ES', 'fr-FR', 'de-DE', 'pt-BR'] as const;

type Tag = (typeof tags)[number];

const sentences: Readonly<Record<ErrorName, Readonly<Record<Tag, string>>>> = written;

const supported = tags.map((tag) => ({ tag, locale: new Intl.Locale(tag).maximize() }));

/** What a sentence may name. */
interface SentenceValues {
  readonly field?: string | undefined;
  readonly value?: string | undefined;
}

/**
 * What the envelope's `message` says about an error: its symbolic name, or a sentence if `X-LOCALE` names a known locale. A
 * locale is matched exactly, but in any case; else by language and script; else by language.
 */
export function localise(errorName: ErrorName, requested: string | undefined, values: SentenceValues = {}): string {
  const tag = requested === undefined ? undefined : matchLocale(requested);
  if (tag === undefined) return catalogue[errorName].message;
  // What is in square brackets is said only where there is a value.
  const said = sentences[errorName][tag].replaceAll(/\[(.*?)\]/g, (_, part: string) =>
    values.value === undefined ? '' : part,
  );
  return said.replaceAll(/\{(field|value)\}/g, (_, name: keyof SentenceValues) => values[name] ?? '–');
}

function matchLocale(requested: string): Tag | undefined {
  let wanted: Intl.Locale;
  try {
    // `maximize` would turn an undetermined language into a likely one.
    if (/^und([-_]|$)/i.test(requested)) return undefined;
    // Many platforms write `zh_CN`.
    wanted = new Intl.Locale(requested.replaceAll('_', '-')).maximize();
  } catch {
    return undefined;
  }
  const sameLanguage = supported.filter(({ locale }) => locale.language === wanted.language);
  const sameScript = sameLanguage.filter(({ locale }) => locale.script === wanted.script);
  const sameRegion = sameScript.find(({ locale }) => locale.region === wanted.region);
  return (sameRegion ?? sameScript[0] ?? sameLanguage[0])?.tag;
}
