/** Pages of the documentation's site, made of Markdown. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Marked } from 'marked';

/** Which pages there are, in their order, by what they are for. */
export const NAVIGATION = [
  { title: 'Begin', pages: ['README.md', 'docs/importing.md', 'docs/moving.md', 'docs/embedding.md'] },
  {
    title: 'Run',
    pages: [
      'docs/running.md',
      'docs/settings.md',
      'docs/sizing.md',
      'docs/security.md',
      'docs/backup.md',
      'docs/cluster.md',
      'docs/console.md',
      'docs/observability.md',
      'docs/troubleshooting.md',
    ],
  },
  {
    title: 'Use',
    pages: [
      'docs/api.md',
      'docs/compatibility.md',
      'docs/analysis.md',
      'docs/relevance.md',
      'docs/scripts.md',
      'docs/durability.md',
    ],
  },
  {
    title: 'Look inside',
    pages: [
      'docs/architecture.md',
      'docs/performance.md',
      'docs/core.md',
      'docs/kernels.md',
      'docs/testing.md',
      'CHANGELOG.md',
    ],
  },
].map(({ title, pages }) => ({
  title,
  pages: pages.filter((file) => existsSync(path.join(import.meta.dirname, '../..', file))),
}));

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replace(/[&<>"]/g, (char) => ESCAPES[char]);

/** The file of a page. */
export function nameOf(file) {
  return file === 'README.md' ? 'index.html' : `${path.basename(file, '.md').toLowerCase()}.html`;
}

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** The first heading of a file. */
function titleOf(text, file) {
  return /^# (.+)$/m.exec(text)?.[1] ?? path.basename(file, '.md');
}

/** What is left of a text in Markdown without its marks. */
function plainText(tokens) {
  return tokens
    .map((token) => {
      if (token.type === 'table')
        return [token.header, ...token.rows]
          .map((row) => row.map((cell) => plainText(cell.tokens)).join(' '))
          .join('\n');
      if (token.type === 'list') return token.items.map((item) => plainText(item.tokens)).join('\n');
      if (token.type === 'html' || token.type === 'space') return ' ';
      return token.tokens === undefined ? (token.text ?? '') : plainText(token.tokens);
    })
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * A page, and what is searched of it.
 * @param file its Markdown, from the root
 */
export function pageOf(root, file) {
  const text = readFileSync(path.join(root, file), 'utf8');
  const title = titleOf(text, file);
  const name = nameOf(file);
  const known = new Set(NAVIGATION.flatMap(({ pages }) => pages));
  const used = new Map();
  /** Headings of the same text are told apart by a number. */
  const unique = (heading) => {
    const anchor = anchorOf(heading);
    const times = used.get(anchor) ?? 0;
    used.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
  const marked = new Marked({ gfm: true });
  const sections = [];
  let section = { page: name, title, heading: title, anchor: '', text: '' };
  for (const token of marked.lexer(text)) {
    if (token.type === 'heading') {
      if (section.text !== '') sections.push(section);
      const heading = plainText(token.tokens);
      token.anchor = unique(heading);
      section = { page: name, title, heading, anchor: token.anchor, text: '' };
    } else section = { ...section, text: `${section.text} ${plainText([token])}`.trim() };
  }
  if (section.text !== '' || sections.length === 0) sections.push(section);
  used.clear();
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const anchor = unique(plainText(tokens));
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${inner}</a></h${depth}>\n`;
      },
      link({ href, title: hover, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const to = targetOf(href, file, known);
        // Sources aren't on the site.
        if (to === undefined) return `<span class="source" title="${escaped(href)}">${inner}</span>`;
        return `<a href="${escaped(to)}"${hover ? ` title="${escaped(hover)}"` : ''}>${inner}</a>`;
      },
      image({ href, text: seen }) {
        // The README names pictures from the root; pages and pictures of docs/ are the site's root.
        return `<img src="${escaped(href.replace(/^docs\//, ''))}" alt="${escaped(seen)}" loading="lazy">`;
      },
    },
  });
  return { name, sections, html: whole(title, name, marked.parse(text)) };
}

/** Where a link of a page leads on the site; undefined where that isn't there. */
export function targetOf(href, file, known) {
  if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href;
  const [target, anchor] = href.split('#');
  const from = path.posix.normalize(path.posix.join(path.posix.dirname(file), target));
  if (known.has(from)) return nameOf(from) + (anchor === undefined ? '' : `#${anchor}`);
  return from.startsWith('docs/performance/') ? from.slice('docs/'.length) : undefined;
}

function whole(title, name, body) {
  const groups = NAVIGATION.map(({ title: group, pages }) => {
    const links = pages.map((file) => {
      const own = nameOf(file);
      const text = titleOf(readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8'), file);
      return `<li><a href="${own}"${own === name ? ' aria-current="page"' : ''}>${escaped(text)}</a></li>`;
    });
    return `<h2>${group}</h2><ul>${links.join('')}</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}${name === 'index.html' ? '' : ' - Resilin'}</title>
<link rel="stylesheet" href="style.css">
<script type="module" src="search.js"></script>
<header>
<a class="home" href="index.html">Resilin</a>
<form role="search"><input type="search" name="q" placeholder="Search" aria-label="Search the documentation" autocomplete="off"></form>
</header>
<div id="found" role="region" aria-live="polite" aria-label="Search results" hidden></div>
<div class="columns">
<nav aria-label="Pages">${groups.join('')}</nav>
<main>
${body}</main>
</div>
</html>
`;
}
