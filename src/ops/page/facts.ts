import { html } from './html.ts';
import type { Html, Part } from './html.ts';

/** What is known of one thing, each with its name. */
export function facts(known: readonly (readonly [name: string, value: Part])[]): Html {
  return html`<dl>
    ${known.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}
