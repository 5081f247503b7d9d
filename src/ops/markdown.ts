import { Marked } from 'marked';

/**
 * The project's own Markdown as markup. Headings have the anchors that they have on GitHub; what is wider than the window
 * scrolls by itself, by keyboard too.
 */
export function markdownToMarkup(text: string): string {
  const marked = new Marked({
    async: false,
    renderer: {
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${anchorOf(heading)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
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
