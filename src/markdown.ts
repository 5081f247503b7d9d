import { Marked } from 'marked';

/**
 * The project's own Markdown as markup. Headings have the anchors that they have on GitHub; what is wider than the window
 * scrolls by itself, by keyboard too.
 * @param hrefOf where a link leads; undefined where what it names is not there, and only its text is shown. As written, if absent.
 */
export function markdownToMarkup(text: string, hrefOf: (href: string) => string | undefined = (href) => href): string {
  const marked = new Marked({
    async: false,
    renderer: {
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${anchorOf(heading)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const shown = this.parser.parseInline(tokens);
        const target = hrefOf(href);
        return target === undefined ? shown : `<a href="${target.replaceAll('"', '%22')}">${shown}</a>`;
      },
    },
  });
  return marked
    .parse(text, { async: false })
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
}

/** As GitHub names a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
