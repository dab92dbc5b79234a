// Writes assembly/analysis/categoryRuns.ts from scripts/data/general-category-13.txt. Run `node
// scripts/generate-categories.mjs`; with --check it only says whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs';

const here = new URL('.', import.meta.url);

/** The numbers of java.lang.Character's constants. */
const NUMBERS = {
  Lu: 1,
  Ll: 2,
  Lt: 3,
  Lm: 4,
  Lo: 5,
  Mn: 6,
  Me: 7,
  Mc: 8,
  Nd: 9,
  Nl: 10,
  No: 11,
  Zs: 12,
  Zl: 13,
  Zp: 14,
  Cc: 15,
  Cf: 16,
  Co: 18,
  Cs: 19,
  Pd: 20,
  Ps: 21,
  Pe: 22,
  Pc: 23,
  Po: 24,
  Sm: 25,
  Sc: 26,
  Sk: 27,
  So: 28,
  Pi: 29,
  Pf: 30,
};
/** Code points from here on are few and known to categories.ts. */
const LIMIT = 0x31400;

const category = new Uint8Array(0x110000);
let current = 0;
for (const line of readFileSync(new URL('data/general-category-13.txt', here), 'utf8').split('\n')) {
  if (line === '' || line.startsWith('#')) continue;
  const words = line.split(' ').filter((word) => word !== '');
  if (!line.startsWith(' ')) current = NUMBERS[words.shift()];
  for (const range of words) {
    const [first, last = first] = range.split('-').map((digits) => Number.parseInt(digits, 16));
    category.fill(current, first, last + 1);
  }
}

const bytes = [];
for (let at = 0; at < LIMIT; ) {
  let end = at;
  while (end < LIMIT && category[end] === category[at]) ++end;
  let run = (end - at) * 32 + category[at];
  at = end;
  while (run >= 0x80) {
    bytes.push((run & 0x7f) | 0x80);
    run >>>= 7;
  }
  bytes.push(run);
}

let rows = '';
for (let i = 0; i < bytes.length; i += 26) rows += `  ${bytes.slice(i, i + 26).join(', ')},\n`;
const output = `/** The general categories, written by scripts/generate-categories.mjs. Long because it is data; categories.ts reads it. */

/** Code points that the runs cover, from 0 on. */
export const CATEGORIES_LIMIT: u32 = 0x${LIMIT.toString(16)};

/** Runs one after the other, each a varint: length << 5 | category. */
// biome-ignore format: a table
export const CATEGORY_RUNS: usize = memory.data<u8>([
${rows}]);
`;
const target = new URL('../assembly/analysis/categoryRuns.ts', here);
if (!process.argv.includes('--check')) writeFileSync(target, output);
else if (readFileSync(target, 'utf8') !== output) {
  console.error('assembly/analysis/categoryRuns.ts is not what scripts/generate-categories.mjs writes');
  process.exitCode = 1;
}
