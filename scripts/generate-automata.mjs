// Writes the tables of an automaton of Lucene 4.10.4, as LuceneAutomata.java prints it, for automaton.ts:
//
//     java -cp … scripts/LuceneAutomata.java ClassicTokenizerImpl | node scripts/generate-automata.mjs classic
//     java -cp … scripts/LuceneAutomata.java UAX29URLEmailTokenizerImpl | node scripts/generate-automata.mjs uaxUrlEmail
import { readFileSync, writeFileSync } from 'node:fs';

const [, , name] = process.argv;
const { classes, starts, runs, actions, rows } = JSON.parse(readFileSync(0, 'utf8'));

/** Code points from here on are tags and variation selectors, or else of the class of those that are nowhere assigned. */
const LIMIT = 0x31000;
const TAGS = 0xe0000;
const TAGS_LENGTH = 0x200;

const bytes = [];
function varint(value) {
  while (value >= 0x80) {
    bytes.push((value & 0x7f) | 0x80);
    value >>>= 7;
  }
  bytes.push(value);
}

// Classes: of code points below LIMIT, then of the tags, as runs.
const classOf = new Uint8Array(0x110000);
for (const [i, [first, kind]] of runs.entries()) {
  classOf.fill(kind, first, runs[i + 1]?.[0] ?? Math.max(first + 1, 0x110000));
}
const unassigned = classOf[0x40000];
for (let c = LIMIT; c < 0x110000; c++) {
  const inTags = c >= TAGS && c < TAGS + TAGS_LENGTH;
  if (!inTags && classOf[c] !== unassigned)
    throw new Error(`a class outside of the table: ${c.toString(16)}`);
}
const covered = [...classOf.subarray(0, LIMIT), ...classOf.subarray(TAGS, TAGS + TAGS_LENGTH)];
for (let at = 0; at < covered.length; ) {
  let end = at;
  while (end < covered.length && covered[end] === covered[at]) ++end;
  varint((end - at) * 128 + covered[at]);
  at = end;
}
const classBytes = bytes.length;

// States in the order in which they are found, number 0 being dead.
const order = [...new Set(starts)];
const numbers = new Map(order.map((state, i) => [state, i + 1]));
for (let i = 0; i < order.length; i++) {
  for (const next of rows[order[i]]) {
    if (next >= 0 && !numbers.has(next)) {
      order.push(next);
      numbers.set(next, order.length);
    }
  }
}
const moved = [new Array(classes).fill(0)];
for (const state of order) moved.push(rows[state].map((next) => (next < 0 ? 0 : numbers.get(next))));
for (let i = 1; i < moved.length; i++) {
  const row = moved[i];
  let best = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (let j = 0; j < i && fewest > 0; j++) {
    let count = 0;
    for (let c = 0; c < classes && count < fewest; c++) if (row[c] !== moved[j][c]) ++count;
    if (count < fewest) {
      fewest = count;
      best = j;
    }
  }
  bytes.push(actions[order[i - 1]]);
  varint(i - best);
  varint(fewest);
  for (let c = 0; c < classes; c++) {
    if (row[c] === moved[best][c]) continue;
    bytes.push(c);
    // Next states are mostly near.
    const distance = row[c] - i;
    varint(distance >= 0 ? distance * 2 : -distance * 2 - 1);
  }
}

// Long data stand in a part of the host that browsers load when it is needed, and the core is given them.
const byHost = bytes.length > 10_000;
let text = '';
for (let i = 0; i < bytes.length; i += 32) text += `  ${bytes.slice(i, i + 32).join(', ')},\n`;
const data = byHost
  ? `/** Bytes of the data. */
export const BYTES: u32 = ${bytes.length};
`
  : `// biome-ignore format: a table
export const DATA: usize = memory.data<u8>([
${text}]);
`;
const about = byHost
  ? `written by scripts/generate-automata.mjs; automaton.ts reads it. The host
 * has its data.`
  : `written by scripts/generate-automata.mjs. Long because it is data;
 * automaton.ts reads it.`;
const output = `/**
 * The automaton of a scanner of Lucene 4.10.4, ${about}
 */
export const STATES: u32 = ${moved.length};
export const CLASSES: u32 = ${classes};
/** The states that scanning begins in. */
${[...new Set(starts)].map((start, i) => `export const START_${i}: u32 = ${numbers.get(start)};`).join('\n')}
/** The class of code points that are nowhere assigned. */
export const UNASSIGNED: u32 = ${unassigned};
/** The classes end after this many bytes. */
export const CLASS_BYTES: u32 = ${classBytes};
${data}`;
writeFileSync(new URL(`../assembly/analysis/tokenizers/${name}Tables.ts`, import.meta.url), output);
if (byHost) {
  const lines = Buffer.from(bytes)
    .toString('base64')
    .match(/.{1,108}/g);
  const host = `/** The automaton of a scanner of Lucene 4.10.4 as assembly/analysis/tokenizers/automaton.ts reads it, in base64. */
export const ${name.replace(/[A-Z]/g, '_$&').toUpperCase()} = \`
${lines.join('\n')}
\`;
`;
  writeFileSync(new URL(`../host/core/${name}Automaton.ts`, import.meta.url), host);
}
console.log(name, 'states', moved.length, 'bytes', bytes.length, 'of classes', classBytes);
