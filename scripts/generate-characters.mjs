// Writes assembly/analysis/characterTables.ts from scripts/data: upper case and ASCII folding. Run `node scripts/generate-characters.mjs`; the same data always give the same file. With --check
// it only says whether the file is up to date.

import { readFileSync, writeFileSync } from 'node:fs';

const here = new URL('.', import.meta.url);
/** The lines behind the comment that a file begins with. */
const readLines = (name) => {
  const lines = readFileSync(new URL(`data/${name}`, here), 'utf8').split('\n');
  return lines.slice(lines.findIndex((line) => !line.startsWith('#'))).filter((line) => line !== '');
};

const BMP = 0x10000;
const BLOCK_BITS = 6;
const BLOCK = 1 << BLOCK_BITS;

/** Every code point of `first[-last[/step]]`, in hexadecimal. */
function* codePoints(range) {
  const [bounds, step = '1'] = range.split('/');
  const [first, last = first] = bounds.split('-').map((digits) => Number.parseInt(digits, 16));
  for (let c = first; c <= last; c += Number(step)) yield c;
}

/** Lines of a name and ranges; a line that begins with a space goes on with the name before. */
function* namedRanges(file) {
  let name = '';
  for (const line of readLines(file)) {
    const words = line.split(' ').filter((word) => word !== '');
    if (!line.startsWith(' ')) name = words.shift();
    for (const range of words) for (const c of codePoints(range)) yield [name, c];
  }
}

/** Two stages: where the block of 64 code points is, and the blocks, equal ones once. */
function stages(values) {
  const index = [];
  const blocks = [];
  const places = new Map();
  for (let at = 0; at < BMP; at += BLOCK) {
    const block = values.subarray(at, at + BLOCK);
    const key = block.join();
    let place = places.get(key);
    if (place === undefined) {
      place = places.size;
      places.set(key, place);
      blocks.push(...block);
    }
    index.push(place);
  }
  if (places.size > 256) throw new Error('too many blocks');
  return { index, blocks };
}

/** The number of a value among those seen, up to 255 of them; number 0 is `none`. */
function numbering(none) {
  const list = [none];
  return {
    list,
    of(value) {
      let number = list.indexOf(value);
      if (number < 0) number = list.push(value) - 1;
      if (number > 255) throw new Error('too many different values');
      return number;
    },
  };
}

// ---- Upper case ----------------------------------------------------------------------------------------------------

const distances = numbering(0);
const upper = new Uint8Array(BMP);
const upperBeyond = [];
for (const line of readLines('upper-case.txt')) {
  const [range, distance] = line.split(' ');
  const list = [...codePoints(range)];
  if (list[0] >= BMP) {
    if (range.includes('/')) throw new Error('a step beyond U+FFFF');
    upperBeyond.push(list[0], list.at(-1), Number(distance));
  } else {
    for (const c of list) upper[c] = distances.of(Number(distance));
  }
}

// ---- ASCII folding -------------------------------------------------------------------------------------------------

const foldings = numbering(0);
const fold = new Uint8Array(BMP);
for (const [ascii, c] of namedRanges('ascii-folding.txt')) {
  if (ascii.length > 4) throw new Error(`${ascii} does not fit into a word`);
  fold[c] = foldings.of([...ascii].reduce((word, letter, i) => word + letter.charCodeAt(0) * 256 ** i, 0));
}

// ---- Output --------------------------------------------------------------------------------------------------------

function array(numbers, perLine) {
  const lines = [];
  for (let i = 0; i < numbers.length; i += perLine)
    lines.push(`  ${numbers.slice(i, i + perLine).join(', ')},`);
  return `[\n${lines.join('\n')}\n]`;
}
const table = (type, numbers, perLine) => `memory.data<${type}>(${array(numbers, perLine)})`;

const upperStages = stages(upper);
const foldStages = stages(fold);

const output = `/**
 * What token filters ask about characters. Written by scripts/generate-characters.mjs from scripts/data; long because it
 * is data.
 *
 * Each table has two stages for the code points below U+10000: with b = X_INDEX[c >> ${BLOCK_BITS}], the entry is X_BLOCKS[b << ${BLOCK_BITS} | c & ${BLOCK - 1}].
 */

/** Entries are numbers of UPPER_DISTANCE. */
export const UPPER_INDEX: usize = ${table('u8', upperStages.index, 32)};
export const UPPER_BLOCKS: usize = ${table('u8', upperStages.blocks, 32)};
/** i32: the distance to the upper-case letter. */
export const UPPER_DISTANCE: usize = ${table('i32', distances.list, 16)};
/** Beyond U+FFFF: u32 first, u32 last, i32 distance, ascending. */
export const UPPER_BEYOND: usize = ${table('i32', upperBeyond, 12)};
export const UPPER_BEYOND_COUNT: u32 = ${upperBeyond.length / 3};

/** Entries are numbers of FOLDINGS, 0 where nothing changes. */
export const FOLD_INDEX: usize = ${table('u8', foldStages.index, 32)};
export const FOLD_BLOCKS: usize = ${table('u8', foldStages.blocks, 32)};
/** One to four ASCII characters, the first one lowest, then zeros. */
export const FOLDINGS: usize = ${table('u32', foldings.list, 12)};
`;
// Tables keep the layout given here, whatever the formatter would do.
const marked = output.replaceAll(
  /^export const \w+: usize = memory/gm,
  '// biome-ignore format: a table\n$&',
);
const target = new URL('../assembly/analysis/characterTables.ts', here);
if (!process.argv.includes('--check')) writeFileSync(target, marked);
else if (readFileSync(target, 'utf8') !== marked) {
  console.error('assembly/analysis/characterTables.ts is not what scripts/generate-characters.mjs writes');
  process.exitCode = 1;
}
