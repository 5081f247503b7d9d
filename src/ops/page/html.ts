/** Markup that is safe to send: its variable parts were escaped when it was made. */
export interface Html {
  readonly markup: string;
}

export type Part = string | number | Html | readonly Html[];

/** A template of markup; every text in it is escaped. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: String.raw({ raw: fixed }, ...parts.map(toMarkup)) };
}

function toMarkup(part: Part): string {
  if (typeof part === 'string') return escape(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
