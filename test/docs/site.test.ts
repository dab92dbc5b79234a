/** The documentation's site: every page is there, every link leads somewhere, and its search finds. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

interface Section {
  page: string;
  title: string;
  heading: string;
  anchor: string;
  text: string;
}

interface SiteBuilder {
  buildSite(folder: string, dist: string): { name: string; html: string; sections: Section[] }[];
}

let folder: string;
let pages: ReturnType<SiteBuilder['buildSite']>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-site-'));
  // The engine's files are only copied.
  const dist = join(folder, 'dist');
  mkdirSync(dist);
  writeFileSync(join(dist, 'resilin.js'), '');
  const builder = new URL('../../scripts/site.mjs', import.meta.url).href;
  const { buildSite } = (await import(/* @vite-ignore */ builder)) as SiteBuilder;
  pages = buildSite(join(folder, 'site'), dist);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('has every page of docs/', () => {
  const wanted = readdirSync('docs').filter((name) => name.endsWith('.md'));
  expect(pages.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'index.html',
      'changelog.html',
      ...wanted.map((name) => name.replace('.md', '.html')),
    ]),
  );
});

it('links to what there is', () => {
  const anchors = new Map(
    pages.map(({ name, html }) => [name, new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]),
  );
  const lost: string[] = [];
  for (const { name, html } of pages)
    for (const [, href = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      const [file, anchor] = href.split('#') as [string, string | undefined];
      const page = file === '' ? name : file;
      if (!existsSync(join(folder, 'site', page))) lost.push(`${name}: ${href}`);
      else if (anchor !== undefined && anchors.get(page)?.has(anchor) === false)
        lost.push(`${name}: ${href}`);
    }
  expect(lost).toEqual([]);
});

it('is searched by sections whose anchors the pages have', () => {
  const all = JSON.parse(readFileSync(join(folder, 'site/sections.json'), 'utf8')) as Section[];
  expect(all.length).toBeGreaterThan(150);
  const html = new Map(pages.map((page) => [page.name, page.html]));
  for (const { page, anchor } of all) if (anchor !== '') expect(html.get(page)).toContain(` id="${anchor}"`);
  expect(all.every(({ text, heading }) => text + heading !== '')).toBe(true);
});

it('shows texts of Markdown as they are', () => {
  const { html } = pages.find(({ name }) => name === 'settings.html')!;
  expect(html).toContain('<table>');
  expect(html).not.toMatch(/<script(?! type="module" src="search\.js")/);
});
