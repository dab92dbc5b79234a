// Writes assembly/analysis/charFilters/htmlTables.ts from scripts/data/tag-names-6.1.txt and html-references.txt. Run `node
// scripts/generate-html.mjs`; with --check it only says whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs';

const here = new URL('.', import.meta.url);
const readLines = (name) =>
  readFileSync(new URL(`data/${name}`, here), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const CLASSES = { Start: 2, Continue: 1 };
const ranges = [];
let current = 0;
for (const line of readLines('tag-names-6.1.txt')) {
  const words = line.split(' ').filter((word) => word !== '');
  if (!line.startsWith(' ')) current = CLASSES[words.shift()];
  for (const range of words) {
    const [first, last = first] = range.split('-').map((digits) => Number.parseInt(digits, 16));
    ranges.push([first, last, current]);
  }
}
ranges.sort((a, b) => a[0] - b[0]);
const runs = [];
let end = 0;
for (const [first, last, kind] of ranges) {
  if (first > end) runs.push(end * 4);
  runs.push(first * 4 + kind);
  end = last + 1;
}
runs.push(end * 4);

const references = readLines('html-references.txt').flatMap((line) => line.split(' '));
const bytes = [];
const u32 = (n) => bytes.push(n & 255, (n >>> 8) & 255, (n >>> 16) & 255, n >>> 24);
u32(references.length);
for (const reference of references) {
  const [name, codePoint] = reference.split('=');
  u32(Number.parseInt(codePoint, 16));
  bytes.push(name.length, 0, ...Buffer.from(name));
}
const longest = Math.max(...references.map((reference) => reference.indexOf('=')));

function array(values, perLine) {
  let text = '';
  for (let i = 0; i < values.length; i += perLine) text += `  ${values.slice(i, i + perLine).join(', ')},\n`;
  return `[\n${text}]`;
}
const output = `/** The tables of the html_strip char filter, written by scripts/generate-html.mjs. Long because it is data. */

/**
 * Runs of code points, ascending, each first << 2 | class: 2 can begin the name of a tag, 1 can only be inside, 0 neither.
 * The last run goes on for ever.
 */
export const NAME_RUN_COUNT: u32 = ${runs.length};
// biome-ignore format: a table
export const NAME_RUNS: usize = memory.data<u32>(${array(runs, 14)});

/** A word set: the character references by name, with their code points. */
export const REFERENCES_BYTES: u32 = ${bytes.length};
export const LONGEST_REFERENCE: u32 = ${longest};
// biome-ignore format: a table
export const REFERENCES: usize = memory.data<u8>(${array(bytes, 26)});
`;
const target = new URL('../assembly/analysis/charFilters/htmlTables.ts', here);
if (!process.argv.includes('--check')) writeFileSync(target, output);
else if (readFileSync(target, 'utf8') !== output) {
  console.error('assembly/analysis/charFilters/htmlTables.ts is not what scripts/generate-html.mjs writes');
  process.exitCode = 1;
}
