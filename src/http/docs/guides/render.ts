import { escapeHtml } from '../../../notices/mailing/render-mail.ts'
import { problemCodesTable } from '../problem-codes.ts'
import type { Guide } from './guides.ts'

/** Renders a page of Markdown. Our own files are trusted: HTML in them, such as SVG, is kept. */
export async function renderGuide(guide: Guide, guides: readonly Guide[]): Promise<string> {
  return pageOf(guide, guides, await renderMarkdown(withCodes(guide.markdown)))
}

/** The page of errors lists the codes that the server has. */
function withCodes(markdown: string): string {
  return markdown.replace('<!-- codes -->', problemCodesTable)
}

async function renderMarkdown(markdown: string): Promise<string> {
  // Loaded by the first page that somebody reads: a server that nobody reads starts without it.
  const { Marked } = await import('marked')
  const slugOf = createSlugs()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const slug = slugOf(text)
        const inner = this.parser.parseInline(tokens)
        return `<h${depth} id="${slug}"><a href="#${slug}">${inner}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const target = targetOf(href)
        return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`
      },
      image({ href, text }) {
        const source = `/docs/images/${href.split('/').at(-1)}`
        return `<img src="${escapeHtml(source)}" alt="${escapeHtml(text)}">`
      },
    },
  })
  const html = await marked.parse(markdown)
  // Wide tables and code scroll by themselves, also with the keyboard.
  return html
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
}

/** Headings get the anchors that GitHub gives them. A second one of a page is numbered. */
function createSlugs(): (text: string) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}

/** The address of a link: pages of `docs/` are served, other files of the project are not. */
function targetOf(href: string): string | undefined {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  const page = /^(?:\.\.\/)*(?:docs\/)?(?:guides\/)?([\w-]+)\.md(#.*)?$/.exec(href)
  return page ? `/docs/${page[1].toLowerCase()}${page[2] ?? ''}` : undefined
}

function pageOf(guide: Guide, guides: readonly Guide[], content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(guide.title)} – Pavilion</title>
<link rel="stylesheet" href="/docs/guides.css">
</head>
<body class="guide">
<a class="skip" href="#content">Skip to the text</a>
<header><a href="/docs">Pavilion</a> <span>for developers</span></header>
<nav aria-label="Guides">
${menuOf(guides, guide)}
</nav>
<main id="content">
${content}</main>
</body>
</html>
`
}

function menuOf(guides: readonly Guide[], current: Guide): string {
  const group = (title: string, pages: readonly Guide[]) =>
    `<details${pages.includes(current) || pages[0]?.isGuide ? ' open' : ''}><summary>${title}` +
    `</summary>\n<ul>\n${pages.map((page) => item(page, current)).join('\n')}\n</ul></details>`
  return [
    '<p><a href="/docs">API reference</a></p>',
    group(
      'Guides',
      guides.filter(({ isGuide }) => isGuide),
    ),
    group(
      'For the operator',
      guides.filter(({ isGuide }) => !isGuide),
    ),
  ].join('\n')
}

function item({ subject, title }: Guide, current: Guide): string {
  const marks = subject === current.subject ? ' aria-current="page"' : ''
  return `<li><a href="/docs/${subject}"${marks}>${escapeHtml(title)}</a></li>`
}
