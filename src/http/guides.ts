import { readFileSync } from 'node:fs';
import { markdownToMarkup } from '../markdown.ts';

/** The pages of docs/ for those who call the API, with their titles. */
const guides = {
  api: 'The API',
  orders: 'More orders',
  webhooks: 'Webhooks',
  errors: 'Codes and reasons',
  clients: 'Writing a client',
} as const;
const vectorsFile = 'signing-vectors.json';
const vectorsTitle = 'Signing vectors';

/** A page, or a part of one, that says more: such as `orders#holds`. */
export type Guide = `${keyof typeof guides}${'' | `#${string}`}`;

/** The guides by their paths, such as `/docs/api`: the same text as in docs/, as pages that need no script. */
export function guidePages(): Readonly<Record<string, Buffer>> {
  const pages = Object.entries(guides).map(([name, title]) => {
    const markup = markdownToMarkup(read(`${name}.md`), hrefOf).replaceAll(/<p><img [^>]*><\/p>\n?/g, '');
    return [`/docs/${name}`, pageOf(title, name === 'errors' ? withReasons(markup) : markup)] as const;
  });
  const vectors = read(vectorsFile);
  return {
    ...Object.fromEntries(pages),
    '/docs/signing-vectors': pageOf(
      vectorsTitle,
      markdownToMarkup(vectorsPage(JSON.parse(vectors) as Vector[]), hrefOf),
    ),
    [`/docs/${vectorsFile}`]: Buffer.from(vectors),
  };
}

function read(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

/** Links lead to what is served here. What is in the repository alone is not linked. */
function hrefOf(href: string): string | undefined {
  if (/^(https?:|#|\/docs\/)/.test(href)) return href;
  if (href === vectorsFile) return '/docs/signing-vectors';
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return Object.hasOwn(guides, name) ? `/docs/${name}${anchor}` : undefined;
}

/** A reason is the anchor of its row. */
function withReasons(markup: string): string {
  return markup.replaceAll(/<tr>\n<td>(<code>([A-Z_\d]+)<\/code>)/g, '<tr id="$2">\n<td>$1');
}

interface Vector {
  readonly name: string;
  readonly verdict: string;
  readonly canonicalMessage: string;
}

function vectorsPage(vectors: readonly Vector[]): string {
  const shown = vectors.map(({ name, canonicalMessage, ...vector }) => {
    const lines = Object.entries(vector).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    return [
      `## ${name.replaceAll(/[\\`*_[\]<>&]/g, '\\$&')}`,
      '',
      '````text',
      ...lines,
      '',
      canonicalMessage,
      '````',
      '',
    ];
  });
  const head = [
    `# ${vectorsTitle}`,
    '',
    `${vectors.length} requests with their signatures, right and wrong; [as JSON](/docs/${vectorsFile}). Below each stands the message that`,
    'is signed. [What the fields say](api.md#test-vectors).',
    '',
  ];
  return [...head, ...shown.flat()].join('\n');
}

function pageOf(title: string, markup: string): Buffer {
  const links = [['/docs', 'Reference'], ...Object.entries(guides).map(([name, text]) => [`/docs/${name}`, text])];
  const nav = [...links, ['/docs/signing-vectors', vectorsTitle], ['/openapi.json', 'OpenAPI']]
    .map(([href = '', text = '']) => `<a href="${href}"${text === title ? ' aria-current="page"' : ''}>${text}</a>`)
    .join('\n');
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<title>${title} – Signed Wallet and Transfer API</title>
<link rel="icon" href="data:," />
<link rel="stylesheet" href="/docs/page.css" />
</head>
<body class="guide">
<nav aria-label="Pages">
${nav}
</nav>
<main>
${markup}</main>
</body>
</html>
`);
}
