/**
 * Builds the documentation's site: a page for the README, the changelog and each page of docs/, and a search over them that Resilin answers in
 * the tab. Plain files, for any web server.
 *
 *     node scripts/site.mjs [FOLDER]     into FOLDER, build/site by default; the package is built first (npm run site does so)
 */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NAVIGATION, pageOf } from './site/pages.mjs';

const ROOT = path.join(import.meta.dirname, '..');
const DIST = path.join(ROOT, 'dist');

/** What the search loads: the engine of pages, with what it loads late. */
const ENGINE = (name) => name.endsWith('.js') || name === 'resilin.wasm';

export function buildSite(folder, dist = DIST) {
  if (!existsSync(path.join(dist, 'resilin.js')))
    throw new Error('the package is not built: npm run build:package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'engine'), { recursive: true });
  const pages = NAVIGATION.flatMap(({ pages }) => pages).map((file) => pageOf(ROOT, file));
  for (const { name, html } of pages) writeFileSync(path.join(folder, name), html);
  writeFileSync(
    path.join(folder, 'sections.json'),
    JSON.stringify(pages.flatMap(({ sections }) => sections)),
  );
  for (const name of ['search.js', 'style.css'])
    cpSync(path.join(import.meta.dirname, 'site', name), path.join(folder, name));
  for (const pictures of ['performance', 'console'])
    cpSync(path.join(ROOT, 'docs', pictures), path.join(folder, pictures), { recursive: true });
  for (const name of readdirSync(dist).filter(ENGINE))
    cpSync(path.join(dist, name), path.join(folder, 'engine', name));
  return pages;
}

if (process.argv[1] === import.meta.filename) {
  const folder = path.resolve(process.argv[2] ?? path.join(ROOT, 'build/site'));
  try {
    const pages = buildSite(folder);
    console.log(`${pages.length} pages in ${folder}; look at them with: npx serve ${folder}`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
